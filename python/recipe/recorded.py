"""Writes figures of a study as a file that the demo shows: rates with intervals, the command and a hash.

python recorded.py worlds --study study --command "python study.py …" --out recorded/worlds.json
python recorded.py correction --study correction --command "python correction.py …" --out recorded/correction.json
"""

import argparse
import hashlib
import json
import re
from pathlib import Path

import numpy as np
from correction import interval

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
                "rates": [rate(own[seed][name]["newInstances"]) if seed in own else None for name in sets for seed in seeds],
            }
            for (apps, episodes), own in sorted(found.items(), key=lambda item: (-item[0][1], -item[0][0]))
        ],
        "differences": [],
        "sha256": hashed(files.values()),
    }


def correction(study: Path) -> dict:
    """Results of correction.py: the arms at the largest price, with a teacher that does not err."""
    files = [path for path in sorted(study.glob("*.json")) if path.name != "differences.json"]
    results = [json.loads(path.read_text()) for path in files]
    most = max(result["budget"] for result in results)
    own = [result for result in results if result["budget"] == most and not result["errors"]]
    sets = list(dict.fromkeys(name for result in own for name in result["passes"]))
    arms = [arm for arm in ARMS if any(result["arm"] == arm for result in own)]
    # By the plan, no other difference is called a finding.
    differences = json.loads((study / "differences.json").read_text())["0.0"]
    found = [one for one in differences if one["less"] == "imitation-queries"]
    ahead = f"{ARMS['src-adaptive']} is ahead of {ARMS['imitation-queries']}"
    return {
        "title": "What a teacher’s answer buys",
        "about": f"One model, taught further by each way to ask the teacher, for {most:,} queries each, "
        f"{len({result['seed'] for result in own})} training seeds. Intervals over apps and seeds.",
        "columns": [name.replace("-", " ") for name in sets],
        "rows": [{"label": ARMS[arm], "rates": [estimate(by_app(own, arm, name)) for name in sets]} for arm in arms],
        "differences": [
            {"claim": f"{ahead}, in {one['set'].replace('-', ' ')}", "mean": one["gain"]}
            | {key: one[key] for key in ("low", "high")}
            for one in found
        ],
        "sha256": hashed(files),
    }


def by_app(results: list[dict], arm: str, name: str) -> np.ndarray:
    """Mean success by seed and app."""
    own = sorted((result for result in results if result["arm"] == arm), key=lambda result: result["seed"])
    apps = sorted({app for app, _, _ in own[0]["passes"][name]})
    mean = lambda passes, app: np.mean([passed for other, _, passed in passes if other == app])
    return np.array([[mean(result["passes"][name], app) for app in apps] for result in own])


def estimate(table: np.ndarray) -> dict:
    """The mean of a table by seed and app, with its interval."""
    found = interval(table, 4000)
    return {"rate": found["gain"], "low": found["low"], "high": found["high"], "n": int(table.size)}


def hashed(files) -> str:
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("worlds", "correction"))
    parser.add_argument("--study", type=Path, required=True, help="folder that study.py or correction.py wrote")
    parser.add_argument("--command", required=True, help="the command that made the study")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    made = {"worlds": worlds, "correction": correction}[options.what](options.study)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps({"command": options.command} | made, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
