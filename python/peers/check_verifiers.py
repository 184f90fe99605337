"""An evaluation of verifiers with a scripted model endpoint: one task solved, one finished at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from .scripted_endpoint import scripted_endpoint
from .scripted_sampler import call_of, tool_call
from .served import URL, report, teacher_plan

TASK = "star-message"
CONFIG = """
model = "scripted"
push = false
output_dir = {folder}
[env.taskset]
id = "espalier_verifiers"
url = {url}
environment = "mail"
tasks = [{{task = "{task}", seed = 3}}]
[env.player.runtime]
type = "subprocess"
[env.player.harness]
id = "null"
[client]
base_url = {endpoint}
api_key_var = "SCRIPTED_KEY"
"""


def evaluate(answers: list[str]) -> float:
    programs = Path(sys.executable).parent
    environment = {
        **os.environ,
        "PATH": f"{programs}:{os.environ['PATH']}",
        "PYTHONPATH": str(Path(__file__).parents[1]),
        "SCRIPTED_KEY": "none",
    }
    with tempfile.TemporaryDirectory() as folder, scripted_endpoint(answers) as endpoint:
        config = Path(folder) / "eval.toml"
        texts = {"folder": json.dumps(folder), "url": json.dumps(URL), "endpoint": json.dumps(endpoint)}
        config.write_text(CONFIG.format(task=TASK, **texts))
        command = [str(programs / "vf-eval"), "@", str(config)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
        (traces,) = Path(folder).glob("*/traces.jsonl")
        (episode,) = map(json.loads, traces.read_text().splitlines())
    assert episode["ok"], [episode["errors"], *(trace["errors"] for trace in episode["traces"])]
    (trace,) = episode["traces"]
    return trace["rewards"]["espalier"]["score"]


def main() -> None:
    finish = tool_call("finish", {})
    solving = [*map(call_of, teacher_plan(TASK, 3)), finish]
    scores = evaluate(solving), evaluate(["I do not know.", finish])
    assert scores == (1, 0), scores
    report("verifiers", f"two evaluations by vf-eval, rewards {scores}")


if __name__ == "__main__":
    main()
