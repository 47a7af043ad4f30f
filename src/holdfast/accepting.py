"""What callers may hand in: a wrong type, text that cannot be written, a number out of bounds is refused here, by an
error that names the argument, before anything is decided or written.

`@accepting` holds the arguments of a method against its own annotations, so that a signature is a promise and not a
hint. `hear` and `say` do without: their text has its own check, and they are called for every message.
"""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from functools import cache, wraps
from math import isfinite
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from holdfast.errors import InvalidInput, UnknownVersion

if TYPE_CHECKING:
    from inspect import Signature

P = ParamSpec("P")
R = TypeVar("R")

_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 100

NEWEST = (1 << 32) - 1
"""The highest version that a log can reach."""


def accepting(method: Callable[P, R]) -> Callable[P, R]:
    """The method, with its arguments held against their annotations at every call."""
    form = cache(lambda: _form(method))  # at the first call: it takes time, and annotations may name what comes later

    @wraps(method)
    def checked(*given: P.args, **named: P.kwargs) -> R:
        signature, kinds = form()
        bound = signature.bind(*given, **named)
        for name, value in bound.arguments.items():
            if name in kinds:
                bound.arguments[name] = _fits(f"{method.__name__}(): {name}", value, kinds[name])
        return method(*bound.args, **bound.kwargs)

    return checked


def shown(value: object) -> str:
    """A value for an error message: short, on one line, however long or deep it is."""
    return _SHORT.repr(value)


def nearest(word: str, known: Iterable[str]) -> str:
    """The known name that a misspelt one was probably meant to be, or nothing."""
    found = get_close_matches(word, sorted(known), n=1, cutoff=0.84)
    return found[0] if found else ""


def called(of: str, /, *given: str, **named: object) -> str:
    """How an object shows itself: `Session('s-1', user='u-1')`, without what is empty or the usual case."""
    told = [f"{name}={shown(value)}" for name, value in named.items() if value not in (None, "", False, (), [])]
    return f"{of}({', '.join([*given, *told])})"


def accept_name(what: str, name: object) -> str:
    """The name of a session, a user, a project or an agent."""
    if not isinstance(name, str):
        raise InvalidInput(f"the {what} must be text (str), not {type(name).__name__}")
    if not 0 < len(name) <= 200 or not name.isprintable() or not name.strip():
        raise InvalidInput(f"the {what} must have 1 to 200 printable characters; got {name[:40]!r}")
    return name


def accept_limit(limit: object) -> int:
    if isinstance(limit, bool) or not isinstance(limit, int) or not 0 < limit <= 10_000:
        raise InvalidInput(f"a limit must be a whole number from 1 to 10,000, not {shown(limit)}")
    return limit


def accept_version(version: object) -> int:
    if isinstance(version, bool) or not isinstance(version, int) or not 0 < version <= NEWEST:
        raise UnknownVersion(f"a version is a whole number from 1 to {NEWEST:,}, not {shown(version)}")
    return version


def accept_writable(what: str, text: str) -> str:
    """Text without lone surrogates, which no file and no database takes."""
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as wrong:
            raise InvalidInput(
                f"{what} is not valid Unicode: lone surrogate at character {wrong.start}; "
                "decode the bytes with errors='replace' first"
            ) from None
    return text


def from_json(data: bytes | str, kind: Any = Any) -> Any:
    """JSON that came from outside; a msgspec.DecodeError where it is none, or is nested deeper than anybody writes."""
    try:
        return msgspec.json.decode(data, type=kind)
    except RecursionError:
        raise msgspec.DecodeError("JSON is nested too deep") from None


def _form(method: Callable[..., Any]) -> tuple[Signature, dict[str, Any]]:
    """How a method is called, and of which kind each argument is."""
    from inspect import Parameter, signature  # costs as much to import as three of our files

    form = signature(method)
    single = {
        p.name for p in form.parameters.values() if p.kind not in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    }
    named = {name: kind for name, kind in method.__annotations__.items() if name in single}
    kinds = get_type_hints(SimpleNamespace(__annotations__=named), globalns=method.__globals__)
    return form, {name: kind for name, kind in kinds.items() if kind is not Any}


def _fits(what: str, value: Any, kind: Any) -> Any:
    """The value as one of that kind: 1 as the number 1.0, whatever can be gone through as a list."""
    origin = get_origin(kind)
    if origin is Callable:
        if not callable(value):
            raise InvalidInput(f"{what} must be a function, not {type(value).__name__}")
        return value
    if isinstance(value, str):
        accept_writable(what, value)
    if isinstance(value, float) and not isfinite(value):
        raise InvalidInput(f"{what} must be a finite number, not {value}")
    if origin in (Iterable, Sequence):
        if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
            raise InvalidInput(f"{what} must be a list, not {type(value).__name__}")
        value, kind = list(value), list[get_args(kind)]  # type: ignore[misc]
    try:
        return msgspec.convert(value, kind)
    except (msgspec.ValidationError, UnicodeError, RecursionError) as wrong:
        raise InvalidInput(f"{what}: {_expected(kind, wrong)[:200]}; got {shown(value)}") from None


def _expected(kind: Any, wrong: Exception) -> str:
    """What a value should have been: one of a few words, or what the check says."""
    choices = [*get_args(kind), *(choice for part in get_args(kind) for choice in get_args(part))]
    named = ", ".join(choice for choice in choices if isinstance(choice, str))
    return f"must be one of {named}" if named else f"{wrong}".replace("`", "").lower()
