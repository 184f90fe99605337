"""A WebSocket over asyncio streams."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque

from . import frames
from .errors import ConnectionLost, ProtocolError, RequestTimeout


class AsyncWebSocket:
    """Sends text messages from any task; one task receives."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._decoder = frames.Decoder()
        self._messages: deque[bytes] = deque()
        self._lost: ConnectionLost | None = None

    @classmethod
    async def connect(cls, address: frames.Address, timeout: float) -> AsyncWebSocket:
        try:
            return await asyncio.wait_for(cls._connect(address), timeout)
        except asyncio.TimeoutError as cause:
            raise RequestTimeout(f"{address.http_url} did not answer in {timeout} s.") from cause
        except OSError as cause:
            raise ConnectionLost(f"Cannot reach {address.http_url}: {cause}. Is the server running?") from cause

    @classmethod
    async def _connect(cls, address: frames.Address) -> AsyncWebSocket:
        reader, writer = await asyncio.open_connection(address.host, address.port, ssl=address.secure or None)
        try:
            request, accept = frames.handshake(address)
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            if not head.startswith(b"HTTP/1.1 101"):
                frames.check_handshake(head[:-4], accept, await reader.read(500))
            frames.check_handshake(head[:-4], accept)
            return cls(reader, writer)
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError) as cause:
            writer.close()
            raise ConnectionLost(f"{address.http_url} did not answer as a WebSocket does.") from cause
        except BaseException:
            writer.close()
            raise

    async def send(self, payload: bytes) -> None:
        await self._write(frames.encode_frame(frames.TEXT, payload))

    async def receive(self) -> bytes:
        while not self._messages:
            if self._lost is not None:
                raise self._lost
            try:
                data = await self._reader.read(65536)
            except OSError as cause:
                raise ConnectionLost(f"The connection broke: {cause}.") from cause
            if not data:
                raise ConnectionLost("The server ended the connection.")
            for opcode, payload in self._decoder.feed(data):
                await self._take(opcode, payload)
        return self._messages.popleft()

    async def close(self) -> None:
        with contextlib.suppress(OSError, ConnectionLost):
            await self._write(frames.close_frame(1000))
        self._writer.close()
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()

    async def _take(self, opcode: int, payload: bytes) -> None:
        if opcode == frames.TEXT:
            self._messages.append(payload)
        elif opcode == frames.PING:
            await self._write(frames.encode_frame(frames.PONG, payload))
        elif opcode == frames.CLOSE:
            code, reason = frames.read_close(payload)
            # Messages that came before the close are still read.
            self._lost = ConnectionLost(f"The server closed the connection: {code} {reason}".rstrip(), code)
        elif opcode != frames.PONG:
            raise ProtocolError("The server sent a binary message.")

    async def _write(self, data: bytes) -> None:
        try:
            # One call writes the whole frame, so frames of several tasks do not mix.
            self._writer.write(data)
            await self._writer.drain()
        except (OSError, RuntimeError) as cause:
            raise ConnectionLost(f"The connection broke: {cause}.") from cause
