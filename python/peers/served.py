"""The server that the checks run against: `ESPALIER_URL`, with the teacher's key in `ESPALIER_TEACHER_KEY`."""

from __future__ import annotations

import os
from importlib.metadata import version

import espalier

URL = os.environ["ESPALIER_URL"]
TEACHER_KEY = os.environ["ESPALIER_TEACHER_KEY"]


def teacher_plan(task: str, seed: int) -> list[espalier.Action]:
    """The steps to the goal, without the last one, which finishes."""
    with espalier.connect(URL, key=TEACHER_KEY) as teacher, teacher.session("mail", task=task, seed=seed) as session:
        return [action for action in session.plan().actions if action["kind"] != "finish"]


def report(library: str, text: str) -> None:
    print(f"{library} {version(library)}: {text}", flush=True)
