"""Correction against imitation at equal price, from one start: correction.md is the plan.

python correction.py --start models/start --old data/episodes --out correction
"""

import argparse
import hashlib
import json
import lzma
import os
import random
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from data import HELD_OUT_DOMAINS, read_domains, read_episodes
from evaluate import HERE, evaluate, wait_for
from rows import read_file

SETS = ["unseen-apps", "unseen-domains", "own-apps"]
QUERIES, APPS, FIRST_APP, INSTANCES = 1500, 48, 6001, 3


@dataclass(frozen=True)
class Arm:
    name: str
    """Options of `espalier collect`; none where nothing is collected."""
    collect: tuple[str, ...] = ()
    table: str = "next-actions"
    price: str = "queries"


SRC = ("--strategy", "speculative-rollback", "--teacher", "planner")
ARMS = [
    Arm("src-adaptive", (*SRC, "--speculate", "adaptive")),
    Arm("src-3", (*SRC, "--speculate", "3")),
    Arm("src-1", (*SRC, "--speculate", "1")),
    Arm("src-end", (*SRC, "--speculate", "inf")),
    Arm("imitation-queries", ("--student", "planner", "--strategy", "linear")),
    Arm("imitation-steps", ("--student", "planner", "--strategy", "linear"), price="steps"),
    Arm("dagger", ("--strategy", "dagger", "--teacher", "planner"), table="corrections"),
    Arm("own-successes", ("--strategy", "linear"), price="tasks"),
    Arm("nothing-new"),
]


@dataclass
class Paid:
    """What an arm spent until it was cut."""

    episodes: int = 0
    queries: int = 0
    steps: int = 0
    passed: int = 0


def cut(ends: Iterable[dict], is_enough: Callable[[Paid], bool]) -> tuple[list[str], Paid]:
    """The first episodes, up to the one in which the price is reached."""
    kept, paid = [], Paid()
    for end in ends:
        if is_enough(paid):
            break
        kept.append(end["episode"])
        shown = end["steps"] if end["demonstrated"] else end["shown"] + end["corrections"]
        paid.episodes += 1
        paid.queries += end["steps"] if end["demonstrated"] else end["reviews"] + end["corrections"]
        paid.steps += shown
        paid.passed += end["outcome"] == "passed"
    return kept, paid


def place(task: str, seed: int) -> str:
    """Where a task stands in the order of a seed, the same in every arm."""
    return hashlib.sha256(f"{seed} {task}".encode()).hexdigest()


