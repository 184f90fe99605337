"""An exported folder as one to train, serve and export again: its weights of 8 bits as floats.

python imported.py packages/small --out models/shipped
"""

import argparse
import json
import math
from collections import defaultdict
from pathlib import Path

import numpy as np
import torch

from export import VERSION, hashed
from model import KINDS, Config, Model

# By the numbers that ONNX gives to types of numbers.
TYPES = {1: "<f4", 2: "u1", 3: "i1"}
# The call of each layer that has no name in the file, by the pointer that makes it.
PARTS = {"parts.1": ("element", "first", "last"), "parts.2": ("first", "last"), "parts.3": ("last",)}


def read_number(data: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift, at = shift + 7, at + 1
        if data[at - 1] < 128:
            return value, at


def read_message(data: memoryview) -> dict[int, list]:
    """Fields by number, each a number or bytes. Machines that train have PyTorch, and seldom the package of ONNX."""
    fields, at = defaultdict(list), 0
    while at < len(data):
        tag, at = read_number(data, at)
        if tag & 7 == 0:
            value, at = read_number(data, at)
        else:
            size, at = read_number(data, at) if tag & 7 == 2 else ({1: 8, 5: 4}[tag & 7], at)
            value, at = data[at : at + size], at + size
        fields[tag >> 3].append(value)
    return fields


def read_tensor(data: memoryview) -> tuple[str, np.ndarray]:
    fields = read_message(data)
    (kind,), name = fields[2], text(fields[8])
    if kind not in TYPES:
        return name, np.zeros(0)
    if fields[5]:
        numbers, at = [], 0
        while at < len(fields[5][0]):
            number, at = read_number(fields[5][0], at)
            numbers.append(number)
        values = np.array(numbers, np.uint64).astype(np.int64)
    else:
        values = np.frombuffer((fields[9] or fields[4])[0], TYPES[kind])
    return name, values.reshape(fields[1])


def text(values: list[memoryview]) -> str:
    return bytes(values[0]).decode() if values else ""


class Graph:
    """Tensors by name, and what layer each node is."""

    def __init__(self, path: Path):
        (graph,) = read_message(memoryview(path.read_bytes()))[7]
        fields = read_message(graph)
        self.tensors = dict(map(read_tensor, fields[5]))
        self.nodes = {}
        for node in map(read_message, fields[1]):
            kind, inputs = text(node[4]), [text([name]) for name in node[1]]
            if kind == "Constant":
                (attribute,) = node[5]
                self.tensors[text(node[2])] = read_tensor(read_message(attribute)[5][0])[1]
            self.nodes[text(node[2])] = (kind, text(node[3]), inputs)

    def of_kind(self, kind: str) -> list[tuple[str, list[str]]]:
        return [(name, inputs) for own, name, inputs in self.nodes.values() if own == kind]

    def rates(self) -> np.ndarray:
        """How fast the positions rotate, for each pair of a head."""
        ((_, (angles,)),) = self.of_kind("Cos")
        return self.tensors[self.nodes[angles][2][1]].reshape(-1)

    def weights(self) -> dict[str, np.ndarray]:
        names = {inputs[1]: layer_of(name) for name, inputs in self.of_kind("MatMulInteger")}
        weights = {}
        for name, values in self.tensors.items():
            if name.endswith("_quantized"):
                plain = name.removesuffix("_quantized")
                zero, scale = (self.tensors[f"{plain}_{part}"] for part in ("zero_point", "scale"))
                values = (values.astype(np.float32) - zero) * scale
                values = values if "embed." in plain or "match." in plain else values.T
                plain = f"{names[name]}.weight" if plain.startswith("onnx::") else plain
                weights[plain.removeprefix("model.")] = values
            elif name.endswith((".weight", ".bias")):
                weights[name.removeprefix("model.")] = values
        return {name: values.astype(np.float32) for name, values in weights.items()}


def layer_of(node: str) -> str:
    """/up_3/MatMul_quant is the fourth call of a layer of this name."""
    name, _, call = node.split("/")[1].partition("_")
    if name in PARTS:
        return f"{PARTS[name][int(call or 0)]}.{name}"
    return name if name == "kind" else f"blocks.{call or 0}.{name}"


def joined(weights: dict[str, np.ndarray]) -> dict[str, torch.Tensor]:
    """Pointers as they are trained: their terms side by side, their keys not yet divided (see `Terms`)."""
    weights, width = dict(weights), weights["norm.weight"].size
    for pointer in PARTS["parts.1"]:
        for name in ("key.weight", "key.bias"):
            weights[f"{pointer}.{name}"] = weights[f"{pointer}.{name}"] * math.sqrt(width)
        parts = [name for name in sorted(weights) if name.startswith(f"{pointer}.parts.") and name.endswith("weight")]
        weights[f"{pointer}.query.weight"] = np.concatenate([weights.pop(part) for part in parts], 1)
        weights[f"{pointer}.query.bias"] = weights.pop(f"{pointer}.parts.0.bias")
    return {name: torch.tensor(values, dtype=torch.float32) for name, values in weights.items()}


def load(folder: Path) -> tuple[Model, tuple[int, int]]:
    facts = json.loads((folder / "model.json").read_text())
    if (facts["version"], facts["kinds"]) != (VERSION, list(KINDS)):
        raise ValueError(f"{folder} has version {facts['version']}, not {VERSION}: export the model again.")
    for name, sha256 in facts["sha256"].items():
        if hashed(folder / name) != sha256:
            raise ValueError(f"{folder / name} is not the file that model.json is about: take all from one export.")
    graph = Graph(folder / "model.onnx")
    rates, weights = graph.rates(), joined(graph.weights())
    head_width, (vocab, width) = 2 * len(rates), weights["embed.weight"].shape
    config = Config(
        vocab,
        width,
        facts["layers"],
        width // head_width,
        len(weights["blocks.0.k.weight"]) // head_width,
        len(weights["blocks.0.gate.weight"]),
        theta=float(round(rates[-1] ** (len(rates) / (1 - len(rates))))),
        answers="pointer",
        reads="forward" if graph.of_kind("Greater") else "both",
        matches=facts["marks"]["kinds"],
    )
    model, first = Model(config), facts["references"]["first"]
    model.load_state_dict(weights)
    return model.eval(), (first, first + facts["references"]["count"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("exported", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    model, references = load(options.exported)
    options.out.mkdir(parents=True, exist_ok=True)
    config, weights = model.config.to_dict(), {name: value.half() for name, value in model.state_dict().items()}
    torch.save({"config": config, "weights": weights, "references": references}, options.out / "model.pt")
    (options.out / "tokenizer.json").write_text((options.exported / "tokenizer.json").read_text())
    print(json.dumps(config | {"references": references}))


if __name__ == "__main__":
    main()
