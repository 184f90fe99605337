"""Writes figures of a study as a file that the demo shows: rates with intervals, the command and a hash.

python recorded.py worlds --study study --command "python study.py …" --out recorded/worlds.json
python recorded.py correction --study correction.json --command "python correction.py …" --out recorded/correction.json
"""

import argparse
import hashlib
import json
import re
from pathlib import Path

from compared import TOGETHER, Study, read

ARMS = {
    "src-adaptive": "SRC, adaptive",
    "src-3": "SRC, K = 3",
    "src-1": "K = 1",
    "src-end": "K = ∞",
    "imitation-queries": "imitation, as many queries",
    "imitation-steps": "imitation, as many steps",
    "dagger": "DAgger",
    "rl-forks": "reinforcement learning from forks",
    "own-successes": "own successes",
    "nothing-new": "nothing new",
}


def worlds(study: Path) -> dict:
    """Evaluations named worlds-<apps>[-<episodes>]-seed-<n>: many apps against few, at equal tokens."""
    files = {path.stem: path for path in sorted((study / "evaluations").glob("worlds-*.json"))}
    found: dict[tuple[int, int], dict[int, dict]] = {}
    for name, path in files.items():
        apps, episodes, seed = re.fullmatch(r"worlds-(\d+)(?:-(\d+))?-seed-(\d+)", name).groups()
        found.setdefault((int(apps), int(episodes or 2900)), {})[int(seed)] = json.loads(path.read_text())["sets"]
    seeds = sorted({seed for own in found.values() for seed in own})
    sets = ["unseen-apps", "unseen-domains"]
    rate = lambda own: {key: round(own[key], 4) for key in ("rate", "low", "high")} | {"n": own["n"]}
    return {
        "title": "Many worlds against few",
        "about": "Models of 6 layers, 15 M tokens each: as many demonstrations from more or fewer made-up apps. "
        "The last row has a tenth of them.",
        "columns": [f"{name.replace('-', ' ')}, seed {seed}" for name in sets for seed in seeds],
        "rows": [
            {
                "label": f"{apps:,} apps, {episodes:,} episodes",
                "rates": [
                    rate(own[seed][name]["newInstances"]) if seed in own else None for name in sets for seed in seeds
                ],
            }
            for (apps, episodes), own in sorted(found.items(), key=lambda item: (-item[0][1], -item[0][0]))
        ],
        "differences": [],
        "sha256": hashed(files.values()),
    }


def correction(path: Path) -> dict:
    """Results of correction.py: the arms at the largest price, with a teacher that does not err."""
    study = Study(read(path))
    most = max(budget for _, _, budget in study.by_key)
    first, other = ((arm, 0.0, most) for arm in ("src-adaptive", "imitation-queries"))
    arms = [(arm, 0.0, most) for arm in ARMS if (arm, 0.0, most) in study.by_key]
    tasks = {name: sum(len(study.tasks[part]) for part in parts) for name, parts in study.sets.items()}
    rate = lambda key, name: renamed(study.rate(key, name), "rate") | {"n": tasks[name]}
    ahead = f"{ARMS['src-adaptive']} is ahead of {ARMS['imitation-queries']}"
    return {
        "title": "What a teacher’s answer buys",
        "about": f"One model, taught further by each way to ask the teacher, for {most:,} queries each, "
        f"{len(study.by_key[first])} training seeds. Intervals over apps and seeds.",
        "columns": [spoken(name) for name in study.sets],
        "rows": [{"label": ARMS[key[0]], "rates": [rate(key, name) for name in study.sets]} for key in arms],
        # By the plan, no other difference is called a finding: all made-up apps count together.
        "differences": [
            {"claim": f"{ahead}, in {spoken(name)}"} | renamed(study.gain(first, other, name), "mean")
            for name in [own for own in study.sets if own in TOGETHER] or study.sets
        ],
        "sha256": hashed([path] if path.is_file() else sorted(path.glob("*.seed-*.json"))),
    }


def spoken(name: str) -> str:
    return "all made-up apps" if name == "made-up" else name.replace("-", " ")


def renamed(found: dict, mean: str) -> dict:
    return {mean: found["mean"], "low": found["low"], "high": found["high"]}


def hashed(files) -> str:
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("worlds", "correction"))
    parser.add_argument(
        "--study", type=Path, required=True, help="folder that study.py or correction.py wrote, or correction.json"
    )
    parser.add_argument("--command", required=True, help="the command that made the study")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    made = {"worlds": worlds, "correction": correction}[options.what](options.study)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps({"command": options.command} | made, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
