"""What the arms of correction.py reached: rates, differences to SRC adaptive, and a picture of success against queries.

python compared.py correction --pack correction.json
python compared.py correction.json --figure correction.svg
"""

import argparse
import json
from pathlib import Path

import numpy as np

from curves import BOTTOM, COLOURS, HEIGHT, LEFT, WIDTH

FIRST, DRAWS = "src-adaptive", 10_000
# Sets that count together, beside each alone.
TOGETHER = {"made-up": ("unseen-apps", "unseen-domains")}
NO_TEACHER = ("rl-forks", "own-successes", "nothing-new")
TITLES = {FIRST: "correction (SRC, adaptive)", "imitation-queries": "imitation", "dagger": "DAgger"}

Key = tuple[str, float, int]


def pack(results: list[dict]) -> dict:
    """All models in one small file: for each task of a set 1, 0, or - where it errored."""
    sets = list(results[0]["passes"])
    tasks = {name: sorted({task for one in results for _, task, _ in one["passes"][name]}) for name in sets}
    models = []
    for one in sorted(results, key=lambda one: (one["errors"], one["budget"], one["arm"], one["seed"])):
        passed = {name: {task: str(passed) for _, task, passed in one["passes"][name]} for name in sets}
        spelled = {name: "".join(passed[name].get(task, "-") for task in tasks[name]) for name in sets}
        models.append({key: value for key, value in one.items() if key != "rates"} | {"passes": spelled})
    return {"tasks": tasks, "models": models}


def read(path: Path) -> dict:
    if path.is_file():
        return json.loads(path.read_text())
    return pack([json.loads(part.read_text()) for part in sorted(path.glob("*.seed-*.json"))])


class Study:
    def __init__(self, packed: dict):
        self.tasks, self.models = packed["tasks"], packed["models"]
        self.sets = {name: (name,) for name in self.tasks} | {
            name: parts for name, parts in TOGETHER.items() if set(parts) <= set(self.tasks)
        }
        self.by_key: dict[Key, dict[int, dict]] = {}
        for model in self.models:
            self.by_key.setdefault((model["arm"], model["errors"], model["budget"]), {})[model["seed"]] = model

    def passes(self, model: dict, name: str) -> dict[str, float]:
        """By task; nan where it errored."""
        return {
            task: float("nan") if mark == "-" else float(mark)
            for part in self.sets[name]
            for task, mark in zip(self.tasks[part], model["passes"][part], strict=True)
        }

    def by_app(self, values: dict[str, float]) -> list[float]:
        apps: dict[str, list[float]] = {}
        for task, value in values.items():
            apps.setdefault(task.partition("/")[0], []).append(value)
        return [float(np.nanmean(own)) for own in apps.values()]

    def rate(self, key: Key, name: str) -> dict:
        models = self.by_key[key]
        return interval(np.array([self.by_app(self.passes(models[seed], name)) for seed in sorted(models)]))

    def gain(self, key: Key, other: Key, name: str) -> dict:
        """The one less the other, over the same tasks and seeds."""
        seeds, gains = sorted(set(self.by_key[key]) & set(self.by_key[other])), []
        for seed in seeds:
            mine, theirs = (self.passes(self.by_key[which][seed], name) for which in (key, other))
            gains.append(self.by_app({task: mine[task] - theirs[task] for task in mine}))
        return interval(np.array(gains)) | {"seeds": seeds}

    def others(self, errors: float, budget: int) -> list[Key]:
        """Arms to compare SRC adaptive with; those without a teacher have no errors of one."""
        return [
            key
            for key in self.by_key
            if key[2] == budget and key[0] != FIRST and (key[1] == errors or key[0] in NO_TEACHER)
        ]


def interval(values: np.ndarray) -> dict:
    """The mean of [seed, app] with its interval, by a bootstrap over both."""
    seeds, apps = values.shape
    dice = np.random.default_rng(1)
    rows, columns = dice.integers(0, seeds, (DRAWS, seeds)), dice.integers(0, apps, (DRAWS, apps))
    means = values[rows[:, :, None], columns[:, None, :]].mean((1, 2))
    low, high = np.quantile(means, [0.025, 0.975])
    return {"mean": round(float(values.mean()), 4), "low": round(float(low), 4), "high": round(float(high), 4)}


def told(found: dict) -> str:
    return f"{100 * found['mean']:.1f} ({100 * found['low']:.1f} to {100 * found['high']:.1f})"


def mean_of(models: dict[int, dict], name: str) -> str:
    values = [model["paid"].get(name, model.get(name)) for model in models.values()]
    return f"{sum(values) / len(values):,.0f}"


