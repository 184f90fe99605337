"""The asyncio client: the same verbs as `espalier.connect`, awaited."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Any, Literal, TypeVar, overload

from . import protocol
from .actions import Action
from .async_websocket import AsyncWebSocket
from .client import get_json
from .errors import ConnectionLost, EspalierError, RequestTimeout, ServerError
from .frames import Address, parse_address
from .json_limits import MAX_MESSAGE_BYTES
from .protocol import Request
from .types import Candidate, Opened, Plan, Restored, Snapshot, StateDigest, Step, Tool, Verified

T = TypeVar("T")


async def connect(
    url: str, *, key: str | None = None, timeout: float = 60.0, reconnect: float = 0.0
) -> AsyncClient:
    """Connects to `espalier serve`. The key may also be the password in the URL.

    With `reconnect` a lost connection is made again, as `espalier.connect` says.
    """
    address = parse_address(url, key)
    return AsyncClient(address, await AsyncWebSocket.connect(address, timeout), timeout, reconnect)


class AsyncClient:
    """One connection, for any number of sessions and tasks at once. Made by `connect`."""

    def __init__(self, address: Address, socket: AsyncWebSocket, timeout: float, reconnect: float = 0.0) -> None:
        self._reconnect = reconnect
        self._knows_names = False
        self._connecting = asyncio.Lock()
        self._closed = False
        self._leftovers: set[asyncio.Task[Any]] = set()
        self._address = address
        self._socket = socket
        self._timeout = timeout
        self._ids = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._room = asyncio.Semaphore(protocol.MAX_PENDING)
        self._lost: EspalierError | None = None
        self._unclaimed: ServerError | None = None
        self._max_bytes = MAX_MESSAGE_BYTES
        self._reader = asyncio.create_task(self._read())

    async def session(
        self,
        environment: str | None = None,
        *,
        task: str | None = None,
        seed: int | None = None,
        episode_id: str | None = None,
        keep: bool = False,
        student: str | None = None,
    ) -> AsyncSession:
        """Opens a session at the start of a task. With `keep` it outlives this connection; see `attach`.

        `student` says who takes the steps, such as the name and version of a policy. The episode records it.
        """
        data = {"environment": environment, "task": task, "seed": seed, "episode_id": episode_id, "student": student}
        if keep:
            data["keep"] = True
        return self._opened(await self._claim(protocol.open_session(data), None, lambda opened: [opened.session]))

    async def attach(self, session: str) -> AsyncSession:
        """Goes on with a session that was opened with `keep`, by its id."""
        return self._opened(await self.request(protocol.attach(session)))

    def _opened(self, opened: Opened) -> AsyncSession:
        return AsyncSession(self, opened.session, opened.environment, opened.step)

    @overload
    async def step_many(
        self, steps: Iterable[tuple[AsyncSession, Action]], *, return_exceptions: Literal[False] = False
    ) -> list[Step]: ...

    @overload
    async def step_many(
        self, steps: Iterable[tuple[AsyncSession, Action]], *, return_exceptions: bool
    ) -> list[Step | EspalierError]: ...

    async def step_many(
        self, steps: Iterable[tuple[AsyncSession, Action]], *, return_exceptions: bool = False
    ) -> list[Step] | list[Step | EspalierError]:
        """Takes one step in each of many sessions at once.

        An error is raised after all answers have come, or returned in its place with `return_exceptions`.
        """
        calls = [session.step(action) for session, action in steps]
        answers: list[Any] = await asyncio.gather(*calls, return_exceptions=True)
        for answer in answers:
            if isinstance(answer, BaseException) and not (return_exceptions and isinstance(answer, EspalierError)):
                raise answer
        return answers

    async def tools(self) -> list[Tool]:
        """Tools of the first environment; a session has `tools` of its own."""
        return await self.request(protocol.tools())

    async def metadata(self) -> dict[str, Any]:
        """Name, version and capabilities of the server. The client keeps to its limit of a message from then on."""
        found: dict[str, Any] = await asyncio.to_thread(get_json, self._address, "/metadata", self._timeout)
        self._max_bytes = protocol.message_limit(found, self._max_bytes)
        return found

    async def environments(self) -> list[dict[str, Any]]:
        """What is served: ids, titles, templates and tools."""
        answer = await asyncio.to_thread(get_json, self._address, "/environments", self._timeout)
        found: list[dict[str, Any]] = answer["environments"]
        return found

    async def _claim(self, request: Request[T], session: str | None, ids: Callable[[T], list[str]]) -> T:
        """A request that opens sessions. When its caller is cancelled, the sessions are closed as soon as they come."""
        asked = asyncio.ensure_future(self.request(request, session))
        try:
            return await asyncio.shield(asked)
        except asyncio.CancelledError:
            leftover = asyncio.ensure_future(self._close_unclaimed(asked, ids))
            self._leftovers.add(leftover)
            leftover.add_done_callback(self._leftovers.discard)
            raise

    async def _close_unclaimed(self, asked: asyncio.Future[T], ids: Callable[[T], list[str]]) -> None:
        with contextlib.suppress(EspalierError):
            for id in ids(await asked):
                await self.request(protocol.close(), id)

    async def request(self, request: Request[T], session: str | None = None) -> T:
        if self._lost is not None:
            await self._connect_again()
        try:
            return await self._ask(request, session)
        except ConnectionLost as error:
            if not await self._connect_again():
                raise
            if not request.repeatable(self._knows_names):
                raise protocol.not_known(request, error) from error
            return await self._ask(request, session)

    async def _connect_again(self) -> bool:
        """Connects again, if that was asked for. Whether there is a connection now."""
        async with self._connecting:
            if self._closed or self._reconnect <= 0:
                return False
            if self._lost is None:
                return True
            await self._socket.close()
            loop = asyncio.get_running_loop()
            deadline = loop.time() + self._reconnect
            for pause in protocol.pauses():
                try:
                    self._socket = await AsyncWebSocket.connect(self._address, self._timeout)
                    break
                except (ConnectionLost, RequestTimeout):
                    if loop.time() + pause > deadline:
                        return False
                    await asyncio.sleep(pause)
            self._lost = None
            self._reader = asyncio.create_task(self._read())
            return True

    async def _ask(self, request: Request[T], session: str | None) -> T:
        async with self._room:
            if self._lost is not None:
                raise self._lost
            id = next(self._ids)
            payload = request.encode(id, session, self._max_bytes)
            answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
            self._waiting[id] = answer
            try:
                await self._socket.send(payload)
                message = await asyncio.wait_for(answer, self._timeout)
            except asyncio.TimeoutError as cause:
                timeout = RequestTimeout(f"The server did not answer {request.type} in {self._timeout} s.")
                raise protocol.explained(timeout, self._unclaimed) from cause
            finally:
                self._waiting.pop(id, None)
                if answer.done() and not answer.cancelled():
                    # asyncio complains of errors that nobody looked at.
                    answer.exception()
                if not self._waiting:
                    self._unclaimed = None
        return request.decode(message)

    async def _read(self) -> None:
        try:
            while True:
                message = protocol.parse_message(await self._socket.receive())
                error = protocol.error_without_id(message)
                if error is not None:
                    self._take_unclaimed(error)
                    continue
                waiting = self._waiting.get(message.get("id"))  # type: ignore[arg-type]
                self._knows_names = self._knows_names or "request" in message
                if waiting is not None and not waiting.done():
                    waiting.set_result(message)
        except EspalierError as error:
            self._lost = protocol.explained(error, self._unclaimed) if isinstance(error, ConnectionLost) else error
        except asyncio.CancelledError:
            self._lost = ConnectionLost("The connection was closed by this client.")
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(self._lost)

    def _take_unclaimed(self, error: ServerError) -> None:
        """An error without an id answers the only request, if there is one. Else no request can be blamed for it."""
        waiting = [future for future in self._waiting.values() if not future.done()]
        if len(waiting) == 1:
            waiting[0].set_exception(error)
        else:
            self._unclaimed = error

    async def close(self) -> None:
        """Closes the connection. The server abandons its sessions, except those opened with `keep`."""
        self._closed = True
        for leftover in list(self._leftovers):
            leftover.cancel()
        self._reader.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._reader
        await self._socket.close()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


class AsyncSession:
    """One world that an agent acts in."""

    def __init__(self, client: AsyncClient, id: str, environment: str, start: Step) -> None:
        self._client = client
        self.id = id
        """Who knows the id may act in the session, so treat it as a secret."""
        self.environment = environment
        self.start = start
        """What the session was opened, reset or attached with. Forks have that of their parent."""
        self.instruction = start.instruction or ""

    async def reset(
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
        self.start = await self._request(protocol.reset(data))
        self.environment = environment or self.environment
        self.instruction = self.start.instruction or ""
        return self.start

    async def step(self, action: Action) -> Step:
        return await self._request(protocol.step(action))

    async def observe(self) -> Step:
        return await self._request(protocol.observe())

    async def state(self) -> dict[str, Any]:
        """Task, episode, number of steps, node and digest."""
        return await self._request(protocol.state())

    async def digest(self) -> StateDigest:
        return await self._request(protocol.digest())

    async def snapshot(self) -> Snapshot:
        return await self._request(protocol.snapshot())

    async def restore(self, snapshot: Snapshot | str) -> Restored:
        """Goes back to a snapshot of any session of the same tree. Raises Diverged if the state is another one."""
        return await self._request(protocol.restore(snapshot))

    async def rollback(self, node: int) -> Restored:
        """Goes back to a node of the tree. Raises Diverged if the state is another one."""
        return await self._request(protocol.rollback(node))

    async def fork(self, n: int = 1, *, node: int | None = None) -> list[AsyncSession]:
        """`n` sessions in the state of this one, or at an earlier node. They never affect each other."""
        ids = await self._client._claim(protocol.fork(n, node), self.id, lambda ids: ids)
        return [AsyncSession(self._client, id, self.environment, self.start) for id in ids]

    async def candidates(self) -> list[Candidate]:
        """The actions that are possible now."""
        return await self._request(protocol.candidates())

    async def verify(self, *, stop: bool = False) -> Verified:
        """The verdict of a session that has ended. `stop` ends it where it stands."""
        return await self._request(protocol.verify(stop))

    async def plan(self) -> Plan:
        """A way to the goal. Needs a teacher's key."""
        return await self._request(protocol.plan())

    async def tools(self) -> list[Tool]:
        return await self._request(protocol.tools())

    async def close(self) -> None:
        """Ends the session. One that did not finish is abandoned and has no verdict."""
        await self._request(protocol.close())

    async def _request(self, request: Request[T]) -> T:
        return await self._client.request(request, self.id)

    async def __aenter__(self) -> AsyncSession:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            await self.close()
        except EspalierError:
            # The error of the block says more than one of closing.
            if error is None:
                raise
