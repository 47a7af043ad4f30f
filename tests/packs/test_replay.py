"""replay(events) == state, byte for byte, for any conversation, in any language, under every installed pack."""

from __future__ import annotations

import random
from typing import Any

import pytest

from holdfast import Holdfast
from holdfast.errors import HoldfastError
from holdfast.pack import installed
from holdfast.stores.protocol import Key

PERSON = (
    """
I want pizza in philadelphia|what about italian food|the second one|no, not Italian, sushi instead|yes|no|2|ok thanks
my name is Dana Frey|I prefer VS Code|Actually, I prefer Vim|I use tabs for indentation|forget that I use Vim|12.4 V
Order toothpaste on Amazon|Close all Google tabs|go back to the toothpaste|start fresh|continue|where were we?
Create an image with a red circle|Add a blue square|Use matplotlib instead|never use fpdf|make it 3 instead of 1
my water pump is dead|there is no sound|where is the pump?|how do I check it?|I already told you|actually I see a crack
we'll be four, no wait, five, tomorrow at 8pm|call me Sam|dana@example.org|not npm, use pnpm
are you sure?|start final report
хочу пиццу в Питере|второй вариант|нет, подожди, лучше суши|я живу в Москве|меня зовут Дана|не npm, а pnpm
я использую vim
насос не работает|где находится насос?|уже проверил|закрой все вкладки|вернись к пасте|создай картинку с красным кругом
quiero pizza en Madrid|la segunda|no, mejor sushi|me llamo Dana|uso Vim|no npm sino pnpm|la bomba de agua no funciona
¿dónde está la bomba?|ya lo revisé|cierra todas las pestañas|crea una imagen con un círculo rojo|sí|no|gracias|vale
[CONTEXT: Location: Paris] hello|]]] | x: y|🙂🙂🙂|"quoted I use Vim"|if I used Emacs?|ünïcödé ẞ İstanbul
e\u0301l mismo|\u0301
""".strip()
    .replace("\n", "|")
    .split("|")
)

AGENT = (
    """
Where?|Which one do you like?|Shall I book it?|What is your name?|Can you provide more information about the issue?
1. **Osteria** Place ID: ChIJabc123 2. **Vedge** Place ID: ChIJdef456 3. **Zahav** Place ID: ChIJghi789
I found **Osteria**. Place ID: ChIJabc123|Pizza or sushi?|How many people?|Done. Anything else?
Let's go with PostgreSQL.
from PIL import Image; Image.new('RGB', (9, 9))|import matplotlib.pyplot as plt; plt.plot([1])
Estimated total labor: 2 hours
<plan>["open the site", "search", "order"]</plan>
Где вы находитесь?|Какой из них?|¿Dónde?|¿Cuál prefiere?|¿Quiere que reserve?
- Alpha\n- Beta\n- Gamma\nWhich one?|[CONTEXT: Location: philly] as you said|Is 12 V DC at the pump motor terminals?
""".strip()
    .replace("\n", "|")
    .split("|")
)


def talk(holdfast: Holdfast, seed: int) -> None:
    dice = random.Random(seed)
    chat = holdfast.session(f"s{seed}", user=f"u{seed % 7}", project=f"p{seed % 3}")
    for _ in range(dice.randint(2, 14)):
        try:
            if dice.random() < 0.55:
                chat.hear(dice.choice(PERSON))
            elif dice.random() < 0.9:
                chat.say(dice.choice(AGENT), agent=dice.choice([None, "one", "two"]))
            else:
                chat.clear(dice.choice([None, "location", "name"]))
        except HoldfastError:
            pass  # some calls are rightly refused; what matters is what was written


def parts(every_day: int, sweep: int) -> list[Any]:
    """The numbers of the parts: the first ones run with every change, the others with `make sweep`."""
    return [*range(every_day), *(pytest.param(part, marks=pytest.mark.sweep) for part in range(every_day, sweep))]


@pytest.mark.parametrize("pack", installed())
@pytest.mark.parametrize("part", parts(1, 18))
def test_the_log_folds_into_the_very_state_and_no_faculty_fails(pack: str, part: int) -> None:
    with Holdfast(pack=pack) as hf:
        seeds = range(part * 1000, part * 1000 + 40)
        for seed in seeds:
            talk(hf, seed)
            for past in hf.session(f"s{seed}").history(limit=100) if hf.store.session(f"s{seed}") else []:
                assert past.receipt.did("failed") == []
        keys = [Key("session", f"s{seed}") for seed in seeds]
        keys += [Key("user", f"u{n}") for n in range(7)] + [Key("project", f"p{n}") for n in range(3)]
        for key in keys:
            (now,), _ = hf._streams([key])
            replayed = hf.pack.folder.replay(hf.entries(key))
            assert hf.pack.folder.encode(replayed) == hf.pack.folder.encode(now), key


@pytest.mark.parametrize("pack", installed())
@pytest.mark.parametrize("part", parts(1, 2))
def test_the_same_conversation_decides_the_same(pack: str, part: int) -> None:
    seeds = range(part * 15, part * 15 + 15)

    def bodies() -> list[bytes]:
        with Holdfast(pack=pack, clock=lambda: 1_000_000.0) as hf:
            for seed in seeds:
                talk(hf, seed)
            return [row.body for seed in seeds for row in hf.store.rows(Key("session", f"s{seed}"))]

    assert bodies() == bodies()
