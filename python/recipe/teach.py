"""Teaches a model on rows that a comparison of `espalier study wai` exported, serves it, and names it in the last line.

python teach.py --base models/small --out taught --seed 1 next-actions.jsonl
"""

import argparse
import hashlib
import json
import math
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Tokens of a batch, at the most and the least; and updates that few rows are worth.
MOST_BATCH, LEAST_BATCH, FEWEST_STEPS = 16_384, 4096, 120


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", type=Path, nargs="*", help="next-actions.jsonl, or folders with one; none: the base")
    parser.add_argument("--base", type=Path, required=True, help="folder of the model to go on from")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=3e-4)
    parser.add_argument("--epochs", type=float, default=3)
    parser.add_argument("--steps", type=int, help="updates, in place of epochs")
    parser.add_argument("--copies", type=int, default=2, help="of each episode; those behind the first in other words")
    parser.add_argument("--idle", type=float, default=30, help="minutes without a question after which the server ends")
    parser.add_argument("--device", choices=("cpu", "cuda"), help="the GPU where there is one")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    if options.device == "cpu":
        os.environ["CUDA_VISIBLE_DEVICES"] = ""
    # So few steps are over before compiled ones would begin.
    os.environ["TORCHDYNAMO_DISABLE"] = "1"
    files = [path / "next-actions.jsonl" if path.is_dir() else path for path in options.rows]
    facts = facts_of(options, files)
    if read(options.out / "taught.json") != facts:
        (options.out / "taught.json").unlink(missing_ok=True)
        stop(options.out)
        if files:
            teach(options, files)
        (options.out / "taught.json").write_text(json.dumps(facts))
    print(f"small:{serve(options.out if files else options.base, options)}", flush=True)


def facts_of(options: argparse.Namespace, files: list[Path]) -> dict:
    """What decides what the model is."""
    rows = [hashlib.sha256(path.read_bytes()).hexdigest() for path in files]
    base = hashlib.sha256((options.base / "model.pt").read_bytes()).hexdigest()
    told = {name: getattr(options, name) for name in ("seed", "rate", "epochs", "steps", "copies")}
    return told | {"base": base, "rows": rows}


def teach(options: argparse.Namespace, files: list[Path]) -> None:
    import train
    from searched import taken, write_episodes

    work = options.out / "work"
    (work / "episodes").mkdir(parents=True, exist_ok=True)
    for at, path in enumerate(files):
        write_episodes(work / "episodes" / f"{at}.jsonl.xz", taken(path))
    copies = ("--copies", str(options.copies), "--tokenizer", str(options.base / "tokenizer.json"))
    script("rows.py", "--episodes", str(work / "episodes"), "--out", str(work / "rows"), *copies)
    tokens = json.loads((work / "rows" / "rows.json").read_text())["tokens"]
    batch = min(MOST_BATCH, max(LEAST_BATCH, 2 ** math.floor(math.log2(max(1, tokens / 40)))))
    steps = options.steps or max(FEWEST_STEPS, math.ceil(options.epochs * tokens / batch))
    told = {
        "--rows": work / "rows",
        "--start": options.base,
        "--out": options.out,
        # Smaller batches are noisier.
        "--rate": options.rate * math.sqrt(batch / MOST_BATCH),
        "--batch": batch,
        "--tokens": (steps + 0.5) * batch / 1e6,
        "--own": 1,
        "--copies": options.copies,
        "--seed": options.seed,
    }
    train.main([*(str(part) for pair in told.items() for part in pair), "--guesses"])


def script(name: str, *arguments: str) -> None:
    subprocess.run([sys.executable, str(HERE / name), *arguments], check=True, stdout=subprocess.DEVNULL)


def serve(model: Path, options: argparse.Namespace) -> str:
    """The address of a server of its own session: it stays when this program ends."""
    about = read(options.out / "serve.json")
    if about and served_at(about["address"]) == about.get("model", ""):
        return about["address"]
    command = [sys.executable, str(HERE / "serve.py"), str(model), "--port", "0", "--idle", str(options.idle)]
    path = options.out / "serve.log"
    with path.open("w") as log:
        server = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
    while (ready := re.search(r"^ready at (\S+)\n", path.read_text(), re.MULTILINE)) is None:
        if server.poll() is not None:
            raise SystemExit(f"serve.py ended with {server.returncode}: {path.read_text()[-2000:]}")
        time.sleep(0.2)
    told = {"pid": server.pid, "address": ready[1], "model": served_at(ready[1])}
    (options.out / "serve.json").write_text(json.dumps(told))
    return ready[1]


def served_at(address: str) -> str | None:
    """The hash of the model there: another server may have the port by now."""
    try:
        with urllib.request.urlopen(f"{address}/model", timeout=20) as answer:
            return json.load(answer)["facts"]["sha256"]["model.onnx"]
    except (OSError, ValueError, KeyError):
        return None


def stop(out: Path) -> None:
    """Ends the server of a model that was taught otherwise: its address must not answer for the new one."""
    about = read(out / "serve.json")
    if about and served_at(about["address"]) == about.get("model", ""):
        os.kill(about["pid"], signal.SIGTERM)
    (out / "serve.json").unlink(missing_ok=True)


def read(path: Path) -> dict | None:
    return json.loads(path.read_text()) if path.exists() else None


if __name__ == "__main__":
    main()
