"""Characters that look like others, or like nothing: how text is compared with what it imitates.

Unicode's tables of confusable characters (UTS 39), as far as they concern the letters of our own context line, all of
them and some more; and its table of characters that are not shown (Default_Ignorable_Code_Point). Mathematical, circled
and full-width letters need no row: Unicode itself takes them apart into plain ones (NFKD).
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_UNSEEN_RANGES = (
    (0x00AD, 0x00AD),  # soft hyphen
    (0x034F, 0x034F),  # combining grapheme joiner
    (0x061C, 0x061C),
    (0x115F, 0x1160),  # Hangul fillers
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),  # Mongolian selectors and vowel separator
    (0x200B, 0x200F),  # zero-width space, joiners, marks of direction
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x2800, 0x2800),  # a Braille cell without a dot
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),  # variation selectors
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFFB),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),  # tags, and more variation selectors
)
UNSEEN = "".join(chr(first) if first == last else f"{chr(first)}-{chr(last)}" for first, last in _UNSEEN_RANGES)
"""Inside of a character class: characters that nobody sees."""
_UNSEEN = re.compile(f"[{UNSEEN}]+")
_EMOJI = "\u2600-\u27bf\U0001f000-\U0001faff"
_HIDDEN = re.compile(f"(?!(?<=[{_EMOJI}])\u200d[{_EMOJI}])[{UNSEEN}]")
"""The same, but for what joins the people of a family picture into one."""

OPENING = "[［⟦〔【❲⁅﹇⦋⦍⦏〖〘〚⌈⌊⎡⎣⎢"
CLOSING = "]］⟧〕】❳⁆﹈⦌⦎⦐〗〙〛⌉⌋⎤⎦⎥"
BARS = "|｜¦ǀ∣│┃❘￨⏐⎪⎟▏❙❚ⵏꟾߊ‖∥"
COLONS = ":：∶꞉։ː˸׃܃܄᛬᠃᠉⁚︓︰ꓽઃः﹕⁝⸬"

_ALIKE = {
    "c": "𐔜𑣩𑣲сϲᴄⲥꮯ𐐽СϹⲤᏟꓚ𐊢𐌂𐐕🝌ćςƈ",
    "o": "هھہەంಂംංဝꬽ𐐬𐔖𑓐𑣕𑣈𑣗𑣠оοσօᴏᴑⲟഠჿ𐓪ОΟՕⲞⵔዐଠ𐊒𐊫𐐄ꓳ〇0߀০୦੦૦௦౦೦൦๐໐၀٥۵०օס◯○⚪",
    "n": "ոռпηɴΝⲚꓠ𐔓ПИиղ",
    "t": "тτᴛⲧТΤⲦᎢꓔ⟙⊤🝨𐊗𐊱𐌕𖼊𑢼†",
    "e": "еεҽ℮ꬲєɛᴇЕΕⴹᎬꓰ⋿𐊆𑢦𑢮ⲉⲈЄ3ёё∈",
    "x": "᙭хχ×ᕁᕽ᙮⨯⤫⤬ХΧⲬⵝᚷꓫꭓ╳𐊐𐊴𐌗𐌢𐔧𑣬ⲭ✕✖✗✘",
}
_LOOKS = {char: plain for plain, chars in _ALIKE.items() for char in chars}


def seen(text: str) -> str:
    """The text without the characters that nobody sees."""
    return _HIDDEN.sub("", text)


@lru_cache(maxsize=8192)
def looks(char: str) -> str:
    """A character as it looks: a plain small letter or sign, or nothing for one that is not seen by itself."""
    if char.isascii():
        return char.lower()
    if char in COLONS:
        return ":"
    if _UNSEEN.match(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return ""
    found = _LOOKS.get(char) or _LOOKS.get(char.lower())
    if found is not None:
        return found
    plain = "".join(each for each in unicodedata.normalize("NFKD", char) if unicodedata.category(each) != "Mn")
    return _LOOKS.get(plain, plain)[:1].lower()


def imitates(text: str, start: int, word: str) -> bool:
    """Whether what stands from a place on looks like a word and a colon, with spaces or nothing to be seen between."""
    wanted = iter(f"{word}:")
    next_wanted = next(wanted)
    for place in range(start, len(text)):
        look = looks(text[place])
        if not look or look.isspace():
            continue
        if look != next_wanted:
            return False
        next_wanted = next(wanted, "")
        if not next_wanted:
            return True
    return False
