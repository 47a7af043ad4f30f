"""The table of limits says what the code says."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from holdfast import Holdfast, owned
from holdfast.errors import InvalidInput
from holdfast.faculties import conversation
from holdfast.models.consult import BATCH_MESSAGES
from holdfast.models.endpoints import Upstream
from holdfast.packs.general import PACK
from holdfast.reading import text
from holdfast.server.settings import Settings
from holdfast.server.shapes import Limit, Text
from holdfast.session import TITLE_CHARS

PAGE = Path(__file__).parents[2] / "docs" / "limits.md"
ROWS = dict(re.findall(r"^\| ([^|]+?) \| ([^|]*\d[^|]*?) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE))


def numbers(row: str) -> list[int]:
    return [int(found.replace(",", "")) for found in re.findall(r"\d[\d,]*", ROWS[row])]


def test_the_limits_are_those_of_the_code() -> None:
    settings = Settings()
    heard = msgspec.inspect.type_info(Text)
    assert isinstance(heard, msgspec.inspect.StrType)
    assert numbers("characters of a message") == [text.LONGEST, heard.max_length]
    assert numbers("characters of a conversation's title") == [TITLE_CHARS]
    over_http = msgspec.inspect.type_info(Limit)
    assert isinstance(over_http, msgspec.inspect.IntType)
    assert numbers("entries of one page of history, or hits of one search") == [10_000, over_http.le]
    assert numbers("bytes of an HTTP request") == [settings.body_limit]
    assert numbers("questions an hour for a second opinion") == [settings.opinions_per_hour, BATCH_MESSAGES]
    assert numbers("messages that one `hf.memory(…).add` takes") == [owned.MESSAGES, owned.MESSAGE_CHARS]
    assert numbers("bytes of an archive that is brought in") == [settings.archive_limit]
    assert numbers("HTTP requests a second for one key or address") == [settings.rate]
    assert numbers("live views at a time") == [settings.viewers]
    assert numbers("tokens of what a turn tells the agent") == [PACK.budget]
    recent = [conversation.RECENT, conversation.MAX_KEPT_CHARS]
    assert numbers("messages of the recent history in `turn.messages`") == recent
    assert numbers("seconds that a model gets to answer") == [Upstream("http://x").seconds]


@pytest.mark.parametrize("kind", ["session", "history", "rename"])
def test_what_is_beyond_a_limit_is_refused(kind: str) -> None:
    hf = Holdfast()
    chat = hf.session("s")
    beyond: dict[str, Callable[[], object]] = {
        "session": lambda: hf.session(
            "s" * (numbers("characters of the name of a session, user, project or agent")[0] + 1)
        ),
        "history": lambda: chat.history(10_001),
        "rename": lambda: chat.rename("x" * (TITLE_CHARS + 1)),
    }
    with pytest.raises(InvalidInput):
        beyond[kind]()
