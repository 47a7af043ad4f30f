"""Looking back over HTTP: what was sent, what was known, what a turn did in all logs, and the undo of a clear."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from tests.server.test_api import opened


def test_a_clear_is_undone_and_what_was_said_stays(client: TestClient) -> None:
    at = opened(client)
    client.post(f"{at}/hear", json={"text": "my name is Dana"})
    cleared = client.delete(f"{at}/context").json()
    assert client.get(f"{at}/context").json()["clears"] == []
    undone = client.post(f"{at}/restore", json={"version": cleared["version"] - 1}).json()
    assert [line["did"] for line in undone["receipt"]["lines"]] == ["restored"]
    assert client.get(f"{at}/context").json()["clears"] == ["name"]
    assert client.post(f"{at}/restore", json={"version": 99}).status_code == 404


def test_what_was_sent_with_a_message_of_the_past_is_shown_to_the_letter(client: TestClient) -> None:
    at = opened(client, user="u-1", pack="general")
    turns = [
        client.post(f"{at}/hear", json={"text": text}).json()
        for text in ("I am vegan and my sister is Ann", "write to dana@example.org", "actually to bob@example.org")
    ]
    client.post(f"{at}/say", json={"text": "Done."})
    for turn in turns:
        sent = client.get(f"{at}/history/{turn['version']}/sent").json()
        assert sent.pop("exact")
        assert sent.pop("took") > 0
        assert sent.pop("sections") in turn["system"]
        assert sent == {name: turn[name] for name in sent}
    assert client.get(f"{at}/history/5/sent").status_code == 409, "an agent's message was sent to nobody"


def test_an_entry_of_the_past_tells_who_spoke_and_what_was_sent(client: TestClient) -> None:
    at = opened(client)
    client.post(f"{at}/chat", json={"text": "my name is Dana"})
    _, heard, reply = client.get(f"{at}/history").json()["entries"]
    assert heard["context"] == "[CONTEXT: User's name: Dana]"
    assert (heard["agent"], reply["agent"], reply["context"]) == (None, "desk", "")
    assert client.get(f"{at}/context", params={"version": 1}).json()["clears"] == []


def test_a_past_receipt_tells_what_was_learned_of_the_user_too(client: TestClient) -> None:
    at = opened(client, user="u-1", pack="copilot_cli")
    turn = client.post(f"{at}/hear", json={"text": "I prefer tabs over spaces"}).json()
    learned = [line for line in turn["receipt"]["lines"] if line["did"] == "learned"]
    assert learned
    for past in (client.get(f"{at}/history").json()["entries"][-1], client.get(f"{at}/history/2").json()):
        assert [line for line in past["receipt"]["lines"] if line["did"] == "learned"] == learned


def test_the_context_is_what_will_be_told_and_beside_it_what_was_sent(client: TestClient) -> None:
    at = opened(client, pack="vibehuntr")
    client.post(f"{at}/hear", json={"text": "Italian places in Philadelphia"})
    found = client.get(f"{at}/context").json()
    assert found["context"].startswith(found["sent"].removesuffix("]"))
    assert {"key": "Location", "value": "philadelphia"} in found["items"]
    client.delete(f"{at}/context/location")
    found = client.get(f"{at}/context").json()
    assert "philadelphia" in found["sent"]
    assert "philadelphia" not in found["context"].lower()
    client.delete(f"{at}/context")
    found = client.get(f"{at}/context").json()
    assert (found["context"], found["items"]) == ("", [])
    then = client.get(f"{at}/context", params={"version": found["version"] - 2}).json()
    assert "philadelphia" in then["context"]
    told = client.post(f"{at}/hear", json={"text": "and bars?"}).json()["context"]
    assert "philadelphia" not in told.lower()


@pytest.mark.parametrize("pack", ["general", "vibehuntr", "grace", "nxtscape", "copilot_cli", "rv_service_desk"])
def test_every_pack_can_say_what_it_would_tell(client: TestClient, pack: str) -> None:
    at = opened(client, pack=pack, user="u", project="p")
    for text in ("my name is Dana, I work in Lisbon", "make a chart with matplotlib", "the water pump does not run"):
        client.post(f"{at}/hear", json={"text": text})
    version = client.get(at).json()["version"]
    assert client.get(f"{at}/context").status_code == 200
    assert client.get(at).json()["version"] == version


def test_conversations_are_listed_newest_first_with_a_title_and_their_turns(client: TestClient) -> None:
    opened(client, "a", pack="rv_service_desk")
    opened(client, "b")
    client.post("/api/sessions/b/hear", json={"text": "my name  is\nDana"})
    client.post("/api/sessions/a/hear", json={"text": "the water heater does not work"})
    found = client.get("/api/sessions", params={"order": "newest"}).json()["sessions"]
    assert [(one["id"], one["title"], one["turns"]) for one in found] == [
        ("a", "water heater", 1),
        ("b", "my name is Dana", 1),
    ]
    first = client.get("/api/sessions?order=newest&limit=1").json()
    assert [one["id"] for one in first["sessions"]] == ["a"]
    then = client.get("/api/sessions", params={"order": "newest", "limit": 1, "after": first["next"]}).json()
    assert [one["id"] for one in then["sessions"]] == ["b"]
    last = client.get("/api/sessions", params={"order": "newest", "limit": 1, "after": then["next"]}).json()
    assert last == {"sessions": [], "next": None}
    assert client.get("/api/sessions?order=newest&after=b").status_code == 422


def test_the_language_is_set_and_one_that_the_pack_does_not_speak_is_refused(client: TestClient) -> None:
    at = opened(client, pack="rv_service_desk", language="ru")
    assert client.get(at).json()["language"] == "ru"
    assert client.put(f"{at}/language", json={"language": "es"}).status_code == 200
    assert client.get(at).json()["language"] == "es"
    refused = client.put(f"{at}/language", json={"language": "xx"})
    assert refused.status_code == 422
    assert "en, ru, es" in refused.json()["detail"]


def test_the_server_says_what_it_is_and_what_can_be_chosen(client: TestClient) -> None:
    about = client.get("/api/about").json()
    assert {one["code"]: one["name"] for one in about["languages"]}["ru"] == "Русский"
    assert (about["model"], about["pack"], about["scopes"]) == (None, "desk", ["erase", "read", "write"])
    packs = {pack["name"]: pack for pack in client.get("/api/packs").json()["packs"]}
    assert packs["grace"]["requires"] == ["user"]
    assert [name for name, pack in packs.items() if pack["files"]] == ["grace"]
    assert packs["vibehuntr"]["model"].startswith("gemini")


def test_insights_name_the_keys_that_do_not_stay(client: TestClient) -> None:
    at = opened(client, pack="copilot_cli")
    items = [
        client.post(f"{at}/memory", json={"value": value, "kind": "decision", "slot": "database"}).json()["item"]["id"]
        for value in ("postgres", "sqlite", "mysql")
    ]
    for old, new in ((items[0], items[1]), (items[1], items[2])):
        client.post(f"{at}/memory/{old}/supersede", json={"new": new})
    found = client.get(f"{at}/memory/insights").json()
    assert [key["key"] for key in found["keys"]] == ["database"]
    assert found["decisions"][0]["chain"] == ["postgres", "sqlite", "mysql"]


def test_what_was_said_is_taken_back_and_marked_in_the_history(client: TestClient) -> None:
    at = opened(client)
    first = client.post(f"{at}/hear", json={"text": "my name is Dana"}).json()
    client.post(f"{at}/hear", json={"text": "my name is Rita"})
    client.post(f"{at}/rewind", json={"version": first["version"]})
    assert "Dana" in client.get(f"{at}/context").json()["context"]
    rows = client.get(f"{at}/history").json()["entries"]
    said = {row["text"]: row["taken_back"] for row in rows if row["text"]}
    assert said == {"my name is Dana": False, "my name is Rita": True}
    assert client.post(f"{at}/rewind", json={"version": 99}).status_code == 404
