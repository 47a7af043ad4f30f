"""Search over messages: words, speakers and what stands around."""

from __future__ import annotations

import psycopg

from holdfast import Holdfast
from holdfast.session import Session
from holdfast.stores.postgres import PostgresStore
from tests.stores.postgres import new_schema, postgres_address


def talk() -> Session:
    chat = Holdfast().session("s", user="Mia")
    chat.say("Hi Mia! I finally joined a pottery class.", agent="Leo")
    chat.hear("Cool, what did you make?")
    chat.say("A blue bowl for my sister.", agent="Leo")
    chat.hear("I was researching hikes in the Alps")
    return chat


def test_only_messages_with_words_of_the_query_are_found_and_other_forms_count() -> None:
    assert [hit.text for hit in talk().search("research")] == ["I was researching hikes in the Alps"]
    assert talk().search("volcano") == []


def test_with_around_the_answer_is_found_by_the_question_before_it() -> None:
    found = [hit.text for hit in talk().search("what did they make", around=True)]
    assert "A blue bowl for my sister." in found[:2]


def test_the_name_of_a_speaker_says_whose_words_are_looked_for() -> None:
    chat = talk()
    chat.hear("Leo, my sister likes bowls too")
    names = {"person": "Mia", "agent": "Leo"}
    first = chat.holdfast.search("Leo's sister", user="Mia", names=names)[0]
    assert (first.role, first.text) == ("agent", "A blue bowl for my sister.")


def test_words_that_many_messages_hold_are_looked_for_in_the_newest_on_postgresql() -> None:
    """What many messages hold is never all ranked; beside a rarer word it still counts, and a word that nobody wrote
    takes nothing away."""
    address = new_schema(connections=1)
    store = PostgresStore.at(address)
    with psycopg.connect(postgres_address(), autocommit=True) as db:
        db.execute(f"SET search_path TO {store.schema}".encode())
        db.execute(
            "INSERT INTO streams (kind, name, pack, owner, created, changed, head) "
            "SELECT 'session', 's' || n, 'general', 'u' || n % 2, 1, n, 10 FROM generate_series(1, 3000) n"
        )
        db.execute(
            "INSERT INTO log SELECT s.id, 1, s.changed, 'person', t.text, '[]', 2, to_tsvector('simple', t.text), '' "
            "FROM streams s, LATERAL (SELECT 'a river ' || CASE s.changed WHEN 5 THEN 'heron' ELSE '' END AS text) t"
        )
        db.execute("ANALYZE")
    assert {hit.session for hit in store.search("river", None, 3)} <= {f"s{n}" for n in range(2801, 3001)}
    assert [hit.session for hit in store.search("river heron", None, 1)] == ["s5"]
    assert len(store.search("river swan", None, 3)) == 3
    assert {hit.session for hit in store.search("river", None, 3, user="u1")} <= {f"s{n}" for n in range(2601, 3001, 2)}
    assert [hit.session for hit in store.search("river", ["s7"], 3)] == ["s7"]
    store.close()
