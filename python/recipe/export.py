"""Writes a pointer model as one ONNX file in 8 bits, with its tokenizer and what a runtime must know of both.

python export.py models/small --out small
"""

import argparse
import hashlib
import json
import math
import tempfile
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn

from matches import Matcher
from model import KINDS, Block, Config, Model, Norm, Pointer
from steps import REFERENCES, SPECIAL
from rows import LONGEST

VERSION = 2
INPUTS = {"ids": "tokens", "marks": "tokens", "references": "references"}
OUTPUTS = {
    "kind": (),
    "element": ("kinds", "tokens"),
    "first": ("kinds", "tokens"),
    "first_by_element": ("references", "tokens"),
    "last": ("kinds", "tokens"),
    "last_by_element": ("references", "tokens"),
    "last_by_first": ("tokens", "tokens"),
}


class OnePass(nn.Module):
    """One prompt in, the scores of every step out.

    The query of a pointer is a sum over what was chosen before, so its scores are one too: a runtime adds the terms of
    the kind, the element and the first token, and needs no second pass whatever it chooses.
    """

    def __init__(self, model: Model):
        super().__init__()
        self.model = model
        self.element, self.first, self.last = (Terms(part) for part in (model.element, model.first, model.last))

    def forward(self, ids: Tensor, marks: Tensor, references: Tensor) -> tuple[Tensor, ...]:
        return self.scores(self.hidden(ids, marks), references)

    def scores(self, hidden: Tensor, references: Tensor) -> tuple[Tensor, ...]:
        model = self.model
        given = (hidden[-1:], model.kind_embed.weight)
        elements = hidden[references]
        first_keys, last_keys = self.first.key(hidden).T, self.last.key(hidden).T
        return (
            model.kind(hidden[-1]),
            self.element.query(*given) @ self.element.key(hidden).T,
            self.first.query(*given) @ first_keys,
            self.first.parts[2](elements) @ first_keys,
            self.last.query(*given) @ last_keys,
            self.last.parts[2](elements) @ last_keys,
            self.last.parts[3](hidden) @ last_keys,
        )

    def hidden(self, ids: Tensor, marks: Tensor) -> Tensor:
        model, positions = self.model, torch.ones_like(ids).cumsum(0) - 1
        cos, sin = model.angles(positions)
        x = model.embed_in(ids, marks)
        later = (positions[None] > positions[:, None]).float() * -1e9
        for block in model.blocks:
            x = block.finish(x, attended(block, x, cos, sin, later if model.config.reads == "forward" else None))
        return model.norm(x)


class Terms(nn.Module):
    """The layers of a pointer, cut by condition: the act token, the kind, the element, the first token."""

    def __init__(self, pointer: Pointer):
        super().__init__()
        width = pointer.key.out_features
        self.key, self.parts = nn.Linear(width, width), nn.ModuleList()
        self.key.load_state_dict({name: value / math.sqrt(width) for name, value in pointer.key.state_dict().items()})
        for at, weight in enumerate(pointer.query.weight.split(width, 1)):
            part = nn.Linear(width, width, bias=at == 0)
            part.load_state_dict({"weight": weight} | ({"bias": pointer.query.bias} if at == 0 else {}))
            self.parts.append(part)

    def query(self, act: Tensor, kinds: Tensor) -> Tensor:
        return self.parts[0](act) + self.parts[1](kinds)


def attended(block: Block, x: Tensor, cos: Tensor, sin: Tensor, mask: Tensor | None) -> Tensor:
    q, k, v = (part.transpose(0, 1) for part in block.qkv(x, cos, sin))
    times = block.config.heads // block.config.kv_heads
    k, v = (part.repeat_interleave(times, 0) if times > 1 else part for part in (k, v))
    scores = q @ k.transpose(1, 2) / math.sqrt(block.config.head_width)
    return ((scores if mask is None else scores + mask).softmax(-1) @ v).transpose(0, 1)


def load(folder: Path) -> tuple[Model, tuple[int, int]]:
    saved = torch.load(folder / "model.pt", map_location="cpu", weights_only=True)
    model = Model(Config(**saved["config"])).float().eval()
    model.load_state_dict({name: value.float() for name, value in saved["weights"].items()})
    return model, tuple(saved["references"])


def write_onnx(model: Model, path: Path) -> None:
    from onnxruntime.quantization import QuantType, quantize_dynamic

    Norm.forward = lambda self, x: x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-5) * self.weight
    ids = torch.randint(0, model.config.vocab, (40,))
    example = (ids, torch.zeros_like(ids), torch.tensor([3, 7, 20]))
    axes = {name: {0: axis} for name, axis in INPUTS.items()}
    axes |= {
        name: {at: axis for at, axis in enumerate(shape) if axis != "kinds"} for name, shape in OUTPUTS.items() if shape
    }
    with tempfile.TemporaryDirectory() as folder, torch.no_grad():
        whole = Path(folder) / "whole.onnx"
        torch.onnx.export(
            OnePass(model),
            example,
            str(whole),
            input_names=list(INPUTS),
            output_names=list(OUTPUTS),
            dynamic_axes=axes,
            opset_version=17,
            dynamo=False,
        )
        quantize_dynamic(whole, path, weight_type=QuantType.QInt8, per_channel=True)


def facts_of(config: Config, tokenizer: Tokenizer, references: tuple[int, int], sha256: dict[str, str]) -> dict:
    matcher = Matcher(tokenizer)
    canon = [
        (at + 1) * (1 if is_word else -1) for at, is_word in zip(matcher.canon.tolist(), matcher.is_word, strict=True)
    ]
    return {
        "format": "espalier-small",
        "version": VERSION,
        "kinds": KINDS,
        "special": {token: tokenizer.token_to_id(token) for token in SPECIAL},
        "references": {"first": references[0], "count": REFERENCES},
        "longest": LONGEST,
        "vocabulary": tokenizer.get_vocab_size(),
        "layers": config.layers,
        "marks": {"kinds": config.matches, "canon": canon},
        "sha256": sha256,
    }


def hashed(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    model, references = load(options.model)
    write_onnx(model, options.out / "model.onnx")
    (options.out / "tokenizer.json").write_text((options.model / "tokenizer.json").read_text())
    tokenizer = Tokenizer.from_file(str(options.out / "tokenizer.json"))
    sha256 = {name: hashed(options.out / name) for name in ("model.onnx", "tokenizer.json")}
    facts = facts_of(model.config, tokenizer, references, sha256)
    (options.out / "model.json").write_text(json.dumps(facts))
    print(json.dumps({"bytes": (options.out / "model.onnx").stat().st_size, "sha256": facts["sha256"]}))


if __name__ == "__main__":
    main()
