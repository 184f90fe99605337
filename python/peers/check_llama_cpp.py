"""A real llama.cpp server as the student: what it refuses, its token ids, and answers that a grammar holds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from .served import report

ROOT = Path(__file__).parents[2]


@contextmanager
def model_server() -> Iterator[str]:
    command = [sys.executable, "-m", "peers.llama_cpp_server"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        try:
            yield next(line.strip() for line in server.stdout if line.startswith("http"))
        finally:
            server.kill()


def ask(url: str, body: dict[str, Any] | None = None) -> Any:
    request = Request(url, None if body is None else json.dumps(body).encode(), {"content-type": "application/json"})
    with urlopen(request, timeout=60) as answer:
        return json.load(answer)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [os.environ["ESPALIER_NODE"], str(ROOT / "bin" / "espalier.js"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True)


def collect(student: str, folder: Path, *settings: str) -> tuple[dict[str, Any], str]:
    """One question of one step."""
    told = [word for setting in ("limits.steps=1", *settings) for word in ("--set", setting)]
    task = ["problem:gcd", "--templates", "gcd-easy", "--instances", "1", "--strategy", "linear"]
    done = run("collect", *task, "--student", student, *told, "--json", "--out", str(folder))
    return json.loads(done.stdout.splitlines()[-1]), done.stderr


def agent_steps(folder: Path) -> list[dict[str, Any]]:
    run("export", str(folder), "--as", "atif")
    files = (folder / "export" / "atif").glob("*.json")
    steps = [step for file in files for step in json.loads(file.read_text())["steps"]]
    return [step for step in steps if "completion_token_ids" in step.get("metrics", {})]


def check_first_call(student: str, folder: Path) -> None:
    """Tools, log probabilities and streaming together are refused: the same question is asked without streaming."""
    ran, told = collect(student, folder, "student.maxTokens=8")
    assert "refuses streaming" in told, told
    assert ran["environments"][0]["outcomes"]["errored"] == 0 and ran["spent"]["calls"] > 0, ran


def check_grammar(student: str, url: str, folder: Path) -> int:
    """Every answer is a step, and the ids that the server named are those of its text."""
    ran, told = collect(student, folder, "student.speech=text", "student.temperature=0", "student.maxTokens=200")
    assert "could not be used" not in told, told
    steps = agent_steps(folder)
    assert len(steps) == ran["spent"]["calls"] == ran["environments"][0]["steps"] > 0, ran
    for step in steps:
        text = ask(f"{url}/detokenize", {"tokens": step["metrics"]["completion_token_ids"]})["content"]
        assert text.strip() == step["message"].strip(), (text, step)
    return sum(len(step["metrics"]["completion_token_ids"]) for step in steps)


def main() -> None:
    with model_server() as url, tempfile.TemporaryDirectory() as folder:
        (model,) = ask(f"{url}/v1/models")["data"]
        student = f"openai:{model['id']}@{url}/v1"
        check_first_call(student, Path(folder, "tools"))
        tokens = check_grammar(student, url, Path(folder, "grammar"))
    report("xllamacpp", f"a first call with tools and log probabilities, and steps by its grammar: {tokens} token ids")


if __name__ == "__main__":
    main()
