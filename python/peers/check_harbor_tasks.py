"""Compares `espalier check harbor:<folder>` with Harbor's own validation, on a sound task and changed copies of it."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from pathlib import Path

from harbor.models.task.task import Task

from .served import report

ROOT = Path(__file__).parents[2]
SOUND = ROOT / "test" / "fixtures" / "harbor" / "hello-file"
CHANGES: dict[str, dict[str, str | None]] = {
    "sound": {},
    "no-instruction": {"instruction.md": None},
    "no-environment": {"environment": None},
    "image": {"environment/Dockerfile": None, "task.toml": '[environment]\ndocker_image = "debian"'},
    "no-tests": {"tests": None},
    "no-solution": {"solution": None},
    "windows": {"task.toml": '[environment]\nos = "windows"'},
    "not-toml": {"task.toml": "[task\nname = 1"},
    "old-version": {"task.toml": 'version = "1.0"\n[metadata]\nauthor = "somebody"'},
    "bad-name": {"task.toml": '[task]\nname = "hello"'},
    "bad-timeout": {"task.toml": '[agent]\ntimeout_sec = "soon"'},
    "hosts": {"task.toml": '[environment]\nallowed_hosts = ["pypi.org"]'},
    "allowlist": {"task.toml": '[environment]\nnetwork_mode = "allowlist"\nallowed_hosts = ["pypi.org"]'},
    "bad-network": {"task.toml": '[agent]\nnetwork_mode = "offline"'},
    "mcp": {"task.toml": '[[environment.mcp_servers]]\nname = "a"\nurl = "http://a/mcp"\ntransport = "http"'},
    "bad-mcp": {"task.toml": '[[environment.mcp_servers]]\nname = "a"\ntransport = "stdio"'},
    "shared": {"task.toml": '[verifier]\nenvironment_mode = "shared"\n[verifier.environment]\ncpus = 1'},
    "steps": {"task.toml": '[[steps]]\nname = "one"', "steps/one/instruction.md": "Do it."},
    "steps-missing": {"task.toml": '[[steps]]\nname = "one"'},
    "steps-outside": {"task.toml": '[[steps]]\nname = "../one"'},
    "unknown-member": {"task.toml": 'colour = "green"\n[agent]\nmood = "good"'},
}


def write(folder: Path, name: str, changes: dict[str, str | None]) -> None:
    place = folder / name
    shutil.copytree(SOUND, place)
    for path, content in changes.items():
        target = place / path
        if content is not None:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(content)
        elif target.is_dir():
            shutil.rmtree(target)
        else:
            target.unlink()


def main() -> None:
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        for name, changes in CHANGES.items():
            write(folder, name, changes)
        theirs = {name: Task.is_valid_dir(folder / name) for name in CHANGES}
        command = ["node", str(ROOT / "bin" / "espalier.js"), "check", f"harbor:{folder}", "--json"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    ours = {line["name"]: line["pass"] for line in lines if line["kind"] == "task"}
    different = {name: (ours.get(name), valid) for name, valid in theirs.items() if ours.get(name) != valid}
    assert not different, f"ours, theirs: {different}"
    assert True in theirs.values() and False in theirs.values()
    report("harbor", f"agrees on {len(CHANGES)} task folders, {sum(theirs.values())} of them sound")


if __name__ == "__main__":
    main()
