"""Worlds and demonstrations: runs `espalier collect` and `export` in parallel, and keeps one line per episode.

    python data.py --out data --jobs 16 --apps 700 --wide 1000

Each line is {"env", "template", "task", "instruction", "steps": [{"screen", "action", "done"}]}.
"""

import argparse
import json
import lzma
import re
import shlex
import shutil
import subprocess
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# Apps of these domains are never trained on: they tell new worlds from new words.
HELD_OUT_DOMAINS = {"choir", "garage", "kennel", "marina", "pharmacy", "theatre"}
HAND_WRITTEN = ["mail", "shop", "tracker"]
# Instances of each forged template by kind; chains of commands are drawn anew for every seed.
FORGED = [
    ("commands", 40, 1),
    *(("chains", 20, seed) for seed in (1, 2, 3, 4)),
    ("conflicts", 30, 1),
    ("questions", 40, 1),
]
WIDE_CHUNK = 5

TASK = re.compile(r"<task>\n(.*?)\n</task>", re.S)
SCREEN = re.compile(r"<screen>\n(.*?)\n*</screen>", re.S)
DONE = re.compile(r"<done>\n(.*?)\n*</done>", re.S)


def synth_seeds(count: int, domains: dict[int, str], first: int = 2001) -> list[int]:
    """The first `count` seeds whose domain is not held out."""
    seeds = (seed for seed in range(first, first + len(domains)) if domains[seed] not in HELD_OUT_DOMAINS)
    return [seed for seed, _ in zip(seeds, range(count), strict=False)]


def instances_of(index: int) -> int:
    """Instances per template, so that 10, 30, 100, 300 or all apps give the same number of tasks."""
    return 20 if index < 10 else 7 if index < 30 else 2 if index < 100 else 1


Job = tuple[str, list[str], int, int]


def jobs_of(seeds: list[int], wide: list[int], chunk: int) -> list[Job]:
    """(name, environments, instances, seed) of each run, the longest first."""
    jobs = [
        (f"forge-{app}-{kind}-{seed}", [f"forge:{app},kinds={kind}"], instances, seed)
        for kind, instances, seed in FORGED
        for app in HAND_WRITTEN
    ]
    jobs += [(app, [app], 14, 1) for app in HAND_WRITTEN]
    groups = [wide[at : at + WIDE_CHUNK] for at in range(0, len(wide), WIDE_CHUNK)]
    jobs += [(f"wide-{group[0]}", [f"synth:wide-{seed}" for seed in group], 1, 1) for group in groups]
    weight, group = 0, []
    for index, seed in enumerate(seeds):
        group.append(seed)
        weight += instances_of(index)
        ends = index + 1 == len(seeds) or instances_of(index + 1) != instances_of(index)
        if weight >= chunk or ends:
            jobs.append((f"synth-{group[0]}", [f"synth:{s}" for s in group], instances_of(index), 1))
            weight, group = 0, []
    return jobs


def run_job(espalier: list[str], out: Path, job: Job) -> dict:
    name, environments, instances, seed = job
    run, log, began = out / "runs" / name, out / "logs" / f"{name}.log", time.time()
    done = out / "episodes" / f"{name}.jsonl.xz"
    if done.exists():
        return {"name": name, "episodes": -1, "seconds": 0}

    def call(*arguments: str) -> None:
        with log.open("a") as file:
            subprocess.run([*espalier, *arguments], stdout=file, stderr=file, check=False)

    options = ["--student", "planner", "--set", "student.nodes=600", "--strategy", "linear"]
    options += ["--workers", "0", "--concurrency", "1"]
    call("collect", *environments, "--instances", str(instances), "--seed", str(seed), *options, "--out", str(run))
    call("export", str(run), "--format", "jsonl", "--table", "next-actions", "--window", "10000000")
    allowed = None
    if name.startswith("forge-"):
        call("leaks", str(run), "--out", str(run / "clean.txt"))
        allowed = set((run / "clean.txt").read_text().split())
    episodes = read_episodes(run / "export" / "next-actions.jsonl")
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
        return {"name": job[0], "episodes": 0, "error": str(error)}


def read_episodes(rows: Path) -> list[dict]:
    """Rows of one episode follow each other; each shows the newest screen and the action taken on it."""
    episodes: dict[str, dict] = {}
    with rows.open() as file:
        for line in file:
            row = json.loads(line)
            texts = [content_of(message) for message in row["messages"]]
            screens = SCREEN.findall(texts[-2])
            if not screens:
                continue
            episode = episodes.setdefault(
                row["episode"],
                {
                    "episode": row["episode"],
                    "env": row["environment"],
                    "template": row["template"],
                    "task": row["task"],
                    "instruction": plain(TASK.search("\n".join(texts[:2])).group(1)),
                    "steps": [],
                },
            )
            if episode["steps"]:
                episode["steps"][-1]["done"] = plain(DONE.findall(texts[-2])[-1])
            action = row["action"] if isinstance(row["action"], dict) else json.loads(row["action"])
            episode["steps"].append({"screen": plain(screens[-1]), "action": action})
    return list(episodes.values())


def content_of(message: dict) -> str:
    content = message.get("content") or ""
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def plain(text: str) -> str:
    """Without the backslashes that keep the text of apps apart from the prompt."""
    return re.sub(r"([<\[])\\", r"\1", text)


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
    parser.add_argument("--chunk", type=int, default=20, help="apps times instances in a run")
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
    jobs = jobs_of(seeds, wide, options.chunk)
    if options.only_synth:
        jobs = [job for job in jobs if job[0].startswith(("synth-", "wide-"))]
    total, began = Counter(), time.time()
    with ThreadPoolExecutor(options.jobs) as pool:
        for result in pool.map(lambda job: attempt(espalier, options.out, job), jobs):
            total.update(episodes=result["episodes"], leaks=result.get("leaks", 0))
            print(json.dumps(result), flush=True)
    print(json.dumps({"all": total, "seconds": round(time.time() - began)}), flush=True)


if __name__ == "__main__":
    main()
