"""Evaluates a model by `espalier eval` on apps, domains, tasks and an app of a user that it never saw.

python evaluate.py models/small --out results
"""

import argparse
import json
import os
import shlex
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
SETS = {
    # Made-up apps of domains that were trained on, and of domains that were not (data.py holds those out).
    "unseen-apps": ([9002, 9003, 9004, 9006, 9007, 9008, 9009, 9010, 9011, 9013, 9014, 9016], "new-instances", 1),
    "unseen-domains": ([9001, 9005, 9012, 9015, 9034, 9046, 9058, 9059, 9070, 9074, 9075, 9077], "new-instances", 1),
    # Wide made-up apps, likewise.
    "wide-apps": ([f"synth:wide-{seed}" for seed in (9001, 9002, 9003, 9004, 9008, 9010)], "new-instances", 1),
    "wide-domains": ([f"synth:wide-{seed}" for seed in (9009, 9015, 9023, 9024, 9051, 9085)], "new-instances", 1),
    "own-apps": (["mail", "shop", "tracker"], "new-instances,held-out", 3),
    "library": (["examples/library/library.ts"], "new-instances,held-out", 8),
    # Apps written one by one by a writer who knew nothing of the model; nobody trains on them, nor reads how a model fails there.
    "hand-written": (sorted(str(path) for path in (HERE / "unseen").glob("*.ts")), "new-instances,held-out", 4),
    "hand-written-2": (sorted(str(path) for path in (HERE / "unseen-2").glob("*.ts")), "new-instances,held-out", 4),
}


def evaluate(model: Path, espalier: list[str], out: Path, port: int, only: list[str]) -> dict:
    out.mkdir(parents=True, exist_ok=True)
    log = (out / "serve.log").open("w")
    server = subprocess.Popen(
        [sys.executable, str(HERE / "serve.py"), str(model), "--port", str(port)], stdout=log, stderr=log
    )
    address = f"http://127.0.0.1:{port}"
    try:
        wait_for(address, server)
        began = time.time()
        running = {name: start(name, espalier, out, address) for name in only}
        results = {name: read(process, out / f"{name}.json") for name, process in running.items()}
        stats = json.load(urllib.request.urlopen(address))
    finally:
        server.terminate()
    return {"model": model.name, "seconds": round(time.time() - began, 1), "server": stats, "sets": results}


def wait_for(address: str, server: subprocess.Popen) -> None:
    for _ in range(240):
        time.sleep(0.5)
        # Another server may answer at this port: ours has ended then.
        if server.poll() is not None:
            raise RuntimeError("The server ended before it was ready: see serve.log. Is the port taken?")
        try:
            urllib.request.urlopen(address)
            return
        except OSError:
            continue
    raise RuntimeError("The server was not ready within two minutes: see serve.log.")


def start(name: str, espalier: list[str], out: Path, address: str) -> subprocess.Popen:
    apps, levels, instances = SETS[name]
    environments = [f"synth:{app}" if isinstance(app, int) else app for app in apps]
    options = [
        "--levels",
        levels,
        "--instances",
        str(instances),
        "--no-baselines",
        "--concurrency",
        "96",
        "--workers",
        "3",
    ]
    return subprocess.Popen(
        [
            *espalier,
            "eval",
            *environments,
            "--student",
            str(HERE / "policy.ts"),
            *options,
            "--json",
            "--out",
            str(out / name),
        ],
        stdout=(out / f"{name}.json").open("w"),
        stderr=(out / f"{name}.log").open("w"),
        env=os.environ | {"RECIPE_SERVER": address},
    )


def read(process: subprocess.Popen, path: Path) -> dict:
    process.wait(timeout=280)
    lines = path.read_text().strip().split("\n")
    subject = json.loads(lines[-1])["subject"]
    return {level: subject[level]["overall"] for level in ("newInstances", "heldOut") if subject[level]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("--espalier", default="node_modules/.bin/node bin/espalier.js")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--port", type=int, default=8012)
    parser.add_argument("--sets", default=",".join(SETS))
    options = parser.parse_args()
    result = evaluate(options.model, shlex.split(options.espalier), options.out, options.port, options.sets.split(","))
    (options.out / "evaluation.json").write_text(json.dumps(result))
    for name, levels in result["sets"].items():
        for level, found in levels.items():
            interval = f"{found['low']:.0%} to {found['high']:.0%}"
            print(f"{result['model']} {name} {level}: {found['rate']:.0%} ({interval}) of {found['n']}")


if __name__ == "__main__":
    main()
