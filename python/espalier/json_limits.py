"""Checks of values before they are sent as JSON. Each check says what is wrong with a value, or gives None."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

MAX_DEPTH = 100
"""Levels of lists and objects in a message."""

MAX_MESSAGE_BYTES = 2**20
"""The longest message a server takes, unless its metadata names another limit."""


def json_problem(value: Any, max_depth: int, max_values: int) -> str | None:
    """What keeps a value from being sent as JSON. Needs no recursion, and ends for lists that contain themselves."""
    waiting: list[tuple[Any, int]] = [(value, 1)]
    seen = 0
    while waiting:
        current, depth = waiting.pop()
        seen += 1
        if seen > max_values:
            return f"Expected at most {max_values} values, got more. Send less at a time."
        if isinstance(current, (Mapping, list, tuple)):
            if depth > max_depth:
                return f"Expected at most {max_depth} levels of lists and objects, got more. Send a flatter value."
            if isinstance(current, Mapping):
                for key in current:
                    if not isinstance(key, str):
                        return f"Expected keys of objects to be text, got {type(key).__name__}."
                waiting.extend((key, depth + 1) for key in current)
                current = list(current.values())
            waiting.extend((member, depth + 1) for member in current)
        else:
            problem = scalar_problem(current)
            if problem is not None:
                return problem
    return None


def scalar_problem(value: Any) -> str | None:
    """What keeps a text, number, boolean or None from being sent."""
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            return "A text has a lone surrogate, which is half of a character. Remove it."
        return None
    if isinstance(value, (int, float)):
        try:
            finite = math.isfinite(value)
        except OverflowError:
            finite = False
        return None if finite else "A number is not finite. JSON has no NaN and no Infinity."
    return f"A value of type {type(value).__name__} cannot be written as JSON."
