"""WebSocket handshake and frames (RFC 6455), apart from any socket."""

from __future__ import annotations

import base64
import hashlib
import os
import struct
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from .errors import ConnectionLost, ProtocolError

TEXT, BINARY, CLOSE, PING, PONG = 0x1, 0x2, 0x8, 0x9, 0xA
_CONTINUATION = 0x0
_ACCEPT_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
MAX_HEAD_BYTES = 64 * 1024
MAX_MESSAGE_BYTES = 100 * 1024 * 1024


@dataclass(frozen=True)
class Address:
    """Where a server listens, and the key to send."""

    host: str
    port: int
    secure: bool
    key: str | None
    path: str

    @property
    def host_header(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.secure else 80) else f"{host}:{self.port}"

    @property
    def http_url(self) -> str:
        return f"{'https' if self.secure else 'http'}://{self.host_header}{self.path}"


def parse_address(url: str, key: str | None = None) -> Address:
    """Takes http, https, ws and wss URLs. A password in the URL is the key, unless `key` is given."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https", "ws", "wss") or not parts.hostname:
        raise ValueError(f"Expected a URL such as http://127.0.0.1:8900, got {url!r}.")
    secure = parts.scheme in ("https", "wss")
    path = parts.path.rstrip("/").removesuffix("/ws")
    found = key if key is not None else parts.password and unquote(parts.password)
    if found and any(ord(letter) <= 32 or ord(letter) > 126 for letter in found):
        raise ValueError("Expected a key of printable ASCII characters without spaces.")
    return Address(parts.hostname, parts.port or (443 if secure else 80), secure, found or None, path)


def auth_headers(address: Address) -> dict[str, str]:
    return {"Authorization": f"Bearer {address.key}"} if address.key else {}


def handshake(address: Address) -> tuple[bytes, str]:
    """The upgrade request, and the value that the server must send back in Sec-WebSocket-Accept."""
    nonce = base64.b64encode(os.urandom(16)).decode()
    headers = {
        "Host": address.host_header,
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Key": nonce,
        "Sec-WebSocket-Version": "13",
        **auth_headers(address),
    }
    lines = [f"GET {address.path}/ws HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    digest = hashlib.sha1((nonce + _ACCEPT_SUFFIX).encode()).digest()
    return ("\r\n".join(lines) + "\r\n\r\n").encode("ascii"), base64.b64encode(digest).decode()


def check_handshake(head: bytes, accept: str, rest: bytes = b"") -> None:
    """Raises unless `head` accepts the upgrade. `rest` is what came after the head, for the message."""
    status_line, *lines = head.decode("latin-1").split("\r\n")
    parts = status_line.split(" ", 2)
    status = parts[1] if len(parts) > 1 else status_line
    if status != "101":
        reason = rest.decode("utf-8", "replace").strip()[:500] or (parts[2] if len(parts) > 2 else "")
        hint = " Check the key." if status == "401" else ""
        raise ConnectionLost(f"Expected the server to open a WebSocket, got HTTP {status}: {reason}.{hint}")
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    if headers.get("sec-websocket-accept") != accept:
        raise ProtocolError("The server accepted the WebSocket with a wrong Sec-WebSocket-Accept header.")


def encode_frame(opcode: int, payload: bytes) -> bytes:
    """One final frame, masked as clients must."""
    size = len(payload)
    if size < 126:
        head = struct.pack("!BB", 0x80 | opcode, 0x80 | size)
    elif size < 65536:
        head = struct.pack("!BBH", 0x80 | opcode, 0x80 | 126, size)
    else:
        head = struct.pack("!BBQ", 0x80 | opcode, 0x80 | 127, size)
    mask = os.urandom(4)
    return head + mask + apply_mask(payload, mask)


def apply_mask(payload: bytes, mask: bytes) -> bytes:
    size = len(payload)
    repeated = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(payload, "big") ^ int.from_bytes(repeated, "big")).to_bytes(size, "big")


def close_frame(code: int) -> bytes:
    return encode_frame(CLOSE, struct.pack("!H", code))


def read_close(payload: bytes) -> tuple[int | None, str]:
    if len(payload) < 2:
        return None, ""
    return struct.unpack("!H", payload[:2])[0], payload[2:].decode("utf-8", "replace")


class Decoder:
    """Turns bytes from the server into whole messages."""

    def __init__(self, limit: int = MAX_MESSAGE_BYTES) -> None:
        self._limit = limit
        self._buffer = bytearray()
        self._parts: list[bytes] = []
        self._opcode: int | None = None

    def feed(self, data: bytes) -> list[tuple[int, bytes]]:
        """Messages that are complete now, as (opcode, payload)."""
        self._buffer += data
        messages = []
        while (frame := self._take_frame()) is not None:
            message = self._join(*frame)
            if message is not None:
                messages.append(message)
        return messages

    def _take_frame(self) -> tuple[bool, int, bytes] | None:
        buffer = self._buffer
        if len(buffer) < 2:
            return None
        first, second = buffer[0], buffer[1]
        if first & 0x70 or second & 0x80:
            raise ProtocolError("The server sent a WebSocket frame with reserved bits or a mask.")
        size, start = second & 0x7F, 2
        if size >= 126:
            start = 4 if size == 126 else 10
            if len(buffer) < start:
                return None
            size = int.from_bytes(buffer[2:start], "big")
        if size > self._limit:
            raise ProtocolError(f"The server sent a message of {size} bytes. The limit is {self._limit}.")
        if len(buffer) < start + size:
            return None
        payload = bytes(buffer[start : start + size])
        del buffer[: start + size]
        return bool(first & 0x80), first & 0x0F, payload

    def _join(self, final: bool, opcode: int, payload: bytes) -> tuple[int, bytes] | None:
        if opcode >= CLOSE:
            if not final or len(payload) > 125:
                raise ProtocolError("The server sent a control frame that is fragmented or too long.")
            return opcode, payload
        if (opcode == _CONTINUATION) == (self._opcode is None):
            raise ProtocolError("The server sent the fragments of a message out of order.")
        if opcode != _CONTINUATION:
            self._opcode = opcode
        self._parts.append(payload)
        if sum(map(len, self._parts)) > self._limit:
            raise ProtocolError(f"The server sent a message of more than {self._limit} bytes.")
        if not final:
            return None
        message = (self._opcode or TEXT, b"".join(self._parts))
        self._parts, self._opcode = [], None
        return message
