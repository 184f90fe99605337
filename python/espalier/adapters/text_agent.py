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

_call = re.compile(r"<tool_call>(.*?)(?:</tool_call>|$)", re.DOTALL)
_fence = re.compile(r"```[^\n`]*\n(.*?)(?:```|$)", re.DOTALL)
_SYSTEM = "You operate an application. Answer with one tool call, and nothing after it.{form}\nCall finish when the task is done."
_FORM = """
<tool_call>{"name": "…", "arguments": {…}}</tool_call>"""


def first_messages(instruction: str, screen: str, tools: Sequence[Tool]) -> list[Message]:
    """The first request, with the tools written into it."""
    lines = "\n".join(json.dumps(schema_of(tool)["function"], ensure_ascii=False) for tool in tools)
    system = _SYSTEM.replace("{form}", _FORM)
    return [
        {"role": "system", "content": f"{system}\n\nTools:\n{lines}"},
        {"role": "user", "content": f"{instruction}\n\n{screen}".strip()},
    ]


def bare_messages(instruction: str, screen: str) -> list[Message]:
    """The same for a chat template that writes the tools itself."""
    return [
        {"role": "system", "content": _SYSTEM.replace("{form}", "")},
        {"role": "user", "content": f"{instruction}\n\n{screen}".strip()},
    ]


def schema_of(tool: Tool) -> dict[str, Any]:
    """A tool as chat templates take it."""
    about = {"name": tool.name, "description": tool.description, "parameters": tool.input_schema}
    return {"type": "function", "function": about}


def observation_text(step: Step) -> str:
    """What the model is told after a step."""
    if step.problem is not None:
        return f"That was refused: {step.problem['message']}"
    result = step.result if step.result is not None else step.text
    return result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)


def parse_action(answer: str, offered: Sequence[Tool] | None = None) -> Action | str:
    """The action of an answer, or what is wrong with the answer. Tools that are not `offered` are named as unknown."""
    size = len(answer.encode("utf-8", "surrogatepass"))
    if size > MAX_ANSWER_BYTES:
        return f"Expected an answer of at most {MAX_ANSWER_BYTES} bytes, got {size}. Send less at a time."
    try:
        call = _json_in(answer)
    except RecursionError:
        return f"Expected at most {MAX_DEPTH} levels of lists and objects, got more. Send flatter arguments."
    except ValueError:
        return 'Expected <tool_call>{"name": "…", "arguments": {…}}</tool_call>.'
    if not isinstance(call, dict) or not isinstance(call.get("name"), str):
        return 'Expected a JSON object with "name" and "arguments".'
    if not 0 < len(call["name"]) <= MAX_NAME:
        return f'Expected "name" to have 1 to {MAX_NAME} characters, got {len(call["name"])}. Name one of the tools.'
    if offered is not None and call["name"] not in (known := [tool.name for tool in offered]):
        return f"There is no tool {call['name']!r}. Call one of: {', '.join(known)}."
    arguments = call.get("arguments", call.get("parameters", {}))
    if isinstance(arguments, str):
        arguments = _object_or_none(arguments)
    if not isinstance(arguments, Mapping):
        return 'Expected "arguments" to be a JSON object.'
    problem = json_problem([call["name"], arguments], MAX_DEPTH + 1, MAX_ANSWER_BYTES)
    return problem or call_tool(call["name"], arguments)


def _json_in(answer: str) -> Any:
    """The JSON of an answer: in the last tool call, closed or not, in a code block, or as it is."""
    spoken = answer.rpartition("</think>")[2]
    blocks = _call.findall(spoken) or _fence.findall(spoken) or [spoken]
    text = blocks[-1].strip()
    value, end = json.JSONDecoder().raw_decode(text)
    # What templates put behind an answer is no part of it.
    if re.sub(r"<\|[^|<>]*\|>|</s>|</tool_call>", "", text[end:]).strip():
        raise ValueError("There is more than one JSON value.")
    return value


def _object_or_none(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None
