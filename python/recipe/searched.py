"""Episodes of `espalier study wai` as rows.py takes them: certified solutions, as a student is asked for their steps.

python searched.py runs/wai --leave-out gmail xero-invoicing --out data
"""

import argparse
import json
import lzma
import shlex
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from data import read_episodes

KINDS = ("click", "fill", "select", "finish")


def export(espalier: list[str], run: Path, out: Path) -> list[dict]:
    """The solutions of one app; held-out tasks lie in other runs, and the export leaves them out a second time."""
    rows = out / "rows" / run.name
    options = ["--out", str(rows), "--format", "jsonl", "--table", "next-actions", "--form", "compact"]
    subprocess.run([*espalier, "export", str(run), *options], check=True, stdout=subprocess.DEVNULL)
    return taken(rows / "next-actions.jsonl") if (rows / "next-actions.jsonl").exists() else []


def taken(rows: Path) -> list[dict]:
    """Episodes whose steps are all of kinds that the model has."""
    episodes = read_episodes(rows)
    return [episode for episode in episodes if all(step["action"]["kind"] in KINDS for step in episode["steps"])]


def write_episodes(path: Path, episodes: list[dict]) -> None:
    with lzma.open(path, "wt", preset=1) as file:
        file.writelines(json.dumps(episode, ensure_ascii=False) + "\n" for episode in episodes)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("studies", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--leave-out", nargs="*", default=[], help="apps whose solutions are not taken")
    parser.add_argument("--espalier", default="node_modules/.bin/node bin/espalier.js", help="how to start espalier")
    parser.add_argument("--jobs", type=int, default=4, help="exports at once")
    options = parser.parse_args()
    runs = [run.parent for study in options.studies for run in sorted(study.glob("*/config.json"))]
    runs = [run for run in runs if run.name not in options.leave_out]
    (options.out / "episodes").mkdir(parents=True, exist_ok=True)
    espalier = shlex.split(options.espalier)
    with ThreadPoolExecutor(options.jobs) as pool:
        found = list(pool.map(lambda run: export(espalier, run, options.out), runs))
    for run, episodes in zip(runs, found, strict=True):
        write_episodes(options.out / "episodes" / f"{run.name}.jsonl.xz", episodes)
    steps = sum(len(episode["steps"]) for episodes in found for episode in episodes)
    print(json.dumps({"apps": len(runs), "episodes": sum(map(len, found)), "steps": steps}))


if __name__ == "__main__":
    main()
