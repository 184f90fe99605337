"""Trains a model on rows: packed without padding, seeded, resumable; losses go to a file.

python train.py --rows rows --out models/small --size 20m --epochs 4
python train.py --rows rows-base --out models/cut --base SmolLM2-135M-Instruct.Q4_1.gguf --layers 10 --epochs 2
"""

import argparse
import json
import math
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch

from batches import FAMILIES, Rows, batch_maker, batches, causal_batch, choose_rows, pointer_batch, prepared
from losses import causal_loss, credited, pointer_loss, renamed
from matches import KINDS_OF_MATCHES
from model import Config, Model, Packed, count
from rows import LONGEST

# width, layers, heads, hidden
SIZES = {
    "toy": (64, 2, 2, 128),
    "5m": (256, 5, 4, 640),
    "10m": (320, 7, 5, 832),
    "20m": (448, 8, 7, 1152),
    "40m": (576, 10, 9, 1536),
}
WARM_UP, LOWEST_RATE = 100, 0.03


def read_options(words: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--size", choices=SIZES, default="20m")
    parser.add_argument("--base", type=Path, help="a GGUF file to start from, in place of a size")
    parser.add_argument("--start", type=Path, help="folder of a model to go on from, in place of a size")
    parser.add_argument("--layers", type=int, help="of the base; those in the middle are left out")
    parser.add_argument("--reads", choices=("forward", "both"), help="whether tokens see those behind them")
    parser.add_argument("--answers", choices=("pointer", "causal"), default="pointer")
    parser.add_argument("--epochs", type=float, default=4)
    parser.add_argument("--tokens", type=float, help="tokens to train on, in millions, in place of epochs")
    parser.add_argument("--steps", type=int, help="stop after so many steps; go on by the same command without it")
    parser.add_argument("--batch", type=int, default=32_768, help="tokens in a batch")
    parser.add_argument("--rate", type=float, default=5e-4)
    parser.add_argument("--decay", type=float, default=0.1)
    parser.add_argument("--prompt-weight", type=float, default=0.0, help="weight of predicting the prompt (causal)")
    parser.add_argument("--apps", type=int, help="only rows of so many made-up apps")
    parser.add_argument("--episodes", type=int, default=3000, help="with --apps: episodes in all")
    parser.add_argument("--families", nargs="+", choices=FAMILIES, default=FAMILIES, help="apps to train on")
    parser.add_argument("--copies", type=int, default=2, help="of each episode; 1 leaves out those in other words")
    parser.add_argument("--own", type=int, default=1, help="times that rows of hand-written apps are shown in an epoch")
    parser.add_argument("--apart", type=int, default=15, help="apps of each family to validate on, not trained on")
    parser.add_argument("--guesses", action="store_true", help="keep steps that only a planner can know")
    parser.add_argument("--no-matches", action="store_true", help="no marks on words that task and screen share")
    parser.add_argument("--rename", type=float, default=0.0, help="share of words exchanged in half of the batches")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args(words)


def build(options: argparse.Namespace, vocab: tuple[int, int]) -> Model:
    if options.start:
        saved = torch.load(options.start / "model.pt", weights_only=True)
        model = Model(Config(**saved["config"]))
        model.load_state_dict(saved["weights"])
        return model
    changes = {
        "answers": options.answers,
        "reads": options.reads or ("both" if options.answers == "pointer" and not options.base else "forward"),
        "matches": 0 if options.no_matches else KINDS_OF_MATCHES,
    }
    if options.base:
        from base import load_base

        return load_base(options.base, vocab, changes, options.layers)
    width, layers, heads, hidden = SIZES[options.size]
    return Model(Config(vocab[1], width, layers, heads, heads, hidden, **changes))


@dataclass
class Progress:
    """What a run that goes on needs beside the weights."""

    step: int = 0
    seconds: float = 0.0
    losses: list[float] = field(default_factory=list)


class Trainer:
    def __init__(self, options: argparse.Namespace):
        self.options, self.device = options, "cuda" if torch.cuda.is_available() else "cpu"
        torch.manual_seed(options.seed)
        torch.set_float32_matmul_precision("high")
        tokenizer = json.loads((options.rows / "tokenizer.json").read_text())
        added = {token["content"]: token["id"] for token in tokenizer["added_tokens"]}
        self.references = (added["<e1>"], max(added.values()) + 1)
        self.vocab = math.ceil(self.references[1] / 64) * 64
        self.known = added["<pad>"]
        self.words = torch.arange(300, self.known, device=self.device)
        self.rows = Rows(options.rows)
        self.trained, self.validated = choose_rows(options, self.rows)
        if options.answers == "pointer":
            # Elements are pointed at by position: their numbers would only be memorised.
            first = self.references[0]
            self.rows.ids = np.where(self.rows.ids >= first, first, self.rows.ids).astype(np.uint16)
        self.make_batch = causal_batch if options.answers == "causal" else pointer_batch
        self.model = build(options, (self.known, self.vocab)).to(self.device)
        if self.device == "cuda":
            for block in self.model.blocks:
                block.forward = torch.compile(block.forward, dynamic=False)
        self.optimizer = self.create_optimizer()
        self.look_back()

    def create_optimizer(self) -> torch.optim.Optimizer:
        matrices = [parameter for parameter in self.model.parameters() if parameter.ndim > 1]
        others = [parameter for parameter in self.model.parameters() if parameter.ndim <= 1]
        groups = [{"params": matrices, "weight_decay": self.options.decay}, {"params": others, "weight_decay": 0.0}]
        return torch.optim.AdamW(groups, lr=self.options.rate, betas=(0.9, 0.98), fused=self.device == "cuda")

    def forward(self, arrays: dict, rename: float = 0.0, judge: bool = False, each: bool = False) -> torch.Tensor:
        """The loss of a batch, or of each of its rows; or, to judge, which of them are right."""
        batch = {name: array.to(self.device, non_blocking=True) for name, array in arrays.items()}
        if rename:
            batch["ids"] = renamed(self.words, self.vocab, rename)[batch["ids"]]
        packed = Packed(batch["ids"], batch["positions"], batch["starts"], LONGEST, batch["matches"])
        with torch.autocast(self.device, torch.bfloat16, enabled=self.device == "cuda"):
            hidden = self.model.hidden(packed)
            if self.options.answers == "causal":
                return causal_loss(self.model, hidden, batch, None if judge else self.options.prompt_weight)
            losses = pointer_loss(self.model, hidden, batch, self.references, judge)
        return losses if judge or each else credited(losses, batch)

    def train(self, progress: Progress, total: int) -> None:
        options, began, pending = self.options, time.time() - progress.seconds, []
        self.rows.chosen, last = self.trained, min(total, options.steps or total)
        prepare = batch_maker(self.rows, self.make_batch, options)
        for arrays in prepared(prepare, range(progress.step, last)):
            self.set_rate(progress.step, total)
            loss = self.forward(arrays, rename=options.rename if progress.step % 2 else 0.0)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optimizer.step()
            self.optimizer.zero_grad(set_to_none=True)
            pending.append(loss.detach())
            progress.step += 1
            if progress.step % 50 == 0 or progress.step == last:
                progress.losses += torch.stack(pending).tolist()
                progress.seconds, pending = time.time() - began, []
                loss = mean(progress.losses[-50:])
                print(f"step {progress.step} of {total}: loss {loss:.4f}, {progress.seconds:.0f} s", flush=True)

    def set_rate(self, step: int, total: int) -> None:
        falling = LOWEST_RATE + (1 - LOWEST_RATE) * 0.5 * (1 + math.cos(math.pi * step / total))
        for group in self.optimizer.param_groups:
            group["lr"] = self.options.rate * min(1, (step + 1) / min(WARM_UP, max(1, total // 4))) * falling

    @torch.no_grad()
    def look_back(self) -> None:
        """How likely the steps that carry an advantage are before training: ratios are over that."""
        self.rows.chosen = np.flatnonzero(~np.isnan(self.rows.advantages))
        if len(self.rows.chosen):
            for group in batches(self.rows, self.options.batch, 0, self.options.answers):
                arrays = self.make_batch(self.rows, group, self.options.batch)
                self.rows.before[group] = self.forward(arrays, each=True).float().cpu().numpy()

    @torch.no_grad()
    def validate(self) -> float | None:
        """Share of rows whose whole step is right, each choice made on the right ones before it."""
        if not len(self.validated):
            return None
        self.rows.chosen = self.validated
        groups = batches(self.rows, self.options.batch, 0, self.options.answers)
        made = [self.make_batch(self.rows, group, self.options.batch) for group in groups]
        return float(torch.cat([self.forward(arrays, judge=True) for arrays in made]).float().mean())

    def load(self, path: Path) -> Progress:
        if not path.exists():
            return Progress()
        state = torch.load(path, map_location=self.device, weights_only=True)
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        return Progress(**state["progress"])

    def save(self, path: Path, progress: Progress) -> None:
        state = {"model": self.model.state_dict(), "optimizer": self.optimizer.state_dict(), "progress": vars(progress)}
        torch.save(state, path)

    def write(self, progress: Progress) -> None:
        out, rows = self.options.out, self.rows
        summary = {
            "right": self.validate(),
            "validated": len(self.validated),
            "weights": count(self.model),
            "config": self.model.config.to_dict(),
            "rows": len(self.trained),
            "tokens_per_row": round(float(rows.lengths[self.trained].mean()), 1),
            "steps": progress.step,
            "tokens": progress.step * self.options.batch,
            "seconds": round(progress.seconds, 1),
            "final_loss": mean(progress.losses[-50:]),
        }
        print(json.dumps(summary), flush=True)
        options = {key: str(value) for key, value in vars(self.options).items()}
        losses = [round(loss, 4) for loss in progress.losses]
        (out / "train.json").write_text(json.dumps(summary | {"options": options, "losses": losses}))
        weights = {name: value.to(torch.bfloat16) for name, value in self.model.state_dict().items()}
        config = self.model.config.to_dict()
        torch.save({"config": config, "weights": weights, "references": self.references}, out / "model.pt")
        (out / "tokenizer.json").write_text((self.options.rows / "tokenizer.json").read_text())


def mean(values: list[float]) -> float:
    return sum(values) / max(1, len(values))


def main(words: list[str] | None = None) -> None:
    options = read_options(words)
    options.out.mkdir(parents=True, exist_ok=True)
    trainer = Trainer(options)
    trainer.rows.chosen = trainer.trained
    per_epoch = len(batches(trainer.rows, options.batch, options.seed * 1000, options.answers))
    total = int(options.tokens * 1e6 / options.batch) if options.tokens else int(options.epochs * per_epoch)
    progress = trainer.load(options.out / "state.pt")
    trainer.train(progress, total)
    if progress.step < total:
        trainer.save(options.out / "state.pt", progress)
    trainer.write(progress)


if __name__ == "__main__":
    main()
