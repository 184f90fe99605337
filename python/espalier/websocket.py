"""A WebSocket over a blocking socket."""

from __future__ import annotations

import contextlib
import socket
import ssl
import time
from collections import deque

from . import frames
from .errors import ConnectionLost, ProtocolError, RequestTimeout


class WebSocket:
    """Sends and receives text messages. Not safe for several threads at once."""

    def __init__(self, address: frames.Address, timeout: float) -> None:
        self._decoder = frames.Decoder()
        self._messages: deque[bytes] = deque()
        self._lost: ConnectionLost | None = None
        try:
            self._socket = _connect(address, timeout)
            try:
                self._upgrade(address, time.monotonic() + timeout)
            except BaseException:
                self._socket.close()
                raise
        except OSError as cause:
            raise ConnectionLost(f"Cannot reach {address.http_url}: {cause}. Is the server running?") from cause

    @property
    def lost(self) -> bool:
        return self._lost is not None

    def send(self, payload: bytes, timeout: float) -> None:
        self._check()
        self._write(frames.encode_frame(frames.TEXT, payload), timeout)

    def receive(self, deadline: float) -> bytes:
        """The next message. Raises RequestTimeout after `deadline` on the monotonic clock."""
        while not self._messages:
            self._check()
            data = self._read(deadline)
            for opcode, payload in self._decoder.feed(data):
                self._take(opcode, payload)
        return self._messages.popleft()

    def close(self) -> None:
        if self._lost is None:
            self._lost = ConnectionLost("The connection was closed by this client.")
            with contextlib.suppress(OSError):
                self._socket.settimeout(1)
                self._socket.sendall(frames.close_frame(1000))
        self._socket.close()

    def _upgrade(self, address: frames.Address, deadline: float) -> None:
        request, accept = frames.handshake(address)
        self._socket.sendall(request)
        received = b""
        while b"\r\n\r\n" not in received:
            if len(received) > frames.MAX_HEAD_BYTES:
                raise ProtocolError("The server's HTTP header is too long.")
            received += self._read(deadline)
        head, _, rest = received.partition(b"\r\n\r\n")
        frames.check_handshake(head, accept, rest)
        for opcode, payload in self._decoder.feed(rest):
            self._take(opcode, payload)

    def _take(self, opcode: int, payload: bytes) -> None:
        if opcode == frames.TEXT:
            self._messages.append(payload)
        elif opcode == frames.PING:
            self._write(frames.encode_frame(frames.PONG, payload), 10)
        elif opcode == frames.CLOSE:
            code, reason = frames.read_close(payload)
            self._lost = ConnectionLost(f"The server closed the connection: {code} {reason}".rstrip(), code)
        elif opcode != frames.PONG:
            raise ProtocolError("The server sent a binary message.")

    def _check(self) -> None:
        if self._lost is not None:
            raise self._lost

    def _read(self, deadline: float) -> bytes:
        left = deadline - time.monotonic()
        if left <= 0:
            raise RequestTimeout("The server did not answer in time.")
        try:
            self._socket.settimeout(left)
            data = self._socket.recv(65536)
        except TimeoutError as cause:
            raise RequestTimeout("The server did not answer in time.") from cause
        except OSError as cause:
            data = b""
            self._lost = ConnectionLost(f"The connection broke: {cause}.")
        if not data:
            self._lost = self._lost or ConnectionLost("The server ended the connection.")
            raise self._lost
        return data

    def _write(self, data: bytes, timeout: float) -> None:
        try:
            self._socket.settimeout(timeout)
            self._socket.sendall(data)
        except OSError as cause:
            # Part of the frame may have been sent, so nothing else can be.
            self._lost = ConnectionLost(f"The connection broke: {cause}.")
            raise self._lost from cause


def _connect(address: frames.Address, timeout: float) -> socket.socket:
    connection = socket.create_connection((address.host, address.port), timeout)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if not address.secure:
        return connection
    return ssl.create_default_context().wrap_socket(connection, server_hostname=address.host)
