"""Trains and evaluates the models of a plan, a few beside each other, and says how far it is.

python study.py --plan plan.json --rows rows --base SmolLM2-135M-Instruct.Q4_1.gguf --out study

The plan is a list of lanes, each a list of {"name", "options", "sets"}; options are those of train.py.
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


class Study:
    def __init__(self, options: argparse.Namespace):
        self.options, self.out, self.began = options, options.out, time.time()
        self.evaluating, self.ports = threading.Semaphore(options.evaluations), iter(range(options.port, 65_000))
        for folder in ("logs", "models", "evaluations"):
            (self.out / folder).mkdir(parents=True, exist_ok=True)

    def tell(self, text: str) -> None:
        with (self.out / "progress.txt").open("a") as file:
            file.write(f"{time.time() - self.began:.0f} s: {text}\n")

    def train(self, trial: dict) -> None:
        name, folder = trial["name"], self.out / "models" / trial["name"]
        base = ["--base", str(self.options.base)] if self.options.base and "--size" not in trial["options"] else []
        command = [
            sys.executable,
            str(HERE / "train.py"),
            "--rows",
            str(self.options.rows),
            "--out",
            str(folder),
            *base,
        ]
        with (self.out / "logs" / f"{name}.log").open("w") as log:
            failed = subprocess.run([*command, *trial["options"]], stdout=log, stderr=log, check=False).returncode
        self.tell(f"{name}: {'FAILED' if failed else 'trained'}")

    def evaluate(self, trial: dict) -> None:
        name, sets = trial["name"], trial.get("sets", list(SETS))
        with self.evaluating:
            try:
                folder, out = self.out / "models" / name, self.out / "evaluations" / name
                result = evaluate(folder, shlex.split(self.options.espalier), out, next(self.ports), sets)
                result["train"] = json.loads((folder / "train.json").read_text())
                (self.out / "evaluations" / f"{name}.json").write_text(json.dumps(result))
                self.tell(f"{name} right {result['train']['right']:.3f}: {told(result)}")
            except Exception as error:
                self.tell(f"{name}: evaluation FAILED: {error!r}")

    def run(self) -> None:
        evaluations = []

        def work(lane: list[dict]) -> None:
            for trial in lane:
                self.train(trial)
                if trial.get("sets") == []:
                    continue
                evaluations.append(threading.Thread(target=self.evaluate, args=(trial,)))
                evaluations[-1].start()

        lanes = json.loads(self.options.plan.read_text())
        workers = [threading.Thread(target=work, args=(lane,)) for lane in lanes]
        for worker in workers:
            worker.start()
        for thread in (*workers, *evaluations):
            thread.join()
        self.tell("all done")


def told(result: dict) -> str:
    rates = [
        f"{name} {level} {found['rate']:.2f} ({found['low']:.2f} to {found['high']:.2f}) of {found['n']}"
        for name, levels in result["sets"].items()
        for level, found in levels.items()
    ]
    return f"{'; '.join(rates)}; {result['seconds']} s, {result['server']}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plan", type=Path, required=True)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--base", type=Path)
    parser.add_argument("--espalier", default="node_modules/.bin/node bin/espalier.js")
    parser.add_argument("--evaluations", type=int, default=1, help="evaluations at once")
    parser.add_argument("--port", type=int, default=8100)
    Study(parser.parse_args()).run()


if __name__ == "__main__":
    main()
