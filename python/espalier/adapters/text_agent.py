"""What a language model is told, and how its answer becomes an action, where the trainer has no tools of its own."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from ..actions import Action, call_tool
from ..json_limits import json_problem
from ..types import Step, Tool

Message = dict[str, str]

MAX_ANSWER_BYTES = 500_000
MAX_NAME = 200
MAX_DEPTH = 50

_call = re.compile(r"<tool_call>\s*(\{.*?\})\s*</tool_call>", re.DOTALL)
_SYSTEM = """You operate an application. Answer with one tool call, and nothing after it:
<tool_call>{"name": "…", "arguments": {…}}</tool_call>
Call finish when the task is done.

Tools:
"""


def first_messages(instruction: str, screen: str, tools: Sequence[Tool]) -> list[Message]:
    return [
        {"role": "system", "content": _SYSTEM + "\n".join(_line(tool) for tool in tools)},
        {"role": "user", "content": f"{instruction}\n\n{screen}".strip()},
    ]


def observation_text(step: Step) -> str:
    """What the model is told after a step."""
    if step.problem is not None:
        return f"That was refused: {step.problem['message']}"
    result = step.result if step.result is not None else step.text
    return result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)


def parse_action(answer: str) -> Action | str:
    """The action of an answer, or what is wrong with the answer."""
    size = len(answer.encode("utf-8", "surrogatepass"))
    if size > MAX_ANSWER_BYTES:
        return f"Expected an answer of at most {MAX_ANSWER_BYTES} bytes, got {size}. Send less at a time."
    found = _call.search(answer)
    try:
        call = json.loads(found.group(1) if found else answer)
    except RecursionError:
        return f"Expected at most {MAX_DEPTH} levels of lists and objects, got more. Send flatter arguments."
    except ValueError:
        return 'Expected <tool_call>{"name": "…", "arguments": {…}}</tool_call>.'
    if not isinstance(call, dict) or not isinstance(call.get("name"), str):
        return 'Expected a JSON object with "name" and "arguments".'
    if not 0 < len(call["name"]) <= MAX_NAME:
        return f'Expected "name" to have 1 to {MAX_NAME} characters, got {len(call["name"])}. Name one of the tools.'
    arguments = call.get("arguments", {})
    if not isinstance(arguments, Mapping):
        return 'Expected "arguments" to be a JSON object.'
    problem = json_problem([call["name"], arguments], MAX_DEPTH + 1, MAX_ANSWER_BYTES)
    return problem or call_tool(call["name"], arguments)


def _line(tool: Tool) -> str:
    schema: dict[str, Any] = {"name": tool.name, "description": tool.description, "parameters": tool.input_schema}
    return json.dumps(schema, ensure_ascii=False)
