"""Leaves out the tokens that no row uses, and keeps the matrices in 8 bits: what a CPU needs of a model.

python cut.py models/cut --rows rows-base --out small
"""

import argparse
import json
from pathlib import Path

import numpy as np
import torch


def kept_tokens(rows: Path) -> list[int]:
    """Tokens that rows use, single bytes for what they do not, and the added ones."""
    arrays, tokenizer = np.load(rows / "rows.npz"), json.loads((rows / "tokenizer.json").read_text())
    used = set(np.unique(arrays["ids"]).tolist()) | set(np.unique(arrays["answers"]).tolist())
    single = {token for text, token in tokenizer["model"]["vocab"].items() if len(text) == 1}
    return sorted(used | single | {token["id"] for token in tokenizer["added_tokens"]})


def quantised(matrix: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """8 bits a weight, one scale a row."""
    scale = matrix.float().abs().amax(1, keepdim=True).clamp(min=1e-8) / 127
    return (matrix.float() / scale).round().to(torch.int8), scale.half()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    saved = torch.load(options.model / "model.pt", map_location="cpu", weights_only=True)
    kept = kept_tokens(options.rows)
    weights = saved["weights"] | {"embed.weight": saved["weights"]["embed.weight"][kept]}
    cut = {}
    for name, value in weights.items():
        if value.ndim == 2:
            cut[name], cut[f"{name}.scale"] = quantised(value)
        else:
            cut[name] = value
    options.out.mkdir(parents=True, exist_ok=True)
    torch.save(saved | {"weights": cut, "kept": kept}, options.out / "small.pt")
    (options.out / "tokenizer.json").write_text((options.rows / "tokenizer.json").read_text())
    size = (options.out / "small.pt").stat().st_size
    print(json.dumps({"tokens": len(kept), "weights": sum(v.numel() for v in weights.values()), "bytes": size}))


if __name__ == "__main__":
    main()
