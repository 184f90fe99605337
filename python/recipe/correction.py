"""Correction against imitation at equal price, from one start: correction.md is the plan.

python correction.py --start models/start --old data/episodes --out correction
"""

import argparse
import hashlib
import itertools
import json
import lzma
import os
import random
import shlex
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from compared import Study as Compared
from compared import read, tables
from data import HELD_OUT_DOMAINS, read_domains, read_episodes
from evaluate import HERE, evaluate, wait_for
from rows import read_file

SETS = ["unseen-apps", "unseen-domains", "own-apps"]
QUERIES, APPS, FIRST_APP, INSTANCES = 1500, 64, 6001, 1


@dataclass(frozen=True)
class Arm:
    name: str
    """Options of `espalier collect`; none where nothing is collected."""
    collect: tuple[str, ...] = ()
    table: str = "next-actions"
    price: str = "queries"
    """What the share of wrong answers is a setting of; none without a teacher."""
    errs: str | None = "teacher.errors"


SRC = ("--strategy", "speculative-rollback", "--teacher", "planner")
SHOWN = ("--student", "planner", "--strategy", "linear")
ARMS = [
    Arm("src-adaptive", (*SRC, "--speculate", "adaptive")),
    Arm("imitation-queries", SHOWN, errs="student.errors"),
    Arm("dagger", ("--strategy", "dagger", "--teacher", "planner"), table="corrections"),
    Arm("imitation-steps", SHOWN, price="steps", errs="student.errors"),
    Arm("src-3", (*SRC, "--speculate", "3")),
    Arm("src-1", (*SRC, "--speculate", "1")),
    Arm("src-end", (*SRC, "--speculate", "inf")),
    Arm("rl-forks", ("--strategy", "fork-group"), table="advantages", price="tasks", errs=None),
    Arm("own-successes", ("--strategy", "linear"), price="tasks", errs=None),
    Arm("nothing-new", errs=None),
]
# Those of the figure: success against queries.
CURVE = ("src-adaptive", "imitation-queries", "dagger")


@dataclass(frozen=True)
class Job:
    """One model: an arm with its seed, the share of wrong answers of its teacher, and the queries it may spend."""

    arm: Arm
    seed: int
    errors: float
    queries: int

    @property
    def name(self) -> str:
        return f"{self.arm.name}.errors-{self.errors}.queries-{self.queries}.seed-{self.seed}"


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


def jobs_of(options: argparse.Namespace) -> list[Job]:
    """The most wanted first: all arms with the right teacher, with the erring one, then fewer queries."""
    seeds, arms = range(1, options.seeds + 1), [arm for arm in ARMS if options.arms is None or arm.name in options.arms]
    jobs = [
        Job(arm, seed, errors, options.queries)
        for errors in options.errors
        for seed in seeds
        for arm in arms
        if errors == options.errors[0] or arm.errs is not None
    ]
    fewer = [arm for arm in arms if arm.name in CURVE]
    return jobs + [Job(arm, seed, options.errors[0], few) for few in options.fewer for seed in seeds for arm in fewer]


