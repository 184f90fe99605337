"""What cannot be sent, errors that name no request, and answers that never come."""

from __future__ import annotations

import asyncio
import socket
import types
import unittest
from typing import Any

import espalier
from espalier import frames, protocol
from espalier.json_limits import MAX_MESSAGE_BYTES

from .served import shared_server
from .test_frames import TOOLS, Behaviour, Peer, answering, server_frame

TASK = {"environment": "mail", "task": "star-message", "seed": 3}


def nested(levels: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(levels):
        value = [value]
    return value


def circular() -> list[Any]:
    value: list[Any] = []
    value += [value, value]
    return value


def doubled(levels: int) -> list[Any]:
    """Small in memory, but 2 to the power of `levels` lists as JSON."""
    value: list[Any] = []
    for _ in range(levels):
        value = [value, value]
    return value


UNSENDABLE: dict[str, Any] = {
    "NaN": espalier.call("star_message", id=float("nan")),
    "Infinity": espalier.call("star_message", id=float("inf")),
    "a huge integer": espalier.call("star_message", id=10**5000),
    "a lone surrogate": espalier.fill("e3", "\ud800"),
    "a set": espalier.call("star_message", id={1}),
    "bytes": espalier.fill("e3", b"x"),  # type: ignore[arg-type]
    "a key that is not text": espalier.call("star_message", id={(1, 2): 3}),
    "101 levels": espalier.call("star_message", id=nested(101)),
    "100,000 levels": espalier.call("star_message", id=nested(100_000)),
    "a list in itself": espalier.call("star_message", id=circular()),
    "a billion lists": espalier.call("star_message", id=doubled(30)),
    "more than a megabyte": espalier.fill("e3", "x" * MAX_MESSAGE_BYTES),
    "no mapping": "click",
    "nothing": None,
}


class UnsendableTest(unittest.IsolatedAsyncioTestCase):
    def test_the_blocking_client_stays_usable(self) -> None:
        with espalier.connect(shared_server().url) as client:
            env = client.session(**TASK)
            for name, action in UNSENDABLE.items():
                with self.subTest(name), self.assertRaises(espalier.ValidationError):
                    env.step(action)
            pairs = [*((env, action) for action in UNSENDABLE.values()), (env, espalier.click("e3"))]
            answers = client.step_many(pairs, return_exceptions=True)
            self.assertEqual([type(answer) for answer in answers[:-1]], [espalier.ValidationError] * len(UNSENDABLE))
            self.assertIsInstance(answers[-1], espalier.Step)
            self.assertEqual(env.state()["step_count"], 1)

    async def test_the_asyncio_client_stays_usable(self) -> None:
        async with await espalier.aio.connect(shared_server().url) as client:
            env = await client.session(**TASK)
            pairs = [*((env, action) for action in UNSENDABLE.values()), (env, espalier.click("e3"))]
            answers = await client.step_many(pairs, return_exceptions=True)
            self.assertEqual([type(answer) for answer in answers[:-1]], [espalier.ValidationError] * len(UNSENDABLE))
            self.assertIsInstance(answers[-1], espalier.Step)
            self.assertEqual((await env.state())["step_count"], 1)

    def test_the_longest_message_reaches_the_server(self) -> None:
        with espalier.connect(shared_server().url) as client:
            env = client.session(**TASK)
            empty = len(protocol.step(espalier.fill("e3", "")).encode(2, env.id))
            longest = espalier.fill("e3", "x" * (MAX_MESSAGE_BYTES - empty))
            (answer,) = client.step_many([(env, longest)], return_exceptions=True)
            self.assertNotIsInstance(answer, espalier.ConnectionLost)
            self.assertEqual(env.observe().done, False)

    def test_the_limit_of_the_metadata_holds(self) -> None:
        with espalier.connect(shared_server().url) as client:
            told = client.metadata()
        self.assertEqual(protocol.message_limit(told, 7), MAX_MESSAGE_BYTES)
        for unknown in ({}, {"capabilities": None}, {"capabilities": {"limits": {"message_bytes": "many"}}}):
            self.assertEqual(protocol.message_limit(unknown, 7), 7)
        with self.assertRaisesRegex(espalier.ValidationError, "at most 100 bytes"):
            protocol.step(espalier.fill("e3", "x" * 100)).encode(1, None, 100)

    def test_mappings_of_any_type_are_sent(self) -> None:
        with espalier.connect(shared_server().url) as client:
            env = client.session(**TASK)
            step = env.step(types.MappingProxyType({"kind": "click", "ref": "e3"}))
            self.assertEqual(step.node, 1)


REFUSAL = server_frame(frames.TEXT, b'{"type":"error","data":{"code":"INVALID_JSON","message":"no"}}')


def tools(id: int) -> bytes:
    return server_frame(frames.TEXT, TOOLS % id)


def in_turn(*answers: bytes) -> Behaviour:
    """Sends one of these for each request, and hangs up."""

    def behave(connection: socket.socket) -> None:
        for answer in answers:
            connection.recv(65536)
            connection.sendall(answer)

    return behave


class ErrorWithoutIdTest(unittest.TestCase):
    def run_with(self, behave: Behaviour, work: Any, timeout: float = 5) -> Any:
        peer = Peer(behave)

        async def run() -> Any:
            async with await espalier.aio.connect(peer.url, timeout=timeout) as client:
                return await work(client)

        try:
            return asyncio.run(run())
        finally:
            peer.join()

    def test_it_harms_no_other_request(self) -> None:
        async def work(client: espalier.aio.AsyncClient) -> list[Any]:
            return await asyncio.gather(client.tools(), client.tools(), return_exceptions=True)

        self.assertEqual(self.run_with(answering(REFUSAL, tools(1), tools(2)), work), [[], []])

    def test_requests_after_it_are_answered(self) -> None:
        async def work(client: espalier.aio.AsyncClient) -> list[Any]:
            with self.assertRaisesRegex(espalier.ServerError, "INVALID_JSON"):
                await client.tools()
            return await client.tools()

        self.assertEqual(self.run_with(in_turn(REFUSAL, tools(2)), work), [])

    def test_a_request_that_is_never_answered_tells_it(self) -> None:
        async def work(client: espalier.aio.AsyncClient) -> list[Any]:
            return await asyncio.gather(client.tools(), client.tools(), return_exceptions=True)

        answered, timeout = self.run_with(answering(REFUSAL, tools(1)), work, 0.3)
        self.assertEqual(answered, [])
        self.assertIsInstance(timeout, espalier.RequestTimeout)
        self.assertIn("INVALID_JSON: no", timeout.message)

    def test_a_lost_connection_tells_it(self) -> None:
        async def work(client: espalier.aio.AsyncClient) -> list[Any]:
            return await asyncio.gather(client.tools(), client.tools(), return_exceptions=True)

        bye = server_frame(frames.CLOSE, b"\x03\xf1bye")
        for error in self.run_with(answering(REFUSAL, bye), work):
            self.assertIsInstance(error, espalier.ConnectionLost)
            self.assertEqual(error.close_code, 1009)
            self.assertIn("INVALID_JSON: no", error.message)

    def test_the_blocking_client_keeps_the_other_answers(self) -> None:
        peer = Peer(answering(REFUSAL, tools(1), tools(2)))
        with espalier.connect(peer.url, timeout=5) as client:
            asked = [(protocol.tools(), None), (protocol.tools(), None)]
            self.assertEqual(client.request_many(asked), [[], []])
        peer.join()


class TimeoutOfOneTest(unittest.TestCase):
    STEP = server_frame(
        frames.TEXT, b'{"type":"observation","id":2,"data":{"observation":{},"reward":null,"done":false}}'
    )
    START = espalier.Step({}, None, False)

    def test_the_other_sessions_keep_their_answers(self) -> None:
        peer = Peer(answering(self.STEP))
        with espalier.connect(peer.url, timeout=0.3) as client:
            pairs = [(espalier.Session(client, id, "mail", self.START), espalier.finish()) for id in ("a", "b")]
            answers = client.step_many(pairs, return_exceptions=True)
        peer.join()
        self.assertEqual([type(answer) for answer in answers], [espalier.RequestTimeout, espalier.Step])

    def test_the_same_with_asyncio(self) -> None:
        peer = Peer(answering(self.STEP))

        async def run() -> list[Any]:
            async with await espalier.aio.connect(peer.url, timeout=0.3) as client:
                make = espalier.aio.AsyncSession
                pairs = [(make(client, id, "mail", self.START), espalier.finish()) for id in ("a", "b")]
                return await client.step_many(pairs, return_exceptions=True)

        answers = asyncio.run(run())
        peer.join()
        self.assertEqual([type(answer) for answer in answers], [espalier.RequestTimeout, espalier.Step])


if __name__ == "__main__":
    unittest.main()
