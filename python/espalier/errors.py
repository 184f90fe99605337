"""Errors of the client. Each has a code and a message."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class EspalierError(Exception):
    """Base class of all errors of this package."""

    def __init__(self, code: str, message: str, details: Mapping[str, Any] | None = None) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.details = dict(details or {})


class ConnectionLost(EspalierError):
    """The connection could not be made, or it ended. `close_code` is that of the WebSocket, if the server sent one."""

    def __init__(self, message: str, close_code: int | None = None) -> None:
        super().__init__("CONNECTION_LOST", message)
        self.close_code = close_code


class RequestTimeout(EspalierError, TimeoutError):
    """The server did not answer in time. The request may still take effect."""

    def __init__(self, message: str) -> None:
        super().__init__("TIMEOUT", message)


class ProtocolError(EspalierError):
    """The server sent something that is not part of the protocol."""

    def __init__(self, message: str) -> None:
        super().__init__("PROTOCOL_ERROR", message)


class NoVerdict(EspalierError):
    """A rollout ended without a verdict, so it has no reward."""

    def __init__(self, message: str) -> None:
        super().__init__("NO_VERDICT", message)


class RowsError(EspalierError):
    """A folder or file of exported rows cannot be read."""

    def __init__(self, message: str) -> None:
        super().__init__("BAD_ROWS", message)


class ServerError(EspalierError):
    """The server refused a request. `code` is one of those in docs/serving.md."""


class ValidationError(ServerError):
    """The request has the wrong shape, or names an unknown environment, task or node.

    The client raises it, too, for what cannot be sent: values that are not JSON, too deep, or too long.
    """

    @classmethod
    def unsent(cls, message: str) -> ValidationError:
        return cls("VALIDATION_ERROR", message)


class SessionError(ServerError):
    """There is no such session, or it has not been reset."""


class CapacityReached(ServerError):
    """No more sessions can be opened now: `active_sessions` of `max_sessions` are open."""

    @property
    def active_sessions(self) -> int | None:
        return self.details.get("active_sessions")

    @property
    def max_sessions(self) -> int | None:
        return self.details.get("max_sessions")


class Forbidden(ServerError):
    """The key does not give this right."""


class Unsupported(ServerError):
    """This environment cannot do what was asked."""


class Diverged(ServerError):
    """A restored state differs from the recorded one, first at `step`."""

    @property
    def step(self) -> int | None:
        return self.details.get("step")

    @property
    def recorded(self) -> str | None:
        return self.details.get("recorded")

    @property
    def reached(self) -> str | None:
        return self.details.get("reached")


_by_code: dict[str, type[ServerError]] = {
    "VALIDATION_ERROR": ValidationError,
    "SESSION_ERROR": SessionError,
    "CAPACITY_REACHED": CapacityReached,
    "FORBIDDEN": Forbidden,
    "UNSUPPORTED": Unsupported,
    "DIVERGED": Diverged,
}


def server_error(data: Mapping[str, Any]) -> ServerError:
    """The exception for the data of an `error` message."""
    code = str(data.get("code", "EXECUTION_ERROR"))
    details = {name: value for name, value in data.items() if name not in ("code", "message")}
    return _by_code.get(code, ServerError)(code, str(data.get("message", "")), details)
