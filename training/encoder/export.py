"""Makes the run-time model out of trained weights: three graphs in bytes, the tokenizer, and a description of both.

    python -m training.encoder.export WEIGHTS --tokenizer FILE --version 1.0.0 --out FOLDER [--float FOLDER]
    python -m training.encoder.export --meaning WEIGHTS --version 1.0.0 --out FOLDER

With --float, the same graphs in full precision are written there, to compare with. With --meaning, the graph of what a
text means (meaning.py) is put beside those of a package that stay as they are.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor, nn

from training.encoder import batches, model

PARTS = ("lower", "kept", "upper")
MEANING = "meaning.onnx"


class Alone(nn.Module):
    """The lower layers over one text."""

    def __init__(self, reader: model.Reader) -> None:
        super().__init__()
        self.lower = reader.lower

    def forward(self, ids: Tensor, who: Tensor) -> Tensor:
        return self.lower(ids, who)


class Meant(nn.Module):
    """What one text means, from what the lower layers made of it."""

    def __init__(self, meaning: model.Meaning) -> None:
        super().__init__()
        self.meaning = meaning

    def forward(self, x: Tensor) -> Tensor:
        return self.meaning(x, None, None)


class Remembered(nn.Module):
    """What is kept of an earlier turn: the keys and values that each upper layer will look at."""

    def __init__(self, reader: model.Reader) -> None:
        super().__init__()
        self.kept = nn.ModuleList(half_of(layer) for layer in reader.upper.layers)

    def forward(self, x: Tensor) -> Tensor:
        return torch.stack([kept(x) for kept in self.kept], 1)


def half_of(layer: model.Layer) -> nn.Linear:
    kept = nn.Linear(model.WIDTH, 2 * model.WIDTH)
    kept.weight.data = layer.qkv.weight.data[model.WIDTH :].clone()
    kept.bias.data = layer.qkv.bias.data[model.WIDTH :].clone()
    return kept


class InContext(nn.Module):
    """The upper layers and all heads over one message; of the turns before it come the keys and values that are kept.

    How far back a turn is was added to its states before they became keys and values. Both are linear, so here it is
    added after, from a table.
    """

    OUTPUTS = ("message", "judged", "tokens", "points", "aimed", "described", "candidate", "attention")

    def __init__(self, reader: model.Reader) -> None:
        super().__init__()
        self.layers, self.heads = reader.upper.layers, reader.heads
        far = reader.upper.distance.weight.data
        tables = [far @ half_of(layer).weight.data.T for layer in reader.upper.layers]
        self.register_buffer("table", torch.stack(tables))
        nothing = [table[-1] + half_of(layer).bias.data for table, layer in zip(tables, self.layers, strict=True)]
        self.register_buffer("nothing", torch.stack(nothing)[None, :, None])

    def forward(self, x: Tensor, turns: Tensor, distance: Tensor, spans: Tensor) -> tuple[Tensor, ...]:
        length = x.shape[1]
        kept = torch.cat((self.nothing, turns + self.table[:, distance[0]][None]), 2)
        for place, layer in enumerate(self.layers):
            x = layer(x, kept=kept[:, place])
        told = self.heads(x, x.mean(1), spans)
        told["judged"] = told.pop("spans")
        told["attention"] = self.layers[-1].looked[:, 0, :length].mean(0, keepdim=True)
        return tuple(told[name] for name in self.OUTPUTS)


def loaded(path: Path) -> model.Reader:
    """A trained reader, of whatever depth and width its weights are."""
    state = model.carried(path)
    lower, upper = (
        len({n.split(".")[2] for n in state if n.startswith(f"{part}.layers.")}) for part in ("lower", "upper")
    )
    feed = len(state["lower.layers.0.up.bias"])
    reader = model.Reader(len(state["lower.words.weight"]), lower, lower + upper, feed)
    reader.load_state_dict(state)
    return reader.eval()


def graphs(reader: model.Reader, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    ids, who = torch.randint(5, 999, (1, 12)), torch.zeros(1, dtype=torch.long)
    x = torch.randn(1, 12, model.WIDTH)
    turns = torch.randn(1, len(reader.upper.layers), 9, 2 * model.WIDTH)
    distance, spans = torch.zeros(1, 9, dtype=torch.long), torch.rand(1, 2, 12)
    free = {
        "ids": {1: "n"},
        "x": {1: "n"},
        "turns": {2: "m"},
        "kept": {2: "n"},
        "distance": {1: "m"},
        "spans": {1: "c", 2: "n"},
        "judged": {1: "c"},
    }
    free |= {"tokens": {1: "n"}, "points": {1: "n"}, "attention": {1: "n"}}
    for part, module, given, outputs in (
        ("lower", Alone(reader), {"ids": ids, "who": who}, ["x"]),
        ("kept", Remembered(reader), {"x": x}, ["kept"]),
        ("upper", InContext(reader), {"x": x, "turns": turns, "distance": distance, "spans": spans}, InContext.OUTPUTS),
    ):
        names = [*given, *outputs]
        torch.onnx.export(
            module.eval(),
            tuple(given.values()),
            str(folder / f"{part}.onnx"),
            input_names=list(given),
            output_names=list(outputs),
            dynamic_axes={name: free[name] for name in names if name in free},
            opset_version=17,
            dynamo=False,
        )


def add_meaning(weights: Path, version: str, folder: Path) -> None:
    """Put the graph of what a text means into a package, and name it in the description."""
    state = {name.removeprefix("meaning."): value for name, value in model.carried(weights).items()}
    layers = len({name.split(".")[1] for name in state})
    meaning = model.Meaning(layers, len(state["layers.0.up.bias"]))
    meaning.load_state_dict(state)
    with tempfile.TemporaryDirectory() as made:
        whole, target = Path(made) / MEANING, folder / MEANING
        free = {"x": {1: "n"}}
        torch.onnx.export(
            Meant(meaning).eval(),
            (torch.randn(1, 12, model.WIDTH),),
            str(whole),
            input_names=["x"],
            output_names=["vector"],
            dynamic_axes=free,
            opset_version=17,
            dynamo=False,
        )
        quantize_dynamic(whole, target, per_channel=True, weight_type=QuantType.QInt8)
    told = json.loads((folder / "reader.json").read_text("utf-8"))
    told["version"] = version
    told["files"][MEANING] = hashlib.sha256(target.read_bytes()).hexdigest()
    (folder / "reader.json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def description(
    folder: Path, version: str, bias: Tensor, thresholds: dict[str, float], upper_layers: int
) -> dict[str, Any]:
    files = ["tokenizer.json", *(f"{part}.onnx" for part in PARTS)]
    return {
        "format": 1,
        "version": version,
        "language": "en",
        "clauses": ["en", "es", "ru"],
        "files": {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in files},
        "message_tokens": batches.MESSAGE_TOKENS,
        "turn_tokens": batches.TURN_TOKENS - 2,
        "turn_start": batches.TURN_START,
        "text_tokens": batches.TEXT_TOKENS - 2,
        "turns": model.TURNS,
        "upper_layers": upper_layers,
        "around": [batches.CLS, batches.SEP],
        "point": model.POINT,
        "bias": [round(float(value), 5) for value in bias],
        "message_heads": model.MESSAGE_HEADS,
        "span_heads": model.SPAN_HEADS,
        "acts": model.ACTS,
        "aims": model.AIMS,
        "kinds": model.KINDS,
        "flags": model.FLAGS,
        "attributes": model.ATTRIBUTES,
        "tags": model.TOKEN_TAGS,
        "thresholds": thresholds,
    }


def write(folder: Path, tokenizer: Path, version: str, reader: model.Reader, thresholds: dict[str, float]) -> None:
    if tokenizer.resolve() != (folder / "tokenizer.json").resolve():
        shutil.copyfile(tokenizer, folder / "tokenizer.json")
    told = description(folder, version, reader.heads.bias.detach(), thresholds, len(reader.upper.layers))
    (folder / "reader.json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("weights", type=Path, nargs="?")
    options.add_argument("--meaning", type=Path)
    options.add_argument("--tokenizer", type=Path)
    options.add_argument("--version", required=True)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--float", type=Path)
    options.add_argument("--changed", type=float, default=0.4)
    options.add_argument("--new-topic", type=float, default=0.5)
    options.add_argument("--new", type=float, default=0.35)
    given = options.parse_args()
    if given.meaning:
        add_meaning(given.meaning, given.version, given.out)
        return
    if given.weights is None or given.tokenizer is None:
        options.error("give the weights and --tokenizer, or --meaning")
    reader = loaded(given.weights)
    thresholds = {"changed": given.changed, "new_topic": given.new_topic, "new": given.new}
    with tempfile.TemporaryDirectory() as made:
        whole = given.float or Path(made)
        graphs(reader, whole)
        given.out.mkdir(parents=True, exist_ok=True)
        for part in PARTS:
            source, target = whole / f"{part}.onnx", given.out / f"{part}.onnx"
            quantize_dynamic(source, target, per_channel=True, weight_type=QuantType.QInt8)
        write(given.out, given.tokenizer, given.version, reader, thresholds)
        if given.float:
            write(given.float, given.tokenizer, given.version, reader, thresholds)
    size = sum(path.stat().st_size for path in given.out.iterdir() if path.is_file())
    print(f"{size / 1e6:.1f} MB in {given.out.name}")


if __name__ == "__main__":
    main()
