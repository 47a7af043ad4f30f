"""The encoder and its heads, as they are trained: MiniLM-L6 over one message and the turns before it.

The lower layers read each turn by itself, so that what they made of an earlier turn can be kept. The upper layers read
the new message while it looks at what is kept of the turns before; only its own words are computed there. One pass
answers for every head. Descriptions of slots and texts of candidates go through alone, once, and are kept too.
"""

from __future__ import annotations

import lzma
import math
from pathlib import Path

import torch
from safetensors.torch import load
from torch import Tensor, nn
from torch.nn import functional

WIDTH = 384
HEADS = 12
LAYERS = 6
LOWER = 2
"""Layers that read a turn by itself; the rest reads the message with the turns before it in view."""
FEED = 1536
POSITIONS = 192
TURNS = 3
POINT = 128
"""Width of the vectors that are compared: tokens with descriptions, messages with candidates."""

ACTS = (
    "states instructs requests asks answers chooses rejects confirms denies postpones corrects retracts returns doubts "
    "supposes reports quotes unable greets thanks stops remarks"
).split()
AIMS = "answer continue change new side return hold close stop none".split()
KINDS = "none where when cost contact other_detail".split()
FLAGS = "keep tells value negated".split()
"""Of a clause: it tells something lasting of the person; it tells something at all that is taken as said; it holds a
value; one it holds is negated."""
ATTRIBUTES = (
    "none other name nickname pronouns age birthday home origin address email phone timezone language role "
    "employer team studies family pet diet allergy health medication likes favourite hobby habit hours vehicle "
    "payment privacy friend budget deadline reminder event project goal number tool style decision place area "
    "cuisine dish venue wish price party date time duration nights from to item size colour quantity kind "
    "topic title data length format library target complaint cause reading state code repair labor "
).split()
SPAN_HEADS = {"act": len(ACTS), "flags": len(FLAGS), "about": len(ATTRIBUTES), "attribute": len(ATTRIBUTES)}
"""Of a span of the message. A clause has an act, flags and what it is about; a value has its attribute."""
TOKEN_TAGS = "new old clause first value".split()
"""Of a token: part of a new value, of the value it replaces, first of a clause, first of a new value, of any value."""
DIALOGUE_ACTS = (
    "INFORM INFORM_INTENT REQUEST SELECT THANK_YOU AFFIRM NEGATE REQUEST_ALTS GOODBYE NEGATE_INTENT AFFIRM_INTENT"
).split()
DESK = "contentonly confirmation openinggreeting rejection thankyou outofdomain closinggreeting".split()
GENERIC = (
    "request_info booking change how_much deny affirm cancel_close_leave_freeze when dont_know why how thank greet "
    "end_call acknowledge how_long repeat"
).split()

MESSAGE_HEADS = {"changed": 1, "new_topic": 1, "repaired": 1, "request": len(KINDS), "aim": len(AIMS)}
HELPER_HEADS = {"acts": len(DIALOGUE_ACTS), "desk": len(DESK), "generic": len(GENERIC)}
"""Learned along because they teach the encoder what talk is made of; not shipped."""


