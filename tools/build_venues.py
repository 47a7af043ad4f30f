"""Invents the venues that the built-in venue agent knows: the same ones every time.

    python tools/build_venues.py

No venue is real. One line of the table: id, name, city, area, kind, tags, price, rating, reviews, opens, closes, phone,
features.
"""

from __future__ import annotations

import random
from pathlib import Path

TABLE = Path(__file__).parent.parent / "src" / "holdfast" / "agents" / "data" / "venues.tsv"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
CITIES = {
    "Philadelphia": "South Philly|Center City|Fishtown|Old City|Rittenhouse|University City",
    "New York City": "Harlem|SoHo|Williamsburg|Midtown|East Village",
    "Boston": "Back Bay|North End|Beacon Hill|South End",
    "Chicago": "Wicker Park|River North|Lincoln Park|Pilsen",
    "San Francisco": "Nob Hill|North Beach|Hayes Valley|Sunset",
    "Los Angeles": "Silver Lake|Koreatown|Venice Beach|Downtown",
    "Seattle": "Capitol Hill|Ballard|Fremont",
    "Austin": "Downtown|East Austin|South Congress",
    "Miami": "Wynwood|South Beach|Brickell",
    "Washington": "Georgetown|Dupont Circle|Navy Yard",
    "London": "Shoreditch|Camden Town|Brixton",
    "Madrid": "Malasaña|Chueca|Lavapiés",
    "Barcelona": "Gràcia|El Raval|Eixample",
    "Mexico City": "La Condesa|Roma Norte|Coyoacán",
    "Moscow": "Арбат|Китай-город|Хамовники",
    "Saint Petersburg": "Невский|Петроградка|Васильевский остров",
}
KINDS = {
    "italian": ("Osteria {}|Trattoria {}|{} Pasta House", "restaurant dinner pasta pizza"),
    "pizza": ("{} Pizza|Pizzeria {}|Slice of {}", "restaurant pizza italian lunch"),
    "sushi": ("{} Sushi|Omakase {}|Sushi {}", "restaurant sushi japanese dinner"),
    "ramen": ("{} Ramen|Noodles by {}", "restaurant ramen japanese noodle lunch"),
    "mexican": ("Taqueria {}|Cantina {}|Casa {}", "restaurant mexican taco dinner"),
    "indian": ("{} Tandoor|Spice of {}|{} Masala", "restaurant indian curry dinner vegetarian"),
    "thai": ("{} Thai|Basil {}", "restaurant thai noodle dinner"),
    "chinese": ("{} Dumplings|Golden {}", "restaurant chinese noodle dumpling dinner"),
    "american": ("{} Grill|The {} Table|{} Burger Bar", "restaurant american burger steak dinner"),
    "brunch": ("{} Brunch Club|Morning {}|Egg & {}", "restaurant brunch breakfast lunch cafe"),
    "coffee": ("{} Coffee|Cafe {}|{} Roasters", "cafe coffee breakfast bakery"),
    "bar": ("Bar {}|The {} Room|{} Taproom", "bar pub beer cocktail club happy hour"),
    "vegan": ("Green {}|{} Garden Kitchen", "restaurant vegan vegetarian lunch"),
    "museum": ("{} Museum|Gallery {}", "museum gallery"),
    "park": ("{} Park|{} Gardens", "park garden hike"),
}
MORE = {
    "tapas": ("Taberna {}|Bodega {}", "restaurant tapas spanish dinner wine"),
    "french": ("Bistro {}|Brasserie {}", "restaurant french dinner wine"),
    "seafood": ("{} Oyster House|The {} Catch", "restaurant seafood fish dinner"),
    "georgian": ("{} Khinkali|Sakhli {}", "restaurant georgian dinner wine"),
    "hotel": ("Hotel {}|{} Inn", "hotel hostel"),
    "italian": ("Osteria {}|Trattoria {}|{} Pasta House", "restaurant dinner pasta pizza"),
}
"""Kinds that came later: invented after all others, so that those keep their ids."""
PLAIN = {"museum": 2, "park": 1}
"""What is never dear, and has no kitchen."""
KITCHEN = {"vegan options", "gluten free", "live music"}
WORDS = """
Marlow Juniper Corvo Lantern Saffron Willow Copper Halcyon Indigo Magnolia Nettle Orchard Pepper Quill Rowan
Sparrow Thistle Umbra Velvet Wren Yarrow Zephyr Amber Birch Cinder Dovetail Ember Fennel Ginger Harbor Ivory
Jasper Kestrel Linden Mosaic Nimbus Olive Poppy Raven Sable
"""
FEATURES = (
    "outdoor seating",
    "parking",
    "vegan options",
    "gluten free",
    "pet friendly",
    "live music",
    "wifi",
    "open late",
)


def main() -> None:
    dice = random.Random(20)
    lines = ["# Invented venues. Built by tools/build_venues.py; do not edit."]
    names: set[str] = set()
    for city, areas in CITIES.items():
        for kind, (shapes, tags) in KINDS.items():
            for _ in range(2 if kind in ("museum", "park", "vegan") else 3 if kind in ("italian", "bar") else 2):
                lines.append(venue(dice, city, areas.split("|"), kind, shapes.split("|"), tags, names))
    for city, areas in CITIES.items():
        for kind, (shapes, tags) in MORE.items():
            for area in areas.split("|")[: 3 if kind == "italian" else 2]:
                lines.append(venue(dice, city, [area], kind, shapes.split("|"), tags, names))
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(lines) - 1} venues, {TABLE.stat().st_size // 1024} KB")


def venue(
    dice: random.Random, city: str, areas: list[str], kind: str, shapes: list[str], tags: str, names: set[str]
) -> str:
    name = ""
    while not name or f"{name} {city}" in names:
        name = dice.choice(shapes).format(dice.choice(WORDS.split()))
    names.add(f"{name} {city}")
    late = kind == "bar"
    opens = dice.choice((7, 8)) if kind in ("coffee", "brunch") else 17 if late else dice.choice((10, 11, 12))
    closes = dice.choice((1, 2)) if late else dice.choice((15, 16, 18)) if opens < 9 else dice.choice((21, 22, 23))
    extras = sorted(dice.sample(FEATURES, dice.choice((1, 2, 3))))
    row = (
        "ChIJ" + "".join(dice.choices(LETTERS, k=16)),
        name,
        city,
        dice.choice(areas),
        kind,
        f"{kind} {tags}",
        str(min(dice.choice((1, 1, 2, 2, 2, 3, 3, 4)), PLAIN.get(kind, 4))),
        f"{dice.choice(range(36, 50)) / 10}",
        str(dice.randrange(20, 2400)),
        f"{opens:02}:00",
        f"{closes:02}:00",
        f"+1-555-{dice.randrange(100, 999)}-{dice.randrange(1000, 9999)}",
        ",".join(fitting(extras, kind, closes)),
    )
    return "\t".join(row)


def fitting(extras: list[str], kind: str, closes: int) -> list[str]:
    """The features that such a place can have."""
    kept = [e for e in extras if not (kind in PLAIN and e in KITCHEN) and not (e == "open late" and 2 < closes < 23)]
    return kept or ["wifi"]


if __name__ == "__main__":
    main()