class Study:
    def __init__(self, options: argparse.Namespace):
        self.options, self.espalier = options, shlex.split(options.espalier)
        self.out: Path = options.out
        domains = read_domains(self.espalier, range(FIRST_APP, FIRST_APP + 2 * options.apps))
        seeds = [seed for seed, domain in domains.items() if domain not in HELD_OUT_DOMAINS]
        self.apps = [f"synth:{seed}" for seed in seeds[: options.apps]]
        self.old = [episode for path in sorted(options.old.glob("*.jsonl.xz")) for episode in read_file(path)]

    def run(self) -> None:
        self.out.mkdir(parents=True, exist_ok=True)
        results = []
        for seed in range(1, self.options.seeds + 1):
            price: dict[str, Paid] = {}
            for arm in ARMS:
                done = self.out / f"{arm.name}.seed-{seed}.json"
                if not done.exists():
                    done.write_text(json.dumps(self.try_arm(arm, seed, price)))
                result = json.loads(done.read_text())
                price[arm.name] = Paid(**result["paid"])
                results.append(result)
                print(json.dumps({key: value for key, value in result.items() if key != "passes"}), flush=True)
        (self.out / "differences.json").write_text(json.dumps(compare(results), indent=1))

    def try_arm(self, arm: Arm, seed: int, price: dict[str, Paid]) -> dict:
        folder = self.out / f"{arm.name}.seed-{seed}"
        episodes, paid = self.gather(arm, seed, price)
        (folder / "episodes").mkdir(parents=True, exist_ok=True)
        self.write_rows(folder / "episodes" / "all.jsonl.xz", episodes, seed)
        rows, start = str(folder / "rows"), self.options.start
        python = lambda script, *arguments: subprocess.run([sys.executable, str(HERE / script), *arguments], check=True)
        python(
            "rows.py",
            "--episodes",
            str(folder / "episodes"),
            "--out",
            rows,
            "--tokenizer",
            str(start / "tokenizer.json"),
        )
        train = ("--rows", rows, "--out", str(folder / "model"), "--start", str(start), "--tokens", self.options.tokens)
        python("train.py", *train, "--rate", "2e-4", "--batch", self.options.batch, "--seed", str(seed))
        found = evaluate(folder / "model", self.espalier, folder / "evaluation", self.options.port, self.options.sets)
        return {
            "arm": arm.name,
            "seed": seed,
            "paid": vars(paid),
            "rates": {
                name: {level: own["rate"] for level, own in levels.items()} for name, levels in found["sets"].items()
            },
            "passes": self.passes(folder / "evaluation"),
        }

    def gather(self, arm: Arm, seed: int, price: dict[str, Paid]) -> tuple[list[dict], Paid]:
        if not arm.collect:
            return [], Paid()
        # What was collected does not depend on the seed: its order, and so what is kept, does.
        run = self.out / "runs" / arm.name
        if not (run / "export" / "episodes.jsonl").exists():
            self.collect(arm, run)
        ends = sorted(read_ends(run), key=lambda end: place(end["task"], seed))
        first = price.get("src-adaptive", Paid())
        is_enough = {
            "queries": lambda paid: paid.queries >= self.options.queries,
            "steps": lambda paid: paid.steps >= first.steps,
            "tasks": lambda paid: paid.episodes >= first.episodes,
        }[arm.price]
        kept, paid = cut(ends, is_enough)
        if not is_enough(paid):
            raise RuntimeError(f"{arm.name} ran out of tasks at {paid}: give more --instances.")
        allowed = set(kept)
        return [one for one in read_episodes(run / "export" / f"{arm.table}.jsonl") if one["episode"] in allowed], paid

    def collect(self, arm: Arm, run: Path) -> None:
        (self.out / "runs").mkdir(exist_ok=True)
        student = [] if "--student" in arm.collect else ["--student", str(HERE / "policy.ts")]
        many = [
            "--instances",
            str(self.options.instances),
            "--concurrency",
            "96",
            "--workers",
            str(self.options.workers),
        ]
        errors = ["--set", f"teacher.errors={self.options.errors}"] if "--teacher" in arm.collect else []
        tables = ["--table", f"{arm.table},episodes"]
        with (
            serving(self.options.start, self.options.port) as address,
            (self.out / "runs" / f"{arm.name}.log").open("w") as log,
        ):
            environment = os.environ | {"RECIPE_SERVER": address}
            call = lambda *words: subprocess.run(
                [*self.espalier, *words], stdout=log, stderr=log, env=environment, check=True
            )
            call("collect", *self.apps, *arm.collect, *student, *many, *errors, "--out", str(run))
            call("export", str(run), "--format", "jsonl", "--window", "10000000", *tables)

    def write_rows(self, path: Path, episodes: list[dict], seed: int) -> None:
        """As many old steps as new ones; where nothing is new, as many as the largest arm has."""
        steps = sum(len(episode["steps"]) for episode in episodes) or self.options.queries
        shuffled, old = random.Random(seed).sample(self.old, len(self.old)), []
        while steps > 0 and shuffled:
            old.append(shuffled.pop())
            steps -= len(old[-1]["steps"])
        with lzma.open(path, "wt", preset=1) as file:
            file.writelines(json.dumps(episode, ensure_ascii=False) + "\n" for episode in [*episodes, *old])

    def passes(self, folder: Path) -> dict[str, list[list]]:
        """[app, task, passed] of every set, for pairs."""
        for name in self.options.sets:
            words = ("export", str(folder / name), "--format", "jsonl", "--table", "episodes")
            subprocess.run([*self.espalier, *words], stdout=subprocess.DEVNULL, check=True)
        return {name: read_passes(folder / name) for name in self.options.sets}


