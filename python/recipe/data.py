"""Worlds and demonstrations: runs `espalier collect` and `export` in parallel, and keeps one line per episode.

    python data.py --out data --jobs 16 --apps 700 --wide 1000
    python data.py --out data --jobs 16 --student python/recipe/policy.ts     what a model does, corrected

Each line is {"env", "template", "task", "steps": [{"prompt", "action", "advantage"}]}.
"""

import argparse
import json
import lzma
import math
import shlex
import shutil
import subprocess
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

# Apps of these domains are never trained on: they tell new worlds from new words.
HELD_OUT_DOMAINS = {"choir", "garage", "kennel", "marina", "pharmacy", "theatre"}
HAND_WRITTEN = ["mail", "shop", "tracker"]
APPS, ERRORS = Path(__file__).resolve().parent / "apps", 0.25
# Instances of each forged template by kind; chains of commands are drawn anew for every seed.
FORGED = [
    ("commands", 40, 1),
    *(("chains", 20, seed) for seed in (1, 2, 3, 4)),
    ("conflicts", 30, 1),
    ("questions", 40, 1),
]
WIDE_CHUNK = 5


def synth_seeds(count: int, domains: dict[int, str], first: int = 2001) -> list[int]:
    """The first `count` seeds whose domain is not held out."""
    seeds = (seed for seed in range(first, first + len(domains)) if domains[seed] not in HELD_OUT_DOMAINS)
    return [seed for seed, _ in zip(seeds, range(count), strict=False)]


def instances_of(index: int) -> int:
    """Instances per template, so that 10, 30, 100, 300 or all apps give the same number of tasks."""
    return 20 if index < 10 else 7 if index < 30 else 2 if index < 100 else 1


@dataclass(frozen=True)
class Job:
    name: str
    environments: list[str]
    instances: int = 1
    seed: int = 1
    # Share of steps that lead astray; the planner says in every state how to go on from there.
    errors: float = 0.0
    # Whose own steps are corrected so, in place of those of a planner that errs.
    student: str | None = None


def jobs_of(seeds: list[int], wide: list[int], strayed: int, chunk: int) -> list[Job]:
    """Runs, the longest first."""
    jobs = [
        Job(f"forge-{app}-{kind}-{seed}", [f"forge:{app},kinds={kind}"], instances, seed)
        for kind, instances, seed in FORGED
        for app in HAND_WRITTEN
    ]
    jobs += [Job(app, [app], 14) for app in HAND_WRITTEN]
    for path in sorted(APPS.glob("*.ts")):
        jobs += [Job(f"hand-{path.stem}", [str(path)], 24), Job(f"hand-{path.stem}-strayed", [str(path)], 12, 2, ERRORS)]
    groups = [wide[at : at + WIDE_CHUNK] for at in range(0, len(wide), WIDE_CHUNK)]
    for at, group in enumerate(groups):
        environments = [f"synth:wide-{seed}" for seed in group]
        if at * WIDE_CHUNK < strayed:
            jobs.append(Job(f"strayed-{group[0]}", environments, 1, 2, ERRORS))
        jobs.append(Job(f"wide-{group[0]}", environments))
    weight, group = 0, []
    for index, seed in enumerate(seeds):
        group.append(seed)
        weight += instances_of(index)
        ends = index + 1 == len(seeds) or instances_of(index + 1) != instances_of(index)
        if weight >= chunk or ends:
            jobs.append(Job(f"synth-{group[0]}", [f"synth:{s}" for s in group], instances_of(index)))
            weight, group = 0, []
    return jobs


def own_steps(jobs: list[Job], student: str) -> list[Job]:
    """The runs in which steps lead astray, with the student's own mistakes, on other tasks."""
    return [replace(job, name=f"own-{job.name}", seed=3, student=student) for job in jobs if job.errors]


def run_job(espalier: list[str], out: Path, job: Job) -> dict:
    name = job.name
    run, log, began = out / "runs" / name, out / "logs" / f"{name}.log", time.time()
    done = out / "episodes" / f"{name}.jsonl.xz"
    if done.exists():
        return {"name": name, "episodes": -1, "seconds": 0}

    def call(*arguments: str) -> None:
        with log.open("a") as file:
            subprocess.run([*espalier, *arguments], stdout=file, stderr=file, check=False)

    options = ["--workers", "0", "--concurrency", "8" if job.student else "1"]
    options += ["--instances", str(job.instances), "--seed", str(job.seed), "--out", str(run)]
    options += ["--student", job.student] if job.student else ["--student", "planner", "--set", "student.nodes=600"]
    if job.errors and not job.student:
        options += ["--set", f"student.errors={job.errors}"]
    options += ["--strategy", "dagger", "--teacher", "planner"] if job.errors else ["--strategy", "linear"]
    table = "corrections" if job.errors else "next-actions"
    call("collect", *job.environments, *options)
    call("export", str(run), "--format", "jsonl", "--table", table, "--form", "compact")
    allowed = None
    if name.startswith("forge-"):
        call("leaks", str(run), "--out", str(run / "clean.txt"))
        allowed = set((run / "clean.txt").read_text().split())
    episodes = read_episodes(run / "export" / f"{table}.jsonl")
    kept = [episode for episode in episodes if allowed is None or episode["task"] in allowed]
    with lzma.open(done.with_suffix(".part"), "wt", preset=1) as file:
        file.writelines(json.dumps(episode, ensure_ascii=False) + "\n" for episode in kept)
    done.with_suffix(".part").rename(done)
    shutil.rmtree(run)
    return {
        "name": name,
        "episodes": len(kept),
        "leaks": len(episodes) - len(kept),
        "seconds": round(time.time() - began, 1),
    }