class Layer(nn.Module):
    def __init__(self, feed: int = FEED) -> None:
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        self.out = nn.Linear(WIDTH, WIDTH)
        self.norm1 = nn.LayerNorm(WIDTH, eps=1e-12)
        self.up = nn.Linear(WIDTH, feed)
        self.down = nn.Linear(feed, WIDTH)
        self.norm2 = nn.LayerNorm(WIDTH, eps=1e-12)
        self.dropout = nn.Dropout(0.1)

    def forward(
        self, x: Tensor, mask: Tensor | None = None, memory: Tensor | None = None, kept: Tensor | None = None
    ) -> Tensor:
        """`memory` is looked at beside x itself; `mask` says which of both may be looked at. `kept` are keys and values
        that were made of the memory before."""
        if mask is None:  # the exported graph: one message, nothing padded
            attended = self._attended_alone(x, kept)
        else:
            q, k, v = (self._split(part) for part in self.qkv(x).chunk(3, -1))
            if memory is not None:
                kept = functional.linear(memory, self.qkv.weight[WIDTH:], self.qkv.bias[WIDTH:])
                k2, v2 = (self._split(part) for part in kept.chunk(2, -1))
                k, v = torch.cat((k, k2), 2), torch.cat((v, v2), 2)
            attended = functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
            attended = attended.transpose(1, 2).flatten(2)
        x = self.norm1(x + self.dropout(self.out(attended)))
        return self.norm2(x + self.dropout(self.down(functional.gelu(self.up(x)))))

    def _attended_alone(self, x: Tensor, kept: Tensor | None) -> Tensor:
        """The same for one message, in few and plain steps: a graph that works out no shape runs a third faster."""
        q, k, v = self.qkv(x).split(WIDTH, -1)
        if kept is not None:
            k2, v2 = kept.split(WIDTH, -1)
            k, v = torch.cat((k, k2), 1), torch.cat((v, v2), 1)
        q, k, v = (part.reshape(-1, HEADS, WIDTH // HEADS) for part in (q, k, v))
        scores = q.transpose(0, 1) @ (k * (WIDTH // HEADS) ** -0.5).permute(1, 2, 0)
        self.looked = torch.softmax(scores, -1)
        return (self.looked @ v.transpose(0, 1)).transpose(0, 1).reshape(1, -1, WIDTH)

    @staticmethod
    def _split(x: Tensor) -> Tensor:
        return x.unflatten(-1, (HEADS, WIDTH // HEADS)).transpose(1, 2)


class Lower(nn.Module):
    """What a turn says by itself. `who` is 0 for the person and 1 for the agent."""

    def __init__(self, vocabulary: int, layers: int, feed: int = FEED) -> None:
        super().__init__()
        self.words = nn.Embedding(vocabulary, WIDTH)
        self.places = nn.Embedding(POSITIONS, WIDTH)
        self.who = nn.Embedding(2, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.dropout = nn.Dropout(0.1)
        self.layers = nn.ModuleList(Layer(feed) for _ in range(layers))

    def forward(self, ids: Tensor, who: Tensor, mask: Tensor | None = None) -> Tensor:
        places = torch.arange(ids.shape[1], device=ids.device)
        x = self.dropout(self.norm(self.words(ids) + self.places(places) + self.who(who)[:, None]))
        for layer in self.layers:
            x = layer(x, mask)
        return x


class Upper(nn.Module):
    """The message in its context."""

    def __init__(self, layers: int, feed: int = FEED) -> None:
        super().__init__()
        self.distance = nn.Embedding(TURNS + 1, WIDTH)
        """How far back a turn is; the last row is looked at where there is no turn at all."""
        self.layers = nn.ModuleList(Layer(feed) for _ in range(layers))

    def forward(self, x: Tensor, memory: Tensor, mask: Tensor | None = None) -> Tensor:
        for layer in self.layers:
            x = layer(x, mask, memory)
        return x

    def remembered(self, turns: Tensor, distance: Tensor) -> Tensor:
        """Kept turns, with how far back each token's turn is, behind one vector that is always there."""
        nothing = self.distance.weight[TURNS].expand(turns.shape[0], 1, WIDTH)
        return torch.cat((nothing, turns + self.distance(distance)), 1)


class Meaning(nn.Module):
    """What a text read alone means as a whole: texts that are alike have vectors that point the same way."""

    def __init__(self, layers: int, feed: int = FEED) -> None:
        super().__init__()
        self.layers = nn.ModuleList(Layer(feed) for _ in range(layers))

    def forward(self, x: Tensor, mask: Tensor | None, ids: Tensor | None) -> Tensor:
        for layer in self.layers:
            x = layer(x, mask)
        return mean(x, ids) if ids is not None else x.mean(1)


class Heads(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.message = nn.Sequential(nn.Linear(2 * WIDTH, WIDTH), nn.GELU(), nn.Dropout(0.1))
        self.of_message = nn.Linear(WIDTH, sum(MESSAGE_HEADS.values()))
        self.helpers = nn.Linear(WIDTH, sum(HELPER_HEADS.values()))
        self.span = nn.Sequential(nn.Linear(2 * WIDTH, WIDTH), nn.GELU(), nn.Dropout(0.1))
        self.of_span = nn.Linear(WIDTH, sum(SPAN_HEADS.values()))
        self.of_token = nn.Linear(WIDTH, len(TOKEN_TAGS))
        self.points = nn.Linear(WIDTH, 3 * POINT)
        """Start, inside and end of a value, each to be compared with what a description asks for."""
        self.described = nn.Linear(WIDTH, 3 * POINT)
        self.aimed = nn.Linear(WIDTH, POINT)
        self.candidate = nn.Linear(WIDTH, POINT)
        self.bias = nn.Parameter(torch.tensor([-4.0, -4.0, -4.0, -1.0]))

    def forward(self, x: Tensor, mean: Tensor, spans: Tensor) -> dict[str, Tensor]:
        """`mean` is the mean over the message's tokens; `spans` [B, C, L] weighs the tokens of each clause or value."""
        whole = self.message(torch.cat((x[:, 0], mean), -1))
        parts = spans @ x
        parts = self.span(torch.cat((parts, x[:, :1].expand_as(parts)), -1))
        return {
            "message": self.of_message(whole),
            "helpers": self.helpers(whole),
            "spans": self.of_span(parts),
            "tokens": self.of_token(x),
            "points": self.points(x),
            "aimed": self.aimed(whole),
            **self.text(mean),
        }

    def text(self, mean: Tensor) -> dict[str, Tensor]:
        """What a text read alone is worth: as a description, as a candidate."""
        return {"described": self.described(mean), "candidate": self.candidate(mean)}

    def found(self, points: Tensor, described: Tensor) -> Tensor:
        """[B, L, K, 3]: how much each token starts, is inside, ends what each of K descriptions asks for."""
        tokens = points.unflatten(-1, (3, POINT))
        wanted = described.unflatten(-1, (3, POINT))
        return torch.einsum("blpd,bkpd->blkp", tokens, wanted) / math.sqrt(POINT) + self.bias[:3]

    def matches(self, aimed: Tensor, candidates: Tensor) -> Tensor:
        """[B, K]: how well a message goes with each of K candidates."""
        return torch.einsum("bd,bkd->bk", aimed, candidates) / math.sqrt(POINT) + self.bias[3]


class Reader(nn.Module):
    def __init__(self, vocabulary: int, lower: int = LOWER, layers: int = LAYERS, feed: int = FEED) -> None:
        super().__init__()
        self.lower = Lower(vocabulary, lower, feed)
        self.upper = Upper(layers - lower, feed)
        self.heads = Heads()

    def read(self, ids: Tensor, who: Tensor, turns: Tensor, speakers: Tensor, spans: Tensor) -> dict[str, Tensor]:
        """A padded batch: ids [B, L], turns [B, TURNS, T] newest first; 0 is padding."""
        size, _, width = turns.shape
        x = self.lower(ids, who, looked_at(ids))
        flat = turns.flatten(0, 1)
        # An empty turn would look at nothing at all: let it look at its first place, which nobody looks at later.
        seen = flat > 0
        seen[:, 0] = True
        kept = self.lower(flat, speakers.flatten(), seen[:, None, None]).view(size, TURNS * width, WIDTH)
        distance = torch.arange(TURNS, device=ids.device).repeat_interleave(width).expand(size, -1)
        memory = self.upper.remembered(kept, distance)
        there = torch.cat((ids > 0, torch.ones_like(ids[:, :1], dtype=torch.bool), turns.flatten(1) > 0), 1)
        x = self.upper(x, memory, there[:, None, None])
        return self.heads(x, mean(x, ids), spans)

    def alone(self, ids: Tensor) -> dict[str, Tensor]:
        """Texts read by themselves: descriptions and candidates."""
        x = self.lower(ids, torch.zeros_like(ids[:, 0]), looked_at(ids))
        memory = self.upper.remembered(x[:, :0], ids[:, :0])
        there = torch.cat((ids > 0, torch.ones_like(ids[:, :1], dtype=torch.bool)), 1)
        x = self.upper(x, memory, there[:, None, None])
        return self.heads.text(mean(x, ids))


def slimmed(reader: Reader, batches: list[Tensor], feed: int) -> Reader:
    """The same reader with only those inner units of each layer that do most on some texts: half of the units are two
    thirds of the time. `reader` reads each text with all its layers in a row."""
    slim = Reader(reader.lower.words.weight.shape[0], len(reader.lower.layers), LAYERS, feed)
    layers = [*reader.lower.layers, *reader.upper.layers]
    work = [torch.zeros(layer.up.out_features) for layer in layers]
    with torch.no_grad():
        for ids in batches:
            seen, mask = (ids > 0).unsqueeze(-1), looked_at(ids)
            x = reader.lower.norm(
                reader.lower.words(ids) + reader.lower.places.weight[: ids.shape[1]] + reader.lower.who.weight[0]
            )
            for place, layer in enumerate(layers):
                inner: list[Tensor] = []
                hook = layer.down.register_forward_pre_hook(lambda _, given, inner=inner: inner.append(given[0]))
                x = layer(x, mask)
                hook.remove()
                work[place] += (inner[0].abs() * seen).sum((0, 1)) * layer.down.weight.norm(dim=0)
    state = reader.state_dict()
    names = [f"lower.layers.{i}" for i in range(len(reader.lower.layers))]
    names += [f"upper.layers.{i}" for i in range(len(reader.upper.layers))]
    for name, done in zip(names, work, strict=True):
        best = done.topk(feed).indices.sort().values
        state[f"{name}.up.weight"] = state[f"{name}.up.weight"][best]
        state[f"{name}.up.bias"] = state[f"{name}.up.bias"][best]
        state[f"{name}.down.weight"] = state[f"{name}.down.weight"][:, best]
    slim.load_state_dict(state)
    return slim


def looked_at(ids: Tensor) -> Tensor:
    return (ids > 0)[:, None, None]


def mean(x: Tensor, ids: Tensor) -> Tensor:
    there = (ids > 0).unsqueeze(-1).to(x.dtype)
    return (x * there).sum(1) / there.sum(1)


def from_minilm(given: dict[str, Tensor], lower: int = LOWER, layers: int = LAYERS) -> Reader:
    """A reader that starts from MiniLM; its word vectors are those of the vocabulary that was kept.

    With fewer than six layers the last ones are left out.
    """
    reader = Reader(given["embeddings.word_embeddings.weight"].shape[0], lower, layers)
    place = {i: f"lower.layers.{i}" if i < lower else f"upper.layers.{i - lower}" for i in range(layers)}
    state = {
        "lower.words.weight": given["embeddings.word_embeddings.weight"],
        "lower.places.weight": given["embeddings.position_embeddings.weight"][:POSITIONS],
        # MiniLM knows one kind of speaker; ours start as the same and grow apart in training.
        "lower.who.weight": given["embeddings.token_type_embeddings.weight"][:1].repeat(2, 1),
        "upper.distance.weight": torch.zeros(TURNS + 1, WIDTH),
    }
    names = {"lower.norm": "embeddings.LayerNorm"}
    for i, here in place.items():
        there = f"encoder.layer.{i}"
        for part in ("weight", "bias"):
            parts = [given[f"{there}.attention.self.{name}.{part}"] for name in ("query", "key", "value")]
            state[f"{here}.qkv.{part}"] = torch.cat(parts)
        names |= {
            f"{here}.out": f"{there}.attention.output.dense",
            f"{here}.norm1": f"{there}.attention.output.LayerNorm",
            f"{here}.up": f"{there}.intermediate.dense",
            f"{here}.down": f"{there}.output.dense",
            f"{here}.norm2": f"{there}.output.LayerNorm",
        }
    for ours, theirs in names.items():
        for part in ("weight", "bias"):
            state[f"{ours}.{part}"] = given[f"{theirs}.{part}"]
    missing, unexpected = reader.load_state_dict(state, strict=False)
    wrong = [name for name in missing if not name.startswith("heads.")]
    if wrong or unexpected:
        raise ValueError(
            f"The weights do not fit the model: {wrong or unexpected}. Take model.safetensors of MiniLM-L6."
        )
    return reader


LARGE = 10_000
"""Numbers of a matrix from which it travels as bytes with one scale a row."""


def packed(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """Weights as they travel: matrices as bytes, the rest in half precision."""
    out = {name: value.half().contiguous() for name, value in weights.items() if value.is_floating_point()}
    for name, value in weights.items():
        if value.dim() == 2 and value.numel() >= LARGE and value.is_floating_point():
            scale = value.float().abs().amax(1).clamp(min=1e-9) / 127
            out[name] = (value.float() / scale[:, None]).round().to(torch.int8)
            out[f"{name}.scale"] = scale
    return out


def carried(path: Path) -> dict[str, Tensor]:
    """Weights that travelled, in full again."""
    given = load(lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes())
    scales = {name.removesuffix(".scale"): given.pop(name).float() for name in list(given) if name.endswith(".scale")}
    full = {name: value.float() for name, value in given.items()}
    return full | {name: full[name] * scale[:, None] for name, scale in scales.items()}