def tables(study: Study) -> str:
    sets = list(study.sets)
    lines = [
        f"| arm | wrong | queries | episodes | shown | new rows | {' | '.join(sets)} |",
        "| --- " * (6 + len(sets)) + "|",
    ]
    for key, models in sorted(study.by_key.items(), key=lambda own: (own[0][1], -own[0][2], own[0][0])):
        paid = [mean_of(models, name) for name in ("queries", "episodes", "steps")]
        cells = [key[0], f"{key[1]:.0%}", *paid, mean_of(models, "rows")]
        lines.append("| " + " | ".join([*cells, *(told(study.rate(key, name)) for name in sets)]) + " |")
    lines += ["", f"| {FIRST} less | wrong | budget | {' | '.join(sets)} |", "| --- " * (3 + len(sets)) + "|"]
    for arm, errors, budget in sorted(key for key in study.by_key if key[0] == FIRST):
        for other in study.others(errors, budget):
            cells = [other[0], f"{errors:.0%}", f"{budget:,}"]
            gains = [told(study.gain((arm, errors, budget), other, name)) for name in sets]
            lines.append("| " + " | ".join([*cells, *gains]) + " |")
    return "\n".join(lines)


def figure(study: Study) -> str:
    """Success in the made-up apps never seen against queries, with the teacher that does not err."""
    arms = {arm: sorted(key for key in study.by_key if key[0] == arm and key[1] == 0) for arm in TITLES}
    points = {
        arm: [
            (float(mean_of(study.by_key[key], "queries").replace(",", "")), study.rate(key, "made-up")) for key in keys
        ]
        for arm, keys in arms.items()
    }
    start = study.rate(("nothing-new", 0.0, max(key[2] for key in study.by_key)), "made-up")
    values = [start, *(found for own in points.values() for _, found in own)]
    low = min(found["low"] for found in values) - 0.01
    high, most = (
        max(found["high"] for found in values) + 0.01,
        max(at for own in points.values() for at, _ in own) * 1.06,
    )
    x = lambda queries: LEFT + queries / most * (WIDTH - LEFT - 12)
    y = lambda rate: 12 + (high - rate) / (high - low) * (HEIGHT - BOTTOM - 12)
    font = 'font-family="sans-serif" font-size="11"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" {font}>']
    parts.append(f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>')
    for tick in range(0, 101, 5):
        if low <= tick / 100 <= high:
            parts.append(f'<path d="M{LEFT} {y(tick / 100):.1f}H{WIDTH - 12}" stroke="#ddd"/>')
            parts.append(f'<text x="{LEFT - 6}" y="{y(tick / 100) + 4:.1f}" text-anchor="end">{tick} %</text>')
    for tick in (0, 300, 750, 1500):
        parts.append(f'<text x="{x(tick):.1f}" y="{HEIGHT - 16}" text-anchor="middle">{tick:,}</text>')
    caption = "queries to the teacher; passed tasks in made-up apps never seen"
    parts.append(f'<text x="{WIDTH / 2}" y="{HEIGHT - 2}" text-anchor="middle">{caption}</text>')
    parts.append(f'<path d="M{LEFT} {y(start["mean"]):.1f}H{WIDTH - 12}" stroke="#888" stroke-dasharray="4 3"/>')
    parts.append(f'<text x="{LEFT + 6}" y="{y(start["mean"]) - 5:.1f}" fill="#666">no teacher, nothing new</text>')
    for at, (arm, own) in enumerate(points.items()):
        colour, shift = COLOURS[at], 5 * (at - 1)
        line = " ".join(f"{x(queries) + shift:.1f},{y(found['mean']):.1f}" for queries, found in own)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for queries, found in own:
            bar = f"M{x(queries) + shift:.1f} {y(found['low']):.1f}V{y(found['high']):.1f}"
            parts.append(f'<path d="{bar}" stroke="{colour}" stroke-opacity="0.5"/>')
            parts.append(f'<circle cx="{x(queries) + shift:.1f}" cy="{y(found["mean"]):.1f}" r="3" fill="{colour}"/>')
        parts.append(f'<text x="{LEFT + 6}" y="{26 + 14 * at}" fill="{colour}">{TITLES[arm]}</text>')
    return "\n".join([*parts, "</svg>\n"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path, help="folder that correction.py wrote, or what --pack made of it")
    parser.add_argument("--pack", type=Path, help="write all models to one file")
    parser.add_argument("--figure", type=Path, help="write the picture")
    options = parser.parse_args()
    packed = read(options.results)
    study = Study(packed)
    if options.pack:
        models = ",\n".join(json.dumps(model) for model in packed["models"])
        options.pack.write_text(f'{{"tasks": {json.dumps(packed["tasks"])},\n"models": [\n{models}\n]}}\n')
    if options.figure:
        options.figure.write_text(figure(study))
    print(tables(study))


if __name__ == "__main__":
    main()
