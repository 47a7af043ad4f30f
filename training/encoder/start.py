"""Weights to go on from, out of the graphs of a published package: float weights are kept nowhere.

    python -m training.encoder.start PACKAGE --out start.safetensors

The bytes are taken as they are, so the rounding of the package is in them; training soon forgets it.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from safetensors.torch import save_file
from torch import Tensor

from training.encoder.model import WIDTH, packed


def weights_of(path: Path, inside: str) -> dict[str, np.ndarray]:
    """The parameters of a graph by the names that they have in the model; `inside` stands before those of layers."""
    graph = onnx.load(str(path)).graph
    given = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    found = {name: value for name, value in given.items() if "_" not in name.rpartition(".")[2] and "::" not in name}
    for node in graph.node:
        table = node.op_type == "Gather"
        matrix = node.input[0 if table else 1].removesuffix("_quantized") if len(node.input) > 1 else ""
        if f"{matrix}_scale" in given and node.op_type in ("MatMulInteger", "Gather"):
            steps = given[f"{matrix}_quantized"].astype(np.float32) - given[f"{matrix}_zero_point"].astype(np.float32)
            full = steps * given[f"{matrix}_scale"]
            found |= {matrix: full} if table else {f"{named(node.output[0])}.weight": full.T}
    return {f"{inside}{name}" if name.startswith("layers.") else name: value for name, value in found.items()}


def named(output: str) -> str:
    """The module that made an output: "/heads/span/span.0/MatMul_output" is heads.span.0."""
    made = output.strip("/").split("_MatMul" if "/" not in output else "/MatMul")[0].split("/Gemm")[0]
    if "/" not in made:
        return f"heads.{'of_message' if made == 'message' else made}"
    *rooms, last = made.split("/")
    return ".".join([*rooms[:-1], last] if last.partition(".")[0] == rooms[-1] else [*rooms, last])


def distances(table: np.ndarray, state: dict[str, np.ndarray]) -> np.ndarray:
    """How far back a turn is, from what each layer makes of it."""
    layers = [state[f"upper.layers.{place}.qkv.weight"][WIDTH:].T for place in range(len(table))]
    return np.linalg.lstsq(np.concatenate(layers, 1).T, np.concatenate(list(table), 1).T, rcond=None)[0].T


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("package", type=Path)
    options.add_argument("--out", type=Path, required=True)
    given = options.parse_args()
    state = weights_of(given.package / "lower.onnx", "lower.") | weights_of(given.package / "upper.onnx", "upper.")
    state["upper.distance.weight"] = distances(state.pop("table"), state)
    made: dict[str, Tensor] = {
        name: torch.tensor(np.ascontiguousarray(v)) for name, v in state.items() if name != "nothing"
    }
    made["heads.bias"] = torch.tensor(json.loads((given.package / "reader.json").read_text("utf-8"))["bias"])
    save_file(packed(made), given.out)
    print(f"{len(made)} parameters")


if __name__ == "__main__":
    main()