class serving:
    """A server of a model, while it is needed."""

    def __init__(self, model: Path, port: int):
        self.command, self.address = (
            [sys.executable, str(HERE / "serve.py"), str(model), "--port", str(port)],
            f"http://127.0.0.1:{port}",
        )

    def __enter__(self) -> str:
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL)
        wait_for(self.address, self.process)
        return self.address

    def __exit__(self, *_) -> None:
        self.process.terminate()
        self.process.wait()


def read_ends(run: Path) -> list[dict]:
    with (run / "export" / "episodes.jsonl").open() as file:
        ends = [json.loads(line) for line in file]
    return [end | {"demonstrated": end["student"] == "planner"} for end in ends if end["outcome"] != "errored"]


def read_passes(folder: Path) -> list[list]:
    """[app, task, passed] of every evaluated episode."""
    with (folder / "export" / "episodes.jsonl").open() as file:
        ends = [json.loads(line) for line in file]
    return [[end["environment"], end["task"], int(end["pass"] is True)] for end in ends if end["outcome"] != "errored"]


def compare(results: list[dict], draws: int = 4000) -> list[dict]:
    """SRC adaptive less each other arm, over the same tasks: a bootstrap over apps and over seeds."""
    seeds = sorted({result["seed"] for result in results})
    by_arm = {(result["arm"], result["seed"]): result["passes"] for result in results}
    found = []
    for other in [arm.name for arm in ARMS[1:]]:
        for name in SETS:
            if any(name not in by_arm.get((arm, seed), {}) for arm in (ARMS[0].name, other) for seed in seeds):
                continue
            apps, gains = paired(by_arm, other, name, seeds)
            found.append({"less": other, "set": name, "apps": len(apps), **interval(gains, draws)})
    return found


def paired(by_arm: dict, other: str, name: str, seeds: list[int]) -> tuple[list[str], np.ndarray]:
    """Mean difference by seed and app."""
    table: dict[tuple[int, str], list[int]] = {}
    for seed in seeds:
        theirs = {task: passed for _, task, passed in by_arm[other, seed][name]}
        for app, task, passed in by_arm[ARMS[0].name, seed][name]:
            if task in theirs:
                table.setdefault((seed, app), []).append(passed - theirs[task])
    apps = sorted({app for _, app in table})
    return apps, np.array([[np.mean(table[seed, app]) for app in apps] for seed in seeds])


def interval(gains: np.ndarray, draws: int) -> dict:
    seeds, apps = gains.shape
    dice = np.random.default_rng(1)
    rows, columns = dice.integers(0, seeds, (draws, seeds)), dice.integers(0, apps, (draws, apps))
    means = gains[rows[:, :, None], columns[:, None, :]].mean((1, 2))
    low, high = np.quantile(means, [0.025, 0.975])
    return {"gain": round(float(gains.mean()), 4), "low": round(float(low), 4), "high": round(float(high), 4)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--start", type=Path, required=True, help="folder of the model that all arms begin with")
    parser.add_argument("--old", type=Path, required=True, help="episodes that it was taught with")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--espalier", default="node_modules/.bin/node bin/espalier.js")
    parser.add_argument("--queries", type=int, default=QUERIES)
    parser.add_argument("--apps", type=int, default=APPS)
    parser.add_argument("--instances", type=int, default=INSTANCES)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--errors", type=float, default=0.0, help="share of wrong answers of the teacher")
    parser.add_argument("--tokens", default="6", help="millions to train on")
    parser.add_argument("--batch", default="16384")
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--port", type=int, default=8021)
    parser.add_argument("--sets", type=lambda text: text.split(","), default=SETS)
    Study(parser.parse_args()).run()


if __name__ == "__main__":
    main()
