"""Groups of sessions that start from the same state, for trainers that ask for one session at a time."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable

from ..aio import AsyncClient, AsyncSession
from ..client import Client, Session

Prepare = Callable[[Session], None]
"""Brings the first session of a group to the state that the group starts from."""


class Groups:
    """Hands out forks. The first request for a task opens a session; this and the next `size - 1` are forks of it.

    All forks are branches of one episode, so the run folder shows a group as one tree.
    """

    def __init__(self, client: Client, environment: str | None, size: int, prepare: Prepare | None = None) -> None:
        if size < 1:
            raise ValueError(f"Expected a group of at least one session, got {size}.")
        self._client = client
        self._environment = environment
        self._size = size
        self._prepare = prepare
        self._waiting: dict[tuple[str | None, int | None], list[Session]] = {}
        self._lock = threading.Lock()

    def take(self, task: str | None, seed: int | None) -> Session:
        with self._lock:
            forks = self._waiting.pop((task, seed), None) or self._open(task, seed)
            if len(forks) > 1:
                self._waiting[task, seed] = forks[1:]
            return forks[0]

    def _open(self, task: str | None, seed: int | None) -> list[Session]:
        root = self._client.session(self._environment, task=task, seed=seed)
        if self._prepare is not None:
            self._prepare(root)
        forks = root.fork(self._size)
        root.close()
        return forks


AsyncPrepare = Callable[[AsyncSession], Awaitable[None]]


class AsyncGroups:
    """The same for asyncio. `name` tells groups of the same task apart."""

    def __init__(
        self, client: AsyncClient, environment: str | None, size: int, prepare: AsyncPrepare | None = None
    ) -> None:
        if size < 1:
            raise ValueError(f"Expected a group of at least one session, got {size}.")
        self._client = client
        self._environment = environment
        self._size = size
        self._prepare = prepare
        self._waiting: dict[tuple[str | None, int | None, str], list[AsyncSession]] = {}
        self._lock = asyncio.Lock()

    async def take(self, task: str | None, seed: int | None, name: str = "") -> AsyncSession:
        async with self._lock:
            forks = self._waiting.pop((task, seed, name), None) or await self._open(task, seed, self._size)
            if len(forks) > 1:
                self._waiting[task, seed, name] = forks[1:]
            return forks[0]

    async def take_new(self, task: str | None, seed: int | None) -> AsyncSession:
        """A session outside of all groups, in the state that a group of this task starts from."""
        return (await self._open(task, seed, 1))[0]

    async def _open(self, task: str | None, seed: int | None, size: int) -> list[AsyncSession]:
        root = await self._client.session(self._environment, task=task, seed=seed)
        if self._prepare is not None:
            await self._prepare(root)
        forks = await root.fork(size)
        await root.close()
        return forks
