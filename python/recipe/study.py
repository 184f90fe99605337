"""Size, way to answer and number of worlds against success: trains and evaluates a list of models, a few at once.

python study.py --data data --out study --base SmolLM2-135M-Instruct.Q4_1.gguf
"""

import argparse
import json
import shlex
import subprocess
import sys
import threading
import time
from pathlib import Path

from evaluate import HERE, SETS, evaluate

TOKENS, WORLD_TOKENS = "120", "45"
WORLDS = ((100, 1), (30, 1), (300, 1), (970, 2), (10, 2), (970, 1), (10, 1))
UNSEEN = ["unseen-apps", "unseen-domains"]
# The cheapest model that learns: worlds are compared on it.
LEARNERS = {
    "scratch": ("learned", ["--size", "10m", "--rate", "5e-4", "--rename", "0.3"]),
    "cut": ("base", ["--base", "BASE", "--layers", "6", "--rate", "8e-4"]),
}


def sizes() -> list[list[tuple[str, str, list[str]]]]:
    """(name, rows, options) for each model; the lists run beside each other."""
    scratch = ["--rate", "5e-4", "--tokens", TOKENS]
    cut = ["--base", "BASE", "--rate", "8e-4", "--epochs", "2"]
    written = ["--answers", "causal", "--no-matches"]
    return [
        [
            ("pointer-10m", "learned", [*scratch, "--size", "10m"]),
            ("pointer-10m-renamed", "learned", [*scratch, "--size", "10m", "--rename", "0.3"]),
            ("causal-20m", "learned", [*scratch, "--size", "20m", "--answers", "causal", "--prompt-weight", "0.1"]),
            ("pointer-20m-renamed", "learned", [*scratch, "--size", "20m", "--rename", "0.3"]),
            ("pointer-5m-renamed", "learned", [*scratch, "--size", "5m", "--rename", "0.3"]),
        ],
        [
            ("base-10-layers", "base", [*cut, "--layers", "10"]),
            (
                "base-30-layers-written",
                "base",
                [
                    "--base",
                    "BASE",
                    "--rate",
                    "4e-4",
                    "--epochs",
                    "1.2",
                    "--batch",
                    "65536",
                    "--decay",
                    "0.01",
                    *written,
                ],
            ),
            ("base-6-layers", "base", [*cut, "--layers", "6"]),
        ],
    ]


def worlds(learner: str) -> list[tuple[str, str, list[str]]]:
    rows, options = LEARNERS[learner]
    options = [*options, "--tokens", WORLD_TOKENS, "--episodes", "2900"]
    return [
        (f"worlds-{apps}-seed-{seed}", rows, [*options, "--apps", str(apps), "--seed", str(seed)])
        for apps, seed in WORLDS
    ]


def candidates(learner: str) -> list[list[tuple[str, str, list[str]]]]:
    """The models that are worth shipping, beside the worlds."""
    base = sizes()[1]
    return [[base[0], base[2]], worlds(learner)]


class Study:
    def __init__(self, options: argparse.Namespace):
        self.options, self.out, self.began = options, options.out, time.time()
        self.evaluating, self.ports = (
            threading.Semaphore(1),
            iter(range(8100 if options.study == "sizes" else 8500, 8999)),
        )
        for folder in ("logs", "models", "evaluations"):
            (self.out / folder).mkdir(parents=True, exist_ok=True)

    def tell(self, text: str) -> None:
        with (self.out / "progress.txt").open("a") as file:
            file.write(f"{time.time() - self.began:.0f} s: {text}\n")

    def python(self, name: str, script: str, *arguments: str) -> bool:
        with (self.out / "logs" / f"{name}.log").open("w") as log:
            command = [sys.executable, str(HERE / script), *arguments]
            failed = subprocess.run(command, stdout=log, stderr=log, check=False).returncode
        self.tell(f"{name}: {'FAILED' if failed else 'ready'}")
        return not failed

    def rows(self, name: str) -> Path:
        return self.out / f"rows-{name}"

    def make_rows(self) -> None:
        episodes = ("--episodes", str(self.options.data / "episodes"))
        self.python("rows-learned", "rows.py", *episodes, "--out", str(self.rows("learned")), "--vocab", "8192")

    def make_base_rows(self) -> None:
        base = self.options.base
        if base is None or (self.rows("base") / "rows.json").exists():
            return
        tokenizer = self.out / "base-tokenizer.json"
        if not tokenizer.exists():
            self.python("base-tokenizer", "base.py", str(base), str(tokenizer))
        episodes = ("--episodes", str(self.options.data / "episodes"))
        self.python("rows-base", "rows.py", *episodes, "--out", str(self.rows("base")), "--tokenizer", str(tokenizer))

    def train(self, name: str, rows: str, options: list[str]) -> None:
        folder = self.out / "models" / name
        if rows == "base":
            if self.options.base is None:
                return
            while not (self.rows("base") / "rows.json").exists() or not self.options.base.exists():
                time.sleep(2)
        options = [str(self.options.base) if option == "BASE" else option for option in options]
        if self.python(f"train-{name}", "train.py", "--rows", str(self.rows(rows)), "--out", str(folder), *options):
            threading.Thread(target=self.evaluate, args=(name, folder)).start()

    def evaluate(self, name: str, folder: Path) -> None:
        sets = UNSEEN if name.startswith("worlds-") else list(SETS)
        with self.evaluating:
            try:
                out = self.out / "evaluations" / name
                result = evaluate(folder, shlex.split(self.options.espalier), out, next(self.ports), sets)
                result["train"] = json.loads((folder / "train.json").read_text())
                (self.out / "evaluations" / f"{name}.json").write_text(json.dumps(result))
                rates = {
                    key: {level: f"{e['rate']:.2f} of {e['n']}" for level, e in levels.items()}
                    for key, levels in result["sets"].items()
                }
                self.tell(
                    f"{name} right {result['train']['right']:.3f} in {result['seconds']} s: {rates} {result['server']}"
                )
            except Exception as error:
                self.tell(f"{name}: evaluation FAILED: {error!r}")

    def run(self) -> None:
        base = threading.Thread(target=self.make_base_rows)
        base.start()
        if not (self.rows("learned") / "rows.json").exists():
            self.make_rows()
        learner = self.options.learner
        lists = {"sizes": sizes(), "worlds": [worlds(learner)], "candidates": candidates(learner)}[self.options.study]
        lanes = [threading.Thread(target=lambda lane=lane: [self.train(*trial) for trial in lane]) for lane in lists]
        for lane in lanes:
            lane.start()
        for lane in lanes:
            lane.join()
        self.tell("all trained")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--espalier", default="node_modules/.bin/node bin/espalier.js")
    parser.add_argument("--base", type=Path)
    parser.add_argument("--study", choices=("sizes", "worlds", "candidates"), default="sizes")
    parser.add_argument("--learner", choices=LEARNERS, default="scratch", help="model that worlds are compared on")
    Study(parser.parse_args()).run()


if __name__ == "__main__":
    main()
