"""What would another pack have decided? Record a conversation, change the pack, and list what differs.

python examples/what_if.py
"""

from holdfast import Holdfast
from holdfast.history.whatif import recorded, verify, what_if
from holdfast.packs.general import PACK

hf = Holdfast()
chat = hf.session("s-1")
chat.hear("I want a cheesesteak")
chat.say("Where?", agent="venues")
chat.hear("philly")

for result in verify(hf, recorded(hf)):
    print(result.session, "folds into its state:", not result.faults)

tight = PACK.but(name="tight", budget=5)  # too few tokens for any context
for replayed in what_if(hf, tight):
    for difference in replayed.differences:
        print(f"{difference.text!r}: was {difference.gone}, would be {difference.new}")
