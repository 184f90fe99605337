"""Requests and how their answers are read, apart from any connection. docs/serving.md has the wire format."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from .errors import (
    ConnectionLost,
    EspalierError,
    ProtocolError,
    RequestTimeout,
    ServerError,
    ValidationError,
    server_error,
)
from .json_limits import MAX_DEPTH, MAX_MESSAGE_BYTES, json_problem
from .types import Candidate, Check, Opened, Plan, Restored, Snapshot, StateDigest, Step, Tool, Verdict, Verified

T = TypeVar("T")
Data = Mapping[str, Any]

MAX_PENDING = 64
"""The server stops reading from a connection with more unanswered requests."""


_REPEATABLE = frozenset(
    ("attach", "observe", "state", "digest", "snapshot", "restore", "rollback", "candidates", "verify", "plan")
)


@dataclass(frozen=True)
class Request(Generic[T]):
    """A verb with its arguments, and the function that reads the answer."""

    type: str
    data: Data
    read: Callable[[Data], T]
    answer: str
    name: str | None = None
    """The same for a request and its retries: the server takes a step with a name once."""

    def repeatable(self, knows_names: bool) -> bool:
        """Whether sending it twice does the same as sending it once. Not all servers know names of requests."""
        if self.type == "step" and self.data.get("type") != "list_tools":
            return knows_names and self.name is not None
        return self.type in _REPEATABLE or self.type == "step"

    def encode(self, id: int, session: str | None, max_bytes: int = MAX_MESSAGE_BYTES) -> bytes:
        """The message as it is sent. Raises ValidationError for what the server could not read."""
        if not isinstance(self.data, Mapping):
            raise ValidationError.unsent(f"Expected a mapping for {self.type}, got {type(self.data).__name__}.")
        message: dict[str, Any] = {"type": self.type, "data": self.data, "id": id}
        if session is not None:
            message["session"] = session
        if self.name is not None:
            message["request"] = self.name
        # A value takes two bytes at least: one of its own, and a comma or bracket.
        problem = json_problem(message, MAX_DEPTH, max_bytes // 2 + 1)
        if problem is not None:
            raise ValidationError.unsent(f"This {self.type} was not sent. {problem}")
        try:
            payload = json.dumps(message, ensure_ascii=False, allow_nan=False, default=_plain_mapping).encode()
        except (TypeError, ValueError, RecursionError) as cause:
            raise ValidationError.unsent(f"This {self.type} was not sent. It is not JSON: {cause}.") from cause
        if len(payload) > max_bytes:
            raise ValidationError.unsent(
                f"This {self.type} was not sent. Expected at most {max_bytes} bytes, got {len(payload)}."
            )
        return payload

    def decode(self, message: Data) -> T:
        """The value of an answer. Raises what the server refused."""
        data = message.get("data")
        if not isinstance(data, dict):
            raise ProtocolError(f"The answer to {self.type} has no data.")
        if message.get("type") == "error":
            raise server_error(data)
        if message.get("type") != self.answer:
            raise ProtocolError(f"Expected an answer of type {self.answer}, got {message.get('type')!r}.")
        try:
            return self.read(data)
        except (KeyError, TypeError) as cause:
            raise ProtocolError(f"The answer to {self.type} lacks a field, or has a wrong one: {cause}.") from cause


def _plain_mapping(value: Any) -> Any:
    """Mappings of other types than dict, for json."""
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"a value of type {type(value).__name__} cannot be written")


def message_limit(metadata: Data, default: int) -> int:
    """The longest message that a server takes, by its metadata."""
    found: Any = metadata
    for name in ("capabilities", "limits", "message_bytes"):
        found = found.get(name) if isinstance(found, Mapping) else None
    return found if isinstance(found, int) and found > 0 else default


def parse_message(payload: bytes) -> dict[str, Any]:
    try:
        message = json.loads(payload)
    except ValueError as cause:
        raise ProtocolError(f"The server sent a message that is not JSON: {cause}.") from cause
    if not isinstance(message, dict):
        raise ProtocolError("The server sent a message that is not a JSON object.")
    return message


def error_without_id(message: Data) -> ServerError | None:
    """The error in a message that does not say which request it answers."""
    if message.get("type") != "error" or message.get("id") is not None:
        return None
    data = message.get("data")
    return server_error(data if isinstance(data, Mapping) else {})


def explained(error: EspalierError, unclaimed: ServerError | None) -> EspalierError:
    """A timeout or a lost connection, with an error of the server that may be its cause."""
    if unclaimed is None:
        return error
    message = f"{error.message} The server said: {unclaimed}"
    return ConnectionLost(message, error.close_code) if isinstance(error, ConnectionLost) else RequestTimeout(message)


def pauses() -> Iterator[float]:
    """Seconds between attempts to connect: longer and longer, up to two."""
    pause = 0.1
    while True:
        yield pause
        pause = min(2.0, pause * 2)


def not_known(request: Request[Any], error: EspalierError) -> ConnectionLost:
    """For a request that was under way when the connection was lost, after another connection was made."""
    return ConnectionLost(
        f"{error.message} The connection is back, but this {request.type} may have taken effect or not."
        " Call observe() or state() to see where the session stands."
    )


def _request(type: str, read: Callable[[Data], T], data: Data | None = None, answer: str | None = None) -> Request[T]:
    given = {name: value for name, value in (data or {}).items() if value is not None}
    # The answer to a named request says whether the server knows names.
    return Request(type, given, read, answer or type, uuid.uuid4().hex if type in ("open", "reset") else None)


def open_session(data: Data) -> Request[Opened]:
    return _request("open", _opened, data)


def attach(session: str) -> Request[Opened]:
    return _request("attach", _opened, {"session": session})


def reset(data: Data) -> Request[Step]:
    return _request("reset", _step, data, "observation")


def step(action: Data) -> Request[Step]:
    return Request("step", action, _step, "observation", uuid.uuid4().hex)


def tools() -> Request[list[Tool]]:
    return _request("step", _tools, {"type": "list_tools"}, "observation")


def observe() -> Request[Step]:
    return _request("observe", _step)


def state() -> Request[dict[str, Any]]:
    return _request("state", dict)


def digest() -> Request[StateDigest]:
    return _request("digest", lambda data: StateDigest(data["node"], data["digest"], data["recorded"], data["equal"]))


def snapshot() -> Request[Snapshot]:
    return _request("snapshot", lambda data: Snapshot(data["snapshot"], data["node"], data["digest"]))


def restore(saved: Snapshot | str) -> Request[Restored]:
    return _request("restore", _restored, {"snapshot": saved.id if isinstance(saved, Snapshot) else saved})


def rollback(node: int) -> Request[Restored]:
    return _request("rollback", _restored, {"node": node})


def fork(n: int, node: int | None) -> Request[list[str]]:
    return _request("fork", lambda data: [fork["session"] for fork in data["sessions"]], {"n": n, "node": node})


def candidates() -> Request[list[Candidate]]:
    return _request("candidates", lambda data: [_candidate(found) for found in data["candidates"]])


def verify(stop: bool) -> Request[Verified]:
    return _request("verify", _verified, {"stop": stop})


def plan() -> Request[Plan]:
    return _request("plan", _plan)


def close() -> Request[None]:
    return _request("close", lambda data: None)


def _opened(data: Data) -> Opened:
    return Opened(data["session"], data["environment"], data["task"], data["episode"], data["digest"], _step(data))


def _step(data: Data) -> Step:
    return Step(data["observation"], data["reward"], data["done"])


def _tools(data: Data) -> list[Tool]:
    return [
        Tool(tool["name"], tool.get("description", ""), tool["input_schema"]) for tool in data["observation"]["tools"]
    ]


def _restored(data: Data) -> Restored:
    return Restored(data["node"], data["method"], data["recorded"], data["reached"], data["observation"])


def _candidate(data: Data) -> Candidate:
    return Candidate(data["action"], data.get("role"), data.get("name"), data.get("value"), data.get("within"))


def _verified(data: Data) -> Verified:
    verdict = data["verdict"]
    return Verified(data["outcome"], data["reward"], None if verdict is None else _verdict(verdict))


def _verdict(data: Data) -> Verdict:
    checks = tuple(Check(check.get("id"), check["pass"]) for check in data["checks"])
    return Verdict(data["pass"], data["progress"], data["clean"], checks, dict(data))


def _plan(data: Data) -> Plan:
    return Plan(data["outcome"], tuple(data.get("actions") or ()), data.get("cost"), data["expanded"])
