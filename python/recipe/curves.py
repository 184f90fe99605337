"""Draws the losses of trained models as one SVG picture.

python curves.py models/small models/other --out curves.svg
"""

import argparse
import json
import math
from pathlib import Path

WIDTH, HEIGHT, LEFT, BOTTOM = 720, 320, 52, 34
COLOURS = ("#2a6f97", "#c1666b", "#6a994e", "#9c6644", "#5f0f40", "#e09f3e", "#3d405b", "#81b29a")


def smoothed(losses: list[float], points: int = 160) -> list[float]:
    """Means of equal parts."""
    size = max(1, len(losses) // points)
    return [sum(losses[at : at + size]) / size for at in range(0, len(losses) - size + 1, size)]


def draw(runs: dict[str, tuple[float, list[float]]]) -> str:
    """Each run: millions of tokens in all, and its losses; losses are drawn on a logarithmic scale."""
    most = max(tokens for tokens, _ in runs.values())
    values = [loss for _, losses in runs.values() for loss in losses]
    low, high = math.log10(min(values)), math.log10(max(values))
    x = lambda tokens: LEFT + tokens / most * (WIDTH - LEFT - 12)
    y = lambda loss: 12 + (high - math.log10(loss)) / max(1e-9, high - low) * (HEIGHT - BOTTOM - 12)
    box, font = f"0 0 {WIDTH} {HEIGHT}", 'font-family="sans-serif" font-size="11"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" {font}>']
    parts.append(f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>')
    for tick in (0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10):
        if low <= math.log10(tick) <= high:
            parts.append(f'<path d="M{LEFT} {y(tick):.1f}H{WIDTH - 12}" stroke="#ddd"/>')
            parts.append(f'<text x="{LEFT - 6}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick}</text>')
    for tick in range(5):
        tokens = most * tick / 4
        parts.append(f'<text x="{x(tokens):.1f}" y="{HEIGHT - 16}" text-anchor="middle">{tokens:.0f}</text>')
    caption = "million tokens; loss on a logarithmic scale"
    parts.append(f'<text x="{WIDTH / 2}" y="{HEIGHT - 2}" text-anchor="middle">{caption}</text>')
    for at, (name, (tokens, losses)) in enumerate(runs.items()):
        colour = COLOURS[at % len(COLOURS)]
        points = " ".join(f"{x(tokens * (i + 1) / len(losses)):.1f},{y(loss):.1f}" for i, loss in enumerate(losses))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        parts.append(f'<text x="{WIDTH - 20}" y="{24 + 14 * at}" text-anchor="end" fill="{colour}">{name}</text>')
    return "\n".join([*parts, "</svg>\n"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    runs = {}
    for folder in options.models:
        train = json.loads((folder / "train.json").read_text())
        runs[folder.name] = (train["tokens"] / 1e6, smoothed(train["losses"]))
    options.out.write_text(draw(runs))


if __name__ == "__main__":
    main()