class Study:
    def __init__(self, options: argparse.Namespace):
        self.options, self.espalier = options, shlex.split(options.espalier)
        self.out: Path = options.out
        domains = read_domains(self.espalier, range(FIRST_APP, FIRST_APP + 2 * options.apps))
        seeds = [seed for seed, domain in domains.items() if domain not in HELD_OUT_DOMAINS]
        self.apps = [f"synth:{seed}" for seed in seeds[: options.apps]]
        self.old = [episode for path in sorted(options.old.glob("*.jsonl.xz")) for episode in read_file(path)]
        self.runs: dict[Path, Future] = {}
        self.ports = itertools.count(options.port)

    def run(self) -> None:
        (self.out / "runs").mkdir(parents=True, exist_ok=True)
        jobs, options = jobs_of(self.options), self.options
        with ThreadPoolExecutor(options.collects) as collecting, ThreadPoolExecutor(options.jobs) as trying:
            for job in jobs:
                run = self.run_of(job.arm, job.errors)
                if job.arm.collect and run not in self.runs:
                    self.runs[run] = collecting.submit(self.collect, job.arm, job.errors, run)
            results = list(trying.map(self.attempt, jobs))
        if None in results:
            sys.exit(f"{results.count(None)} models are missing: the same command tries them again.")
        print(tables(Compared(read(self.out))))

    def run_of(self, arm: Arm, errors: float) -> Path:
        """Arms that show the same demonstrations share them."""
        name = "imitation" if arm.collect == SHOWN else arm.name
        return self.out / "runs" / (name if errors == 0 else f"{name}-{errors}")

    def attempt(self, job: Job) -> dict | None:
        """What a job gave; one that fails says so and is left out, and the same command tries it again."""
        done, began = self.out / f"{job.name}.json", time.time()
        try:
            if not done.exists():
                done.write_text(json.dumps(self.try_arm(job)))
        except (OSError, RuntimeError, subprocess.SubprocessError):
            print(f"{job.name} failed: {traceback.format_exc()}", flush=True)
            return None
        result = json.loads(done.read_text())
        told = {key: value for key, value in result.items() if key != "passes"}
        print(json.dumps(told | {"seconds": round(time.time() - began)}), flush=True)
        return result

    def try_arm(self, job: Job) -> dict:
        folder, start = self.out / job.name, self.options.start
        episodes, paid = self.gather(job)
        (folder / "episodes").mkdir(parents=True, exist_ok=True)
        self.write_rows(folder / "episodes" / "all.jsonl.xz", episodes, job.seed)

        def python(script: str, *arguments: object) -> None:
            with (folder / f"{script}.log").open("w") as log:
                words = [sys.executable, str(HERE / script), *map(str, arguments)]
                subprocess.run(words, check=True, stdout=log, stderr=log)

        rows, model = folder / "rows", folder / "model"
        python("rows.py", "--episodes", folder / "episodes", "--out", rows, "--tokenizer", start / "tokenizer.json")
        train = ("--rows", rows, "--out", model, "--start", start, "--tokens", self.options.tokens, "--apart", 0)
        python("train.py", *train, "--rate", "2e-4", "--batch", self.options.batch, "--seed", job.seed)
        found = evaluate(model, self.espalier, folder / "evaluation", next(self.ports), self.options.sets)
        trained = json.loads((model / "train.json").read_text())
        return {
            "arm": job.arm.name,
            "seed": job.seed,
            "errors": job.errors,
            "budget": job.queries,
            "paid": vars(paid),
            "rows": sum(len(episode["steps"]) for episode in episodes),
            "all_rows": trained["rows"],
            "tokens": trained["tokens"],
            "loss": trained["final_loss"],
            "rates": {
                name: {level: own["rate"] for level, own in levels.items()} for name, levels in found["sets"].items()
            },
            "passes": self.passes(folder / "evaluation"),
        }

    def gather(self, job: Job) -> tuple[list[dict], Paid]:
        if not job.arm.collect:
            return [], Paid()
        kept, paid = self.cut_run(job, self.enough(job))
        rows = self.run_of(job.arm, job.errors) / "export" / f"{job.arm.table}.jsonl"
        return [episode for episode in read_episodes(rows) if episode["episode"] in kept], paid

    def enough(self, job: Job) -> Callable[[Paid], bool]:
        if job.arm.price == "queries":
            return lambda paid: paid.queries >= job.queries
        first = self.cut_run(Job(ARMS[0], job.seed, job.errors, job.queries), lambda paid: paid.queries >= job.queries)[
            1
        ]
        if job.arm.price == "steps":
            return lambda paid: paid.steps >= first.steps
        return lambda paid: paid.episodes >= first.episodes

    def cut_run(self, job: Job, is_enough: Callable[[Paid], bool]) -> tuple[set[str], Paid]:
        """What was collected does not depend on the seed: its order, and so what is kept, does."""
        run = self.run_of(job.arm, job.errors)
        self.runs[run].result()
        kept, paid = cut(sorted(read_ends(run), key=lambda end: place(end["task"], job.seed)), is_enough)
        # Where more steps may be shown than all demonstrations have, these are all shown.
        if not is_enough(paid) and job.arm.price != "steps":
            raise RuntimeError(f"{job.name} ran out of tasks at {paid}: give more --apps.")
        return set(kept), paid

    def collect(self, arm: Arm, errors: float, run: Path) -> None:
        if (run / "export" / "episodes.jsonl").exists():
            return
        options, began = self.options, time.time()
        alone = "--student" in arm.collect
        words = [*arm.collect, *([] if alone else ["--student", str(HERE / "policy.ts")])]
        words += ["--instances", str(options.instances), "--concurrency", "96", "--workers", str(options.workers)]
        words += ["--set", f"{arm.errs}={errors}"] if arm.errs and errors else []
        tables = ["--table", f"{arm.table},episodes"]
        if arm.table == "advantages":
            tables = ["--table", "episodes", "--advantage", options.advantage]
        with serving(options.start, next(self.ports), not alone) as address, Path(f"{run}.log").open("w") as log:
            environment = os.environ | {"RECIPE_SERVER": address}
            environment |= {"RECIPE_TEMPERATURE": "1"} if arm.table == "advantages" else {}
            call = lambda *words: subprocess.run(
                [*self.espalier, *words], stdout=log, stderr=log, env=environment, check=True
            )
            call("collect", *self.apps, *words, "--out", str(run))
            call("export", str(run), "--format", "jsonl", "--form", "compact", *tables)
        print(json.dumps({"collected": run.name, "seconds": round(time.time() - began)}), flush=True)

    def write_rows(self, path: Path, episodes: list[dict], seed: int) -> None:
        """As many old steps as new ones; where nothing is new, twice as many as there are queries."""
        steps = sum(len(episode["steps"]) for episode in episodes) or 2 * self.options.queries
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

    def __init__(self, model: Path, port: int, needed: bool):
        self.command = [sys.executable, str(HERE / "serve.py"), str(model), "--port", str(port)]
        self.address, self.needed = f"http://127.0.0.1:{port}", needed

    def __enter__(self) -> str:
        if self.needed:
            self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL)
            wait_for(self.address, self.process)
        return self.address

    def __exit__(self, *_) -> None:
        if self.needed:
            self.process.terminate()
            self.process.wait()


