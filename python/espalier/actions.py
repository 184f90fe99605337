"""Actions, as `step` takes them. Any other mapping with a `kind` works as well."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Action = Mapping[str, Any]


def click(ref: str) -> Action:
    return {"kind": "click", "ref": ref}


def fill(ref: str, text: str) -> Action:
    return {"kind": "fill", "ref": ref, "text": text}


def select(ref: str, option: str) -> Action:
    return {"kind": "select", "ref": ref, "option": option}


def call(tool: str, **input: Any) -> Action:
    """Calls a tool of the environment by name."""
    return {"kind": "call", "tool": tool, "input": input}


def finish(answer: str | None = None, *, infeasible: bool = False) -> Action:
    """Ends the episode. It is verified then."""
    action: dict[str, Any] = {"kind": "finish"}
    if answer is not None:
        action["answer"] = answer
    if infeasible:
        action["infeasible"] = True
    return action


def call_tool(name: str, arguments: Mapping[str, Any]) -> Action:
    """A tool call as OpenEnv has it. Screen actions (`click`, `fill`, …) and `finish` are tools, too."""
    return {"type": "call_tool", "tool_name": name, "arguments": dict(arguments)}
