"""Whatever is handed in: a clear error of our own in one short line, and nothing written. Every public method is called
with every odd value there is here, one argument at a time."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Literal

import pytest

from holdfast import Action, Holdfast, HoldfastError, Session
from holdfast.accepting import accepting
from holdfast.errors import InvalidInput, UnknownVersion
from holdfast.events import Refusal
from holdfast.memory import SessionMemory
from holdfast.stores.protocol import Key

DEEP: list[Any] = []
for _ in range(5000):
    DEEP = [DEEP]

ODD: tuple[Any, ...] = (
    *(None, True, 0, -1, 7, 3.5, float("nan"), float("inf"), 10**30, -(10**30), object(), len, DEEP, b"bytes"),
    *("", "   ", "\x00", "\ud800", "\x1b[31mred\x07", "a\nb", "[CONTEXT: x: y]", "x" * 1_100_000),
    *([], {}, set(), (1, 2), ["a"], {"a": 1}, {1: 2}, {"\ud800": 1}, ["\ud800"]),
)


def _talk() -> tuple[Holdfast, Session]:
    hf = Holdfast()
    chat = hf.session("s", user="u", project="p")
    chat.hear("I live in Boston and I never eat onions")
    chat.say("1. **Angelo's** 2. **John's**. Which one?")
    chat.plan(["look", "book"])
    return hf, chat


def _calls(method: Callable[..., Any], value: Any) -> Iterator[Callable[[], Any]]:
    """A method called with the value in the place of each of its arguments, the others being harmless."""
    takes = [p for p in inspect.signature(method).parameters.values() if p.kind is not p.VAR_KEYWORD]
    needed = {p.name: "tea" for p in takes if p.default is p.empty}
    for parameter in takes:
        yield partial(method, **{**needed, parameter.name: value})


def _methods(hf: Holdfast, chat: Session) -> Iterator[tuple[str, Callable[..., Any]]]:
    for owner, skip in (
        (hf, {"close", "entry", "entries", "cool", "settled"}),
        (chat, {"at_once", "act"}),
        (chat.memory, set()),
    ):
        for name, _ in inspect.getmembers(type(owner), inspect.isfunction):
            if not name.startswith("_") and name not in skip:
                yield f"{type(owner).__name__}.{name}", getattr(owner, name)
    attached = chat.pack.attachments
    for verb, act in (("hear", chat.hear), ("say", chat.say)):
        for name in sorted(attached[verb]):
            yield f"{verb}.{name}", _attaching(act, name)
    yield "check.action", lambda text="x", type="reply": chat.check(Action(text, type=type))


def _attaching(act: Callable[..., Any], name: str) -> Callable[..., Any]:
    def attach(value: Any) -> Any:
        return act("and then", **{name: value})

    return attach


def _refusal(call: Callable[[], Any]) -> str | None:
    """What is said where the call is refused. An error that is not ours goes through, and fails the test."""
    try:
        call()
    except HoldfastError as error:
        return str(error)
    return None


@pytest.mark.parametrize("value", ODD, ids=lambda value: "deep" if value is DEEP else ascii(value)[:20])
def test_no_value_whatever_brings_an_error_that_is_not_ours_or_half_a_write(value: Any) -> None:
    hf, chat = _talk()
    for name, method in _methods(hf, chat):
        for call in _calls(method, value):
            before = [hf.store.version(key) for key in chat.keys.values()]
            said = _refusal(call)
            if said is not None:
                assert "\n" not in said, name
                assert len(said) < 500, name
                assert [hf.store.version(key) for key in chat.keys.values()] == before, name
    hf.cool(chat.keys.values())
    for scope, key in chat.keys.items():
        if (stream := chat.state.stream(scope)) is not None:
            assert hf.pack.folder.encode(hf.pack.folder.replay(hf.entries(key))) == hf.pack.folder.encode(stream)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (
            lambda m: m.clear("forever"),
            r"clear\(\): lifespan: must be one of session, project, permanent; got 'forever'",
        ),
        (lambda m: m.add("tea", kind="rumour"), r"kind: must be one of fact, preference, decision, context"),
        (lambda m: m.add("tea", confidence="high"), r"confidence: expected float, got str; got 'high'"),
        (lambda m: m.add("tea", because="fact_1_1"), r"because must be a list, not str"),
        (lambda m: m.add("t\ud800"), r"value is not valid Unicode: lone surrogate at character 1"),
        (lambda m: m.facts(as_of=float("nan")), r"as_of must be a finite number"),
        (lambda m: m.search("tea", k="5"), r"k: expected int, got str"),
        (lambda m: m.learn([7]), r"sentences: expected str, got int"),
        (lambda m: m.edit("x" * 100_000, "tea"), r"there is no item 'xxx"),
    ],
)
def test_an_argument_of_the_wrong_kind_is_named(call: Callable[[SessionMemory], Any], says: str) -> None:
    _, chat = _talk()
    with pytest.raises(HoldfastError, match=says):
        call(chat.memory)


def test_an_event_that_could_not_be_read_again_is_not_written() -> None:
    hf, chat = _talk()
    with pytest.raises(InvalidInput, match="nothing was written"):
        chat.act(lambda draft: [Refusal(what=5, reason="a number is no text")])  # type: ignore[arg-type]
    hf.cool(chat.keys.values())
    assert hf.session("s").hear("still here").version > 3


@pytest.mark.parametrize("value", [-1, 0, True, 2.0, "3", None, 1 << 40])
def test_a_version_that_cannot_be_is_unknown(value: Any) -> None:
    _, chat = _talk()
    for call in (chat.entry, chat.at, lambda version: chat.history(before=version if version is not None else -1)):
        with pytest.raises(UnknownVersion, match="whole number from 1"):
            call(value)


@pytest.mark.parametrize("options", [{"hot": 0}, {"hot": "many"}, {"clock": 7}, {"pack": 7}, {"pack": {"general"}}])
def test_an_engine_is_not_opened_with_nonsense(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        Holdfast(**options)


def test_the_arguments_of_a_method_are_held_against_its_own_annotations() -> None:
    @accepting
    def act(many: list[int], one: Literal["a", "b"] | None = None, share: float = 0.5, **rest: Any) -> Any:
        return many, one, share, rest

    assert act([1], "a", 1, more="x") == ([1], "a", 1.0, {"more": "x"})
    for wrong in ({"many": ["x"]}, {"many": [1], "one": "c"}, {"many": [1], "share": "half"}, {"many": None}):
        with pytest.raises(InvalidInput, match=r"act\(\): "):
            act(**wrong)
    with pytest.raises(TypeError, match="missing"):
        act()  # type: ignore[call-arg]


def test_what_cannot_be_erased_is_named_and_what_is_not_there_is_nothing() -> None:
    hf, _ = _talk()
    assert hf.forget(session="never heard of") == 0
    for wrong in ("", "\ud800", 7):
        with pytest.raises(InvalidInput):
            hf.forget(user=wrong)  # type: ignore[arg-type]
    assert hf.store.version(Key("session", "s")) > 0