def read_ends(run: Path) -> list[dict]:
    with (run / "export" / "episodes.jsonl").open() as file:
        ends = [json.loads(line) for line in file]
    return [end | {"demonstrated": end["student"].startswith("planner")} for end in ends if end["outcome"] != "errored"]


def read_passes(folder: Path) -> list[list]:
    """[app, task, passed] of every evaluated episode."""
    with (folder / "export" / "episodes.jsonl").open() as file:
        ends = [json.loads(line) for line in file]
    return [[end["environment"], end["task"], int(end["pass"] is True)] for end in ends if end["outcome"] != "errored"]


def main() -> None:
    numbers = lambda kind: lambda text: [kind(part) for part in text.split(",") if part]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--start", type=Path, required=True, help="folder of the model that all arms begin with")
    parser.add_argument("--old", type=Path, required=True, help="episodes that it was taught with")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--espalier", default="node_modules/.bin/node bin/espalier.js")
    parser.add_argument("--queries", type=int, default=QUERIES)
    parser.add_argument("--fewer", type=numbers(int), default=[300, 750], help="queries of the figure's other points")
    parser.add_argument("--apps", type=int, default=APPS)
    parser.add_argument("--instances", type=int, default=INSTANCES)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--arms", type=numbers(str), help="only these")
    parser.add_argument("--errors", type=numbers(float), default=[0.0, 0.1], help="share of wrong answers of teachers")
    parser.add_argument("--advantage", default="portool", help="estimator of rl-forks")
    parser.add_argument("--tokens", default="4", help="millions to train on")
    parser.add_argument("--batch", default="16384")
    parser.add_argument("--collects", type=int, default=4, help="runs at once")
    parser.add_argument("--workers", type=int, default=4, help="threads of each run")
    parser.add_argument("--jobs", type=int, default=5, help="models trained and evaluated at once")
    parser.add_argument("--port", type=int, default=8021, help="the first of many")
    parser.add_argument("--sets", type=numbers(str), default=SETS)
    Study(parser.parse_args()).run()


if __name__ == "__main__":
    main()