def attempt(espalier: list[str], out: Path, job: Job) -> dict:
    """One run that fails costs its own episodes; the line says so, and its log why."""
    try:
        return run_job(espalier, out, job)
    except OSError as error:
        return {"name": job.name, "episodes": 0, "error": str(error)}


def read_episodes(rows: Path) -> list[dict]:
    """Episodes with their steps as a model is asked for them; a step that attempts share once, with its mean worth."""
    episodes: dict[str, dict] = {}
    with rows.open() as file:
        for line in file:
            row = json.loads(line)
            if row.get("loss_mask", 1) == 0:
                continue
            facts = {"episode": row["episode"], "env": row["environment"], "steps": {}}
            episode = episodes.setdefault(
                row["episode"], facts | {name: row[name] for name in ("template", "task")}
            )
            action = row["action"] if isinstance(row["action"], dict) else json.loads(row["action"])
            step = {"prompt": row["messages"][1]["content"], "action": action, "worth": []}
            node = row.get("node", len(episode["steps"]))
            episode["steps"].setdefault(node, step)["worth"].append(row.get("advantage", math.nan))
    for episode in episodes.values():
        episode["steps"] = [
            {"prompt": step["prompt"], "action": step["action"], "advantage": sum(step["worth"]) / len(step["worth"])}
            for step in episode["steps"].values()
        ]
    return list(episodes.values())


def read_domains(espalier: list[str], seeds: range, wide: bool = False) -> dict[int, str]:
    root = Path(next(part for part in espalier if part.endswith("espalier.js"))).resolve().parent.parent
    file = "wide/draw/wide-spec.ts" if wide else "generate/synth-spec.ts"
    name = "wideDomain" if wide else "synthDomain"
    module = (root / "src/envs/synth" / file).as_uri()
    script = (
        f"const {{ {name} }} = await import('{module}');"
        f"const seeds = Array.from({{ length: {len(seeds)} }}, (_, at) => {seeds.start} + at);"
        f"console.log(JSON.stringify(seeds.map({name})));"
    )
    answer = subprocess.run([espalier[0], "--input-type=module", "-e", script], capture_output=True, check=True)
    return dict(zip(seeds, json.loads(answer.stdout), strict=False))


def looks_of(espalier: list[str], seeds: list[int]) -> list[dict]:
    """How each wide app looks and how people speak there, so that a family can be held out."""
    root = Path(next(part for part in espalier if part.endswith("espalier.js"))).resolve().parent.parent
    module = (root / "src/envs/synth/wide/draw/wide-spec.ts").as_uri()
    script = (
        f"const {{ wideFamilies }} = await import('{module}');"
        f"console.log(JSON.stringify({json.dumps(seeds)}.map(wideFamilies)));"
    )
    answer = subprocess.run([espalier[0], "--input-type=module", "-e", script], capture_output=True, check=True)
    return json.loads(answer.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--espalier",
        default="node_modules/.bin/node bin/espalier.js",
        help="how to start espalier (Node 22.18 or newer)",
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=4, help="runs at once")
    parser.add_argument("--apps", type=int, default=700, help="made-up apps")
    parser.add_argument("--wide", type=int, default=1000, help="wide made-up apps")
    parser.add_argument("--strayed", type=int, default=300, help="wide apps in which steps lead astray as well")
    parser.add_argument("--chunk", type=int, default=20, help="apps times instances in a run")
    parser.add_argument("--student", help="a student that takes the steps, for the planner to correct")
    parser.add_argument("--only-synth", action="store_true")
    options = parser.parse_args()
    espalier = shlex.split(options.espalier)
    for folder in ("runs", "logs", "episodes"):
        (options.out / folder).mkdir(parents=True, exist_ok=True)
    domains = read_domains(espalier, range(2001, 2001 + options.apps * 5 // 4 + 20))
    seeds = synth_seeds(options.apps, domains)
    (options.out / "apps.json").write_text(json.dumps([[seed, domains[seed]] for seed in seeds]))
    wide_domains = read_domains(espalier, range(1, 1 + options.wide * 5 // 4 + 20), wide=True)
    wide = synth_seeds(options.wide, wide_domains, 1)
    (options.out / "wide.json").write_text(json.dumps(looks_of(espalier, wide)))
    jobs = jobs_of(seeds, wide, options.strayed, options.chunk)
    if options.student:
        jobs = own_steps(jobs, options.student)
    if options.only_synth:
        jobs = [job for job in jobs if job.name.startswith(("synth-", "wide-"))]
    total, began = Counter(), time.time()
    with ThreadPoolExecutor(options.jobs) as pool:
        for result in pool.map(lambda job: attempt(espalier, options.out, job), jobs):
            total.update(episodes=result["episodes"], leaks=result.get("leaks", 0))
            print(json.dumps(result), flush=True)
    print(json.dumps({"all": total, "seconds": round(time.time() - began)}), flush=True)


if __name__ == "__main__":
    main()
