"""The compact prompt: task, steps done, notes, newest screen, for training rows and for serve.py.

The product writes the same bytes in src/models/prompt/compact.ts; its test compares prompts
that this file wrote (test/fixtures/small).

The reference of an element stands behind it (`button "Save" <e7>`) and is one token: by then a model that reads from
left to right knows the task, the region and the element, so pointing is one comparison.
"""

import re
from dataclasses import dataclass

REFERENCES = 320
SPECIAL = ["<pad>", "<end>", "<task>", "<done>", "<note>", "<screen>", "<act>"]
KIND_TOKENS = ["<click>", "<fill>", "<select>", "<finish>", "<answer>", "<infeasible>"]
ADDED = SPECIAL + KIND_TOKENS + [f"<e{number}>" for number in range(1, REFERENCES + 1)]

LINE = re.compile(r"^( *)(?:\[e(\d+)\] )?(.*)$")
OPTIONS = re.compile(r"\{(.*)\}")
NAMED = re.compile(r'^(?:region|row|listitem|form|dialog|page) "(.*)"')
WORD = re.compile(r"\w{3,}")
COMMON = {
    "the",
    "and",
    "for",
    "with",
    "that",
    "its",
    "from",
    "this",
    "have",
    "has",
    "answer",
    "please",
    "what",
    "which",
}
STEPS_SHOWN, NOTES_SHOWN, LONGEST_STEP = 12, 4, 160


@dataclass(frozen=True)
class Situation:
    task: str
    done: list[str]
    screens: list[str]  # the newest last


def write_prompt(situation: Situation) -> str:
    task = safe(" ".join(situation.task.split()))
    steps = [safe(step[:LONGEST_STEP]) for step in situation.done[-STEPS_SHOWN:]]
    parts = [f"<task> {task}", *(f"\n<done> {step}" for step in steps)]
    parts += [f"\n<note> {note}" for note in notes_of(task, [safe(screen) for screen in situation.screens])]
    return "".join(parts) + "\n<screen>" + write_screen(situation.screens[-1]) + "\n<act>"


def write_screen(screen: str) -> str:
    return "".join(write_line(*LINE.match(line).groups()) for line in safe(screen).split("\n") if line.strip())


def write_line(indent: str, reference: str | None, text: str) -> str:
    has_token = reference is not None and int(reference) <= REFERENCES
    return "\n" + " " * (len(indent) // 2) + text + (f" <e{reference}>" if has_token else "")


def notes_of(task: str, screens: list[str]) -> list[str]:
    """Fields of earlier screens that the newest lacks; both record and label share a word with the task."""
    asked, newest = words_of(task), screens[-1]
    notes: dict[str, str] = {}
    for screen in screens[:-1]:
        record = ""
        for line in screen.split("\n"):
            text = line.strip()
            name = NAMED.match(text)
            record = name.group(1) if name else record
            label, colon, _ = text.partition(": ")
            if not colon or "[e" in label or text in newest or not asked & words_of(label):
                continue
            if asked & words_of(record):
                notes[f"{record}: {label}"] = f"{record}: {text[:120]}"
    return list(notes.values())[-NOTES_SHOWN:]


def words_of(text: str) -> set[str]:
    return {word.lower() for word in WORD.findall(text)} - COMMON


def safe(text: str) -> str:
    """Text of apps cannot spell our tokens."""
    return text.replace("<", "‹")


def unsafe(text: str) -> str:
    return text.replace("‹", "<")


def argument_of(action: dict) -> tuple[str, str | None, str | None]:
    """(kind, reference, text) of an action of Espalier."""
    if action["kind"] == "finish":
        if action.get("infeasible"):
            return "infeasible", None, None
        return ("finish", None, None) if action.get("answer") is None else ("answer", None, action["answer"])
    return action["kind"], action.get("ref"), action.get("text", action.get("option"))


def action_of(kind: str, reference: str | None, text: str | None) -> dict:
    if kind in ("finish", "answer", "infeasible"):
        return (
            {"kind": "finish"}
            | ({"answer": text} if kind == "answer" else {})
            | ({"infeasible": True} if kind == "infeasible" else {})
        )
    return {"kind": kind, "ref": reference} | (
        {"text": text} if kind == "fill" else {"option": text} if kind == "select" else {}
    )


def write_answer(action: dict) -> str:
    kind, reference, text = argument_of(action)
    return (
        f"<{kind}>" + (f"<{reference}>" if reference else "") + (f" {safe(text)}" if text is not None else "") + "<end>"
    )


ANSWER = re.compile(r"<(click|fill|select|finish|answer|infeasible)>(?:<(e\d+)>)? ?([^<]*)")


def read_answer(answer: str) -> dict | None:
    match = ANSWER.match(answer.replace("<end>", ""))
    if match is None or (match[1] in ("click", "fill", "select") and match[2] is None):
        return None
    return action_of(match[1], match[2], unsafe(match[3]))
