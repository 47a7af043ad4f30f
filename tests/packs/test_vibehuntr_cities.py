"""Where to look is understood when cities are written small, in the middle of ordinary talk."""

from __future__ import annotations

import itertools

import pytest

from holdfast import Holdfast

CITIES = (
    "new york|los angeles|chicago|houston|phoenix|philadelphia|san antonio|san diego|dallas|san jose|"
    "austin|jacksonville|fort worth|columbus|charlotte|indianapolis|san francisco|seattle|denver|"
    "washington|boston|el paso|nashville|detroit|oklahoma city|portland|las vegas|memphis|louisville|"
    "baltimore|milwaukee|albuquerque|tucson|fresno|sacramento|mesa|kansas city|atlanta|omaha|"
    "colorado springs|raleigh|miami|long beach|oakland|minneapolis|tulsa|tampa|new orleans|wichita|"
    "cleveland|honolulu|anaheim|lexington|stockton|st. louis|pittsburgh|anchorage|cincinnati|saint paul|"
    "greensboro|lincoln|orlando|irvine|newark|buffalo|savannah|charleston|asheville|santa fe|boise|"
    "richmond|salt lake city|spokane|des moines|madison|reno|providence|key west|burlington|toronto|"
    "montreal|vancouver|calgary|ottawa|quebec city|halifax|winnipeg|mexico city|guadalajara|monterrey|"
    "cancun|oaxaca|tulum|havana|san juan|bogota|medellin|cartagena|lima|cusco|quito|santiago|buenos aires|"
    "mendoza|montevideo|rio de janeiro|sao paulo|london|manchester|birmingham|leeds|liverpool|bristol|"
    "edinburgh|glasgow|cardiff|belfast|york|bath|oxford|cambridge|brighton|dublin|galway|cork|paris|lyon|"
    "marseille|nice|bordeaux|toulouse|strasbourg|berlin|munich|hamburg|cologne|frankfurt|stuttgart|"
    "dresden|leipzig|vienna|salzburg|zurich|geneva|basel|amsterdam|rotterdam|utrecht|brussels|antwerp|"
    "ghent|bruges|copenhagen|stockholm|gothenburg|oslo|bergen|helsinki|reykjavik|tallinn|riga|vilnius|"
    "warsaw|krakow|gdansk|prague|brno|budapest|bucharest|sofia|belgrade|zagreb|split|dubrovnik|ljubljana|"
    "athens|thessaloniki|istanbul|ankara|rome|milan|naples|florence|venice|turin|bologna|palermo|madrid|"
    "barcelona|valencia|seville|granada|malaga|bilbao|lisbon|porto|moscow|kyiv|tbilisi|dubai|tel aviv|"
    "cairo|marrakech|nairobi|cape town|johannesburg|lagos|mumbai|delhi|bangalore|pune|chennai|kolkata|"
    "bangkok|chiang mai|hanoi|singapore|kuala lumpur|jakarta|manila|tokyo|osaka|kyoto|seoul|busan|taipei|"
    "hong kong|shanghai|beijing|sydney|melbourne|brisbane|perth|auckland|wellington"
).split("|")
BESIDE = (
    "sushi in {}",
    "any good tacos around {}?",
    "we're in {} this weekend, where should we eat",
    "looking for a quiet bar near {} pls",
    "im visiting {} next week and want ramen",
)
INSTEAD = ("ok what about {} then", "can you switch it to {}", "{} this time")
FRAMES = BESIDE + INSTEAD
SHARE = 0.98


ENGINE = Holdfast(pack="vibehuntr")
_ids = itertools.count()


def held(*said: str) -> str | None:
    session = ENGINE.session(f"s{next(_ids)}")
    for message in said:
        session.hear(message)
    value: str | None = session.state.slots.get("location")
    return value


@pytest.mark.parametrize("frames", [2, pytest.param(len(FRAMES), marks=pytest.mark.sweep)])
def test_cities_written_small_are_places(frames: int) -> None:
    """Each city in two of the sentences, those of its place in the row; with `make sweep` in all of them."""
    missed = []
    for place, city in enumerate(CITIES):
        before = "sushi in tulsa" if city != "tulsa" else "sushi in miami"
        for frame in [FRAMES[(place + more) % len(FRAMES)] for more in range(frames)]:
            said = frame.format(city)
            if (held(before, said) if frame in INSTEAD else held(said)) != city:
                missed.append((frame, city))
    right = 1 - len(missed) / (len(CITIES) * frames)
    assert len(CITIES) >= 200
    assert right >= SHARE, f"{right:.1%}: {missed}"


@pytest.mark.parametrize("said", ["thanks madison", "nice!", "can we split it", "a nice bath", "sydney says hi"])
def test_a_word_or_a_person_of_the_same_name_moves_nothing(said: str) -> None:
    assert held("sushi in tulsa", said) == "tulsa"


@pytest.mark.parametrize("city", ["nazran", "khmelnytskyi", "bordeaux", "antalya"])
def test_a_city_that_is_no_word_may_close_the_message(city: str) -> None:
    assert held(f"somewhere with live music, {city}") == city
