"""What a reply shows: the one finder of things that can be pointed at, chosen or asked about.

`finder.py` gives them as entities with what is told of each. Its parts: `items.py` reads lists and tables, `names.py`
what plain sentences name, `choices.py` what stands side by side to choose from.
"""

from holdfast.reading.shown.choices import Offered, options_of, side_by_side
from holdfast.reading.shown.finder import Finder, Named
from holdfast.reading.shown.items import ListItem, last_list, list_items
from holdfast.reading.shown.names import told_of

__all__ = [
    "Finder",
    "ListItem",
    "Named",
    "Offered",
    "last_list",
    "list_items",
    "options_of",
    "side_by_side",
    "told_of",
]
