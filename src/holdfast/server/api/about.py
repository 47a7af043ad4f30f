"""What this server is and what one can choose here: packs, languages, the model."""

from __future__ import annotations

import holdfast
from holdfast.accepting import shown
from holdfast.errors import PackError, UnknownItem
from holdfast.models import endpoints as models
from holdfast.pack import Pack
from holdfast.server import shapes
from holdfast.server.answering import chosen, may_choose
from holdfast.server.endpoint import Ask, route
from holdfast.telling import Words, languages, words


@route("GET", "/api/about")
def about(ask: Ask) -> shapes.About:
    """This server: its version, its languages, the model that answers, and what the caller may do."""
    names = {
        code: str(pack.spoken.get(code, {}).get("name", code))
        for pack in _packs(ask).values()
        for code in pack.languages
    }
    model = ask.settings.upstream
    return shapes.About(
        version=holdfast.__version__,
        pack=ask.house.pack,
        languages=[shapes.LanguageOut(code=code, name=name) for code, name in names.items()],
        model=shapes.ModelOut(address=model.base_url, name=model.model) if model is not None else None,
        choice=may_choose(ask.settings),
        opens=_opens(ask),
        store=type(ask.house.store).__name__.removesuffix("Store").lower(),
        tenant=ask.caller.tenant,
        scopes=sorted(ask.caller.scopes),
    )


@route("GET", "/api/packs")
def list_packs(ask: Ask) -> shapes.Packs:
    """The packs that a session can run with."""
    opens = _opens(ask)
    found = sorted(_packs(ask).items(), key=lambda named: named[0] != opens)  # the one that the page opens with first
    return shapes.Packs(packs=[_pack(ask, name, pack) for name, pack in found])


@route("POST", "/api/models", scope="write", pace="slow")
def find_model(
    ask: Ask, *, where: shapes.Where, name: shapes.ModelName | None = None, key: shapes.ModelKey = ""
) -> shapes.ModelFound:
    """Whether a model can be reached, before anything is said to it, and which ones there are at its address."""
    at = chosen(ask.settings, shapes.ModelIn(where=where, name=name, key=key))
    if at is None:
        return shapes.ModelFound(address="", name=None, names=[])
    return shapes.ModelFound(address=at.base_url, name=at.model or at.usual, names=models.Model(at).names())


@route("GET", "/api/words/{language}")
def show_words(ask: Ask, language: str) -> Words:
    """How that language tells what a turn did: verbs, names, and the templates that lines of receipts (`said`) name."""
    if language not in languages():
        raise UnknownItem(f"receipts are not told in {shown(language)}; there are: {', '.join(languages())}")
    return words(language)


def _opens(ask: Ask) -> str:
    return ask.settings.opens if ask.settings.opens in ask.house.packs() else ask.house.pack


def _packs(ask: Ask) -> dict[str, Pack]:
    found = {}
    for name in ask.house.packs():
        try:
            found[name] = ask.house.engine(name).pack
        except PackError:  # a stranger's pack that does not load must not hide the others
            continue
    return found


def _pack(ask: Ask, name: str, pack: Pack) -> shapes.PackOut:
    return shapes.PackOut.of(
        pack,
        name=name,
        faculties=tuple(faculty.name for faculty in pack.faculties),
        answers=pack.agent is not None or ask.settings.upstream is not None,
        default=name == ask.house.pack,
        requires=tuple(name for name in pack.requires if name != "id"),
        files=pack.has("files"),
        memory=pack.has("memory"),
        tasks=pack.has("task"),
    )
