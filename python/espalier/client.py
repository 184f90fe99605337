"""The blocking client. `espalier.aio` has the same for asyncio."""

from __future__ import annotations

import itertools
import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Any, Literal, TypeVar, overload

from . import protocol
from .actions import Action
from .errors import ConnectionLost, EspalierError, RequestTimeout, ServerError
from .frames import Address, auth_headers, parse_address
from .json_limits import MAX_MESSAGE_BYTES
from .protocol import Request
from .types import Candidate, Opened, Plan, Restored, Snapshot, StateDigest, Step, Tool, Verified
from .websocket import WebSocket

T = TypeVar("T")


def connect(url: str, *, key: str | None = None, timeout: float = 60.0, reconnect: float = 0.0) -> Client:
    """Connects to `espalier serve`. The key may also be the password in the URL.

    With `reconnect` a lost connection is made again, for at most so many seconds. Sessions opened with `keep` go on,
    also after a restart of the server. Requests that only look are sent again. A step that was under way raises
    ConnectionLost, because nobody knows whether it was taken.
    """
    return Client(url, key=key, timeout=timeout, reconnect=reconnect)


class Client:
    """One connection, for any number of sessions. Threads may share it; their requests then take turns."""

    def __init__(
        self, url: str, *, key: str | None = None, timeout: float = 60.0, reconnect: float = 0.0
    ) -> None:
        self._address = parse_address(url, key)
        self._reconnect = reconnect
        self._knows_names = False
        self._closed = False
        self._timeout = timeout
        self._ids = itertools.count(1)
        self._lock = threading.Lock()
        self._max_bytes = MAX_MESSAGE_BYTES
        self._socket = WebSocket(self._address, timeout)

    def session(
        self,
        environment: str | None = None,
        *,
        task: str | None = None,
        seed: int | None = None,
        episode_id: str | None = None,
        keep: bool = False,
        student: str | None = None,
    ) -> Session:
        """Opens a session at the start of a task. With `keep` it outlives this connection; see `attach`.

        `student` says who takes the steps, such as the name and version of a policy. The episode records it.
        """
        data = {"environment": environment, "task": task, "seed": seed, "episode_id": episode_id, "student": student}
        if keep:
            data["keep"] = True
        return self._opened(self.request(protocol.open_session(data)))

    def attach(self, session: str) -> Session:
        """Goes on with a session that was opened with `keep`, by its id."""
        return self._opened(self.request(protocol.attach(session)))

    def _opened(self, opened: Opened) -> Session:
        return Session(self, opened.session, opened.environment, opened.step)

    @overload
    def step_many(
        self, steps: Iterable[tuple[Session, Action]], *, return_exceptions: Literal[False] = False
    ) -> list[Step]: ...

    @overload
    def step_many(
        self, steps: Iterable[tuple[Session, Action]], *, return_exceptions: bool
    ) -> list[Step | EspalierError]: ...

    def step_many(
        self, steps: Iterable[tuple[Session, Action]], *, return_exceptions: bool = False
    ) -> list[Step] | list[Step | EspalierError]:
        """Takes one step in each of many sessions, without waiting in between.

        An error is raised after all answers have come, or returned in its place with `return_exceptions`. A session
        that does not answer in time has RequestTimeout in its place.
        """
        calls = [(protocol.step(action), session.id) for session, action in steps]
        return self.request_many(calls, return_exceptions=return_exceptions)

    def tools(self) -> list[Tool]:
        """Tools of the first environment; a session has `tools` of its own."""
        return self.request(protocol.tools())

    def metadata(self) -> dict[str, Any]:
        """Name, version and capabilities of the server. The client keeps to its limit of a message from then on."""
        found: dict[str, Any] = get_json(self._address, "/metadata", self._timeout)
        self._max_bytes = protocol.message_limit(found, self._max_bytes)
        return found

    def environments(self) -> list[dict[str, Any]]:
        """What is served: ids, titles, templates and tools."""
        found: list[dict[str, Any]] = get_json(self._address, "/environments", self._timeout)["environments"]
        return found

    def request(self, request: Request[T], session: str | None = None) -> T:
        answer: T
        (answer,) = self.request_many([(request, session)])
        return answer

    def request_many(
        self, requests: Sequence[tuple[Request[T], str | None]], *, return_exceptions: bool = False
    ) -> list[Any]:
        """Sends many requests, and gives their values in the same order."""
        with self._lock:
            if self._socket.lost:
                self._connect_again()
            answers = self._exchange(requests)
            if any(isinstance(answer, ConnectionLost) for answer in answers) and self._connect_again():
                self._repeat(requests, answers)
        values: list[Any] = [_value_of(request, answer) for (request, _), answer in zip(requests, answers, strict=True)]
        if not return_exceptions:
            for value in values:
                if isinstance(value, EspalierError):
                    raise value
        return values

    def _exchange(self, requests: Sequence[tuple[Request[Any], str | None]]) -> list[dict[str, Any] | EspalierError]:
        """The answer to each request, or the error that came in its place."""
        order = [next(self._ids) for _ in requests]
        answers: dict[int, dict[str, Any] | EspalierError] = {}
        waiting: set[int] = set()
        try:
            for id, (request, session) in zip(order, requests, strict=True):
                try:
                    payload = request.encode(id, session, self._max_bytes)
                except EspalierError as error:
                    answers[id] = error
                    continue
                if len(waiting) == protocol.MAX_PENDING:
                    self._receive(waiting, answers)
                self._socket.send(payload, self._timeout)
                waiting.add(id)
            while waiting:
                self._receive(waiting, answers)
        except EspalierError as error:
            # Answers that came before are kept. After a timeout nothing more is sent: the server may not be reading.
            return [answers.get(id, error) for id in order]
        return [answers[id] for id in order]

    def _connect_again(self) -> bool:
        """Connects again, if that was asked for. Whether there is a connection now."""
        if self._closed or self._reconnect <= 0:
            return False
        self._socket.close()
        deadline = time.monotonic() + self._reconnect
        for pause in protocol.pauses():
            try:
                self._socket = WebSocket(self._address, self._timeout)
                return True
            except (ConnectionLost, RequestTimeout):
                if time.monotonic() + pause > deadline:
                    return False
                time.sleep(pause)
        return False

    def _repeat(
        self, requests: Sequence[tuple[Request[Any], str | None]], answers: list[dict[str, Any] | EspalierError]
    ) -> None:
        """Sends again what only looks, and steps, which the server takes once. Of the rest nobody knows the effect."""
        lost = [index for index, answer in enumerate(answers) if isinstance(answer, ConnectionLost)]
        again = [index for index in lost if requests[index][0].repeatable(self._knows_names)]
        for index, answer in zip(again, self._exchange([requests[index] for index in again]), strict=True):
            answers[index] = answer
        for index in set(lost) - set(again):
            error = answers[index]
            assert isinstance(error, EspalierError)
            answers[index] = protocol.not_known(requests[index][0], error)

    def _receive(self, waiting: set[int], answers: dict[int, dict[str, Any] | EspalierError]) -> None:
        """Takes one answer that is waited for. Late answers to requests that timed out are dropped."""
        deadline = time.monotonic() + self._timeout
        unclaimed: ServerError | None = None
        while True:
            try:
                message = protocol.parse_message(self._socket.receive(deadline))
            except (RequestTimeout, ConnectionLost) as cause:
                raise protocol.explained(cause, unclaimed) from cause
            error = protocol.error_without_id(message)
            if error is not None and len(waiting) == 1:
                answers[waiting.pop()] = error
                return
            unclaimed = error or unclaimed
            id = message.get("id")
            if id in waiting:
                self._knows_names = self._knows_names or "request" in message
                waiting.remove(id)
                answers[id] = message
                return

    def close(self) -> None:
        """Closes the connection. The server abandons its sessions, except those opened with `keep`."""
        with self._lock:
            self._closed = True
            self._socket.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Session:
    """One world that an agent acts in."""

    def __init__(self, client: Client, id: str, environment: str, start: Step) -> None:
        self._client = client
        self.id = id
        """Who knows the id may act in the session, so treat it as a secret."""
        self.environment = environment
        self.start = start
        """What the session was opened, reset or attached with. Forks have that of their parent."""
        self.instruction = start.instruction or ""

    def reset(
        self,
        *,
        task: str | None = None,
        seed: int | None = None,
        environment: str | None = None,
        episode_id: str | None = None,
        student: str | None = None,
    ) -> Step:
        """Opens another episode. One that goes on is abandoned."""
        data = {"environment": environment or self.environment, "task": task, "seed": seed}
        data |= {"episode_id": episode_id, "student": student}
        self.start = self._request(protocol.reset(data))
        self.environment = environment or self.environment
        self.instruction = self.start.instruction or ""
        return self.start

    def step(self, action: Action) -> Step:
        return self._request(protocol.step(action))

    def observe(self) -> Step:
        return self._request(protocol.observe())

    def state(self) -> dict[str, Any]:
        """Task, episode, number of steps, node and digest."""
        return self._request(protocol.state())

    def digest(self) -> StateDigest:
        return self._request(protocol.digest())

    def snapshot(self) -> Snapshot:
        return self._request(protocol.snapshot())

    def restore(self, snapshot: Snapshot | str) -> Restored:
        """Goes back to a snapshot of any session of the same tree. Raises Diverged if the state is another one."""
        return self._request(protocol.restore(snapshot))

    def rollback(self, node: int) -> Restored:
        """Goes back to a node of the tree. Raises Diverged if the state is another one."""
        return self._request(protocol.rollback(node))

    def fork(self, n: int = 1, *, node: int | None = None) -> list[Session]:
        """`n` sessions in the state of this one, or at an earlier node. They never affect each other."""
        ids = self._request(protocol.fork(n, node))
        return [Session(self._client, id, self.environment, self.start) for id in ids]

    def candidates(self) -> list[Candidate]:
        """The actions that are possible now."""
        return self._request(protocol.candidates())

    def verify(self, *, stop: bool = False) -> Verified:
        """The verdict of a session that has ended. `stop` ends it where it stands."""
        return self._request(protocol.verify(stop))

    def plan(self) -> Plan:
        """A way to the goal. Needs a teacher's key."""
        return self._request(protocol.plan())

    def tools(self) -> list[Tool]:
        return self._request(protocol.tools())

    def close(self) -> None:
        """Ends the session. One that did not finish is abandoned and has no verdict."""
        self._request(protocol.close())

    def _request(self, request: Request[T]) -> T:
        return self._client.request(request, self.id)

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.close()
        except EspalierError:
            # The error of the block says more than one of closing.
            if error is None:
                raise


def _value_of(request: Request[T], answer: dict[str, Any] | EspalierError) -> T | EspalierError:
    if isinstance(answer, EspalierError):
        return answer
    try:
        return request.decode(answer)
    except EspalierError as error:
        return error


def get_json(address: Address, path: str, timeout: float) -> Any:
    """GET without proxies, as the WebSocket has none either."""
    request = urllib.request.Request(address.http_url + path, headers=auth_headers(address))
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=timeout) as response:
            return json.load(response)
    except urllib.error.HTTPError as cause:
        with cause:
            detail = cause.read(500).decode("utf-8", "replace")
        raise ConnectionLost(f"GET {path} answered HTTP {cause.code}: {detail}") from cause
    except OSError as cause:
        raise ConnectionLost(f"Cannot reach {address.http_url}: {cause}. Is the server running?") from cause
