"""Frames, and a client whose server misbehaves."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import hashlib
import re
import socket
import threading
import unittest
from collections.abc import Callable

import espalier
from espalier import frames


def server_frame(opcode: int, payload: bytes, final: bool = True) -> bytes:
    size = len(payload)
    head = bytes([(0x80 if final else 0) | opcode])
    if size < 126:
        return head + bytes([size]) + payload
    if size < 65536:
        return head + bytes([126]) + size.to_bytes(2, "big") + payload
    return head + bytes([127]) + size.to_bytes(8, "big") + payload


def unmasked(frame: bytes) -> bytes:
    """The frame as a server would send it."""
    small = frame[1] & 0x7F
    start = 2 if small < 126 else 4 if small == 126 else 10
    payload = frames.apply_mask(frame[start + 4 :], frame[start : start + 4])
    return bytes([frame[0], small]) + frame[2:start] + payload


class FramesTest(unittest.TestCase):
    def test_every_length_comes_back(self) -> None:
        for size in (0, 1, 3, 125, 126, 127, 65535, 65536, 70001):
            payload = bytes(index % 251 for index in range(size))
            frame = frames.encode_frame(frames.TEXT, payload)
            self.assertTrue(frame[1] & 0x80, "clients mask")
            self.assertEqual(frames.Decoder().feed(unmasked(frame)), [(frames.TEXT, payload)])

    def test_the_example_of_the_standard(self) -> None:
        # RFC 6455, 5.7: a single-frame masked "Hello".
        self.assertEqual(frames.apply_mask(b"Hello", bytes.fromhex("37fa213d")), bytes.fromhex("7f9f4d5158"))

    def test_bytes_one_by_one_and_fragments(self) -> None:
        data = (
            server_frame(frames.TEXT, b"on", final=False)
            + server_frame(frames.PING, b"?")
            + server_frame(0, b"e", final=True)
            + server_frame(frames.TEXT, b"x" * 300)
        )
        decoder = frames.Decoder()
        found = [message for byte in data for message in decoder.feed(bytes([byte]))]
        self.assertEqual(found, [(frames.PING, b"?"), (frames.TEXT, b"one"), (frames.TEXT, b"x" * 300)])
        self.assertEqual(frames.Decoder().feed(data), found)

    def test_wrong_frames_are_refused(self) -> None:
        for data in (
            b"\xc1\x00",  # reserved bit
            b"\x81\x80\x00\x00\x00\x00",  # masked by a server
            server_frame(0, b"x"),  # continues nothing
            server_frame(frames.TEXT, b"x", final=False) + server_frame(frames.TEXT, b"y"),
            server_frame(frames.PING, b"x" * 126),
            server_frame(frames.TEXT, b"x" * 11),
            server_frame(frames.TEXT, b"x" * 6, final=False) + server_frame(0, b"x" * 6),
        ):
            with self.assertRaises(espalier.ProtocolError, msg=data):
                frames.Decoder(limit=10).feed(data)

    def test_addresses(self) -> None:
        plain = frames.parse_address("ws://127.0.0.1:8900/ws")
        self.assertEqual(plain.http_url, "http://127.0.0.1:8900")
        secret = frames.parse_address("https://student:a%2Fb@example.org/espalier/")
        self.assertEqual((secret.key, secret.http_url), ("a/b", "https://example.org/espalier"))
        self.assertEqual(frames.parse_address("http://x:y@h:1", "mine").key, "mine")
        for wrong in ("127.0.0.1:8900", "ftp://h", "http://", "http://u:a%0d%0ab@h"):
            with self.assertRaises(ValueError, msg=wrong):
                frames.parse_address(wrong)


class Peer:
    """A server that accepts one WebSocket and then does as the test says."""

    def __init__(self, behave: Callable[[socket.socket], None], wrong_accept: bool = False) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._behave, self._wrong_accept = behave, wrong_accept
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        connection, _ = self._listener.accept()
        with self._listener, connection:
            head = connection.recv(65536).decode()
            found = re.search(r"Sec-WebSocket-Key: (\S+)", head)
            assert found is not None
            text = found.group(1) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
            accept = base64.b64encode(hashlib.sha1(text.encode()).digest()).decode()
            accept = "wrong" if self._wrong_accept else accept
            lines = ["HTTP/1.1 101 Switching Protocols", f"Sec-WebSocket-Accept: {accept}", "", ""]
            connection.sendall("\r\n".join(lines).encode())
            self._behave(connection)

    def join(self) -> None:
        self._thread.join(5)


Behaviour = Callable[[socket.socket], None]


def answering(*answers: bytes) -> Behaviour:
    """Sends these bytes for the first request, and reads until the client leaves."""

    def behave(connection: socket.socket) -> None:
        connection.recv(65536)
        connection.sendall(b"".join(answers))
        with contextlib.suppress(ConnectionResetError):
            while connection.recv(65536):
                pass

    return behave


TOOLS = b'{"type":"observation","id":%d,"data":{"observation":{"tools":[]},"reward":null,"done":false}}'


class BadServerTest(unittest.TestCase):
    def ask(self, behave: Behaviour, timeout: float = 5) -> object:
        """What both clients get; they must agree."""
        peer = Peer(behave)
        with espalier.connect(peer.url, timeout=timeout) as client:
            blocking = self.value_or_error(client.tools)
        peer.join()
        other = Peer(behave)
        awaited = asyncio.run(self._ask_async(other.url, timeout))
        other.join()
        self.assertEqual(type(blocking), type(awaited))
        return blocking

    async def _ask_async(self, url: str, timeout: float) -> object:
        async with await espalier.aio.connect(url, timeout=timeout) as client:
            try:
                return await client.tools()
            except espalier.EspalierError as error:
                return error

    def value_or_error(self, work: Callable[[], object]) -> object:
        try:
            return work()
        except espalier.EspalierError as error:
            return error

    def test_pings_and_late_answers_are_passed_over(self) -> None:
        late = server_frame(frames.TEXT, TOOLS % 99)
        ping, answer = server_frame(frames.PING, b"alive?"), server_frame(frames.TEXT, TOOLS % 1)
        self.assertEqual(self.ask(answering(ping, late, answer)), [])

    def test_a_close_frame_tells_its_code(self) -> None:
        error = self.ask(answering(server_frame(frames.CLOSE, b"\x03\xe9going")))
        assert isinstance(error, espalier.ConnectionLost)
        self.assertEqual(error.close_code, 1001)
        self.assertIn("going", error.message)

    def test_a_server_that_hangs_up(self) -> None:
        self.assertIsInstance(self.ask(lambda connection: connection.close()), espalier.ConnectionLost)

    def test_a_server_that_never_answers(self) -> None:
        error = self.ask(answering(), timeout=0.2)
        self.assertIsInstance(error, espalier.RequestTimeout)
        self.assertIsInstance(error, TimeoutError)

    def test_nonsense_is_a_protocol_error(self) -> None:
        for payload in (
            b"not JSON",
            b"[1]",
            b'{"type":"observation","id":1}',
            b'{"type":"plan","id":1,"data":{}}',
            b'{"type":"observation","id":1,"data":{"observation":{}}}',
        ):
            error = self.ask(answering(server_frame(frames.TEXT, payload)))
            self.assertIsInstance(error, espalier.ProtocolError, payload)
        self.assertIsInstance(self.ask(answering(server_frame(frames.BINARY, b"x"))), espalier.ProtocolError)

    def test_an_error_without_an_id(self) -> None:
        data = b'{"type":"error","data":{"code":"INVALID_JSON","message":"no"}}'
        error = self.ask(answering(server_frame(frames.TEXT, data)))
        assert isinstance(error, espalier.ServerError)
        self.assertEqual((error.code, error.message), ("INVALID_JSON", "no"))

    def test_a_wrong_accept_header(self) -> None:
        peer = Peer(lambda connection: None, wrong_accept=True)
        with self.assertRaises(espalier.ProtocolError):
            espalier.connect(peer.url)
        peer.join()


if __name__ == "__main__":
    unittest.main()
