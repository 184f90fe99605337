"""Tokens of the compact prompt, which the product writes (`export --form compact`), and steps as a model says them.

The reference of an element stands behind it (`button "Save" <e7>`) and is one token: by then a model that reads from
left to right knows the task, the region and the element, so pointing is one comparison.
"""

import re

REFERENCES = 320
SPECIAL = ["<pad>", "<end>", "<task>", "<done>", "<note>", "<screen>", "<act>"]
KIND_TOKENS = ["<click>", "<fill>", "<select>", "<finish>", "<answer>", "<infeasible>"]
ADDED = SPECIAL + KIND_TOKENS + [f"<e{number}>" for number in range(1, REFERENCES + 1)]


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
