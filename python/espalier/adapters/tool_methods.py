"""Tools of an environment as Python functions with a signature and a docstring, as trainers want them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from ..client import Client
from ..types import Tool

SCREEN_TOOLS = ("click", "fill", "select", "finish")

_types: dict[str, type] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "array": list,
    "object": dict,
}


def tools_of(client: Client, environment: str | None) -> list[Tool]:
    """The tools of an environment, without a session."""
    served = client.environments()
    found = next((one for one in served if environment in (None, one["id"])), None)
    if found is None:
        known = ", ".join(one["id"] for one in served)
        raise ValueError(f"There is no environment {environment!r}. Expected one of: {known}.")
    return [Tool(tool["name"], tool["description"], tool["input_schema"]) for tool in found["tools"]]


def choose_tools(tools: list[Tool], names: tuple[str, ...] | None) -> list[Tool]:
    """The named tools; those of the screen when none are named, or all where there is no screen."""
    known = {tool.name: tool for tool in tools}
    if names is None:
        names = SCREEN_TOOLS if "click" in known else tuple(known)
    missing = [name for name in names if name not in known]
    if missing:
        raise ValueError(f"There is no tool {', '.join(missing)}. Expected some of: {', '.join(known)}.")
    return [known[name] for name in names]


def method_of(tool: Tool, call: Callable[[Any, str, Mapping[str, Any]], str]) -> Callable[..., str]:
    """A method whose parameters are those of the tool. `call` gets the object, the name and the arguments."""
    schema = tool.input_schema
    required = set(schema.get("required", ()))
    fields = sorted(schema.get("properties", {}).items(), key=lambda field: field[0] not in required)

    def method(self: Any, **arguments: Any) -> str:
        return call(self, tool.name, arguments)

    parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    for name, about in fields:
        default = inspect.Parameter.empty if name in required else None
        annotation = type_of(about) if name in required else type_of(about) | None
        parameters.append(
            inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=annotation)
        )
        method.__annotations__[name] = annotation
    method.__annotations__.pop("arguments")
    method.__annotations__.pop("self", None)
    method.__annotations__["return"] = str
    method.__signature__ = inspect.Signature(parameters, return_annotation=str)  # type: ignore[attr-defined]
    method.__name__ = method.__qualname__ = tool.name
    method.__doc__ = _docstring(tool, fields)
    return method


def type_of(schema: Mapping[str, Any]) -> type:
    return _types.get(str(schema.get("type")), str)


def _docstring(tool: Tool, fields: list[tuple[str, Any]]) -> str:
    lines = [tool.description or tool.name, ""]
    if fields:
        lines += ["Args:", *(f"    {name}: {_about(name, schema)}" for name, schema in fields), ""]
    return "\n".join([*lines, "Returns:", "    What the environment answers."])


def _about(name: str, schema: Mapping[str, Any]) -> str:
    about = str(schema.get("description") or name.replace("_", " "))
    choices = schema.get("enum")
    return f"{about} One of: {', '.join(map(str, choices))}." if choices else about
