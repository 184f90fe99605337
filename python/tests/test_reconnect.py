"""Both clients through a restart of the real server, and sessions that nobody waits for any more."""

from __future__ import annotations

import asyncio
import re
import threading
import time
import unittest
import urllib.request

import espalier

from .served import Server

TASK = {"environment": "mail", "task": "star-message", "seed": 3}


def open_sessions(url: str) -> int:
    with urllib.request.urlopen(f"{url}/metrics", timeout=10) as answer:
        found = re.search(r"^espalier_sessions (\d+)$", answer.read().decode(), re.MULTILINE)
    assert found is not None
    return int(found.group(1))


class ReconnectTest(unittest.TestCase):
    server: Server

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Server("mail")
        cls.addClassCleanup(cls.server.remove)

    def test_kept_sessions_go_on_after_a_restart(self) -> None:
        plain = espalier.connect(self.server.url)
        client = espalier.connect(self.server.url, reconnect=60)
        env = client.session(**TASK, keep=True)
        env.step(espalier.click("e3"))
        gone = client.session(**TASK)
        digest = env.digest().value
        restarting = threading.Thread(target=self.server.restart)
        restarting.start()
        time.sleep(0.2)
        self.assertEqual(env.digest().value, digest)
        restarting.join()
        self.assertEqual(env.step(espalier.click("e2")).node, 2)
        with self.assertRaises(espalier.SessionError):
            gone.observe()
        with self.assertRaises(espalier.ConnectionLost):
            plain.environments() and plain.attach(env.id)
        plain.close()
        client.close()
        with self.assertRaises(espalier.ConnectionLost):
            env.observe()

    def test_a_step_that_was_under_way_is_taken_once(self) -> None:
        client = espalier.connect(self.server.url, reconnect=60)
        env = client.session(**TASK, keep=True)
        # The other side is gone, and the client does not know yet.
        client._socket._socket.shutdown(2)
        self.assertEqual(env.step(espalier.click("e3")).node, 1)
        # The step is taken, and its answer does not arrive.
        receive = client._socket.receive

        def lose(deadline: float) -> bytes:
            receive(deadline)
            client._socket._socket.shutdown(2)
            return receive(deadline)

        client._socket.receive = lose  # type: ignore[method-assign]
        self.assertEqual(env.step(espalier.click("e2")).node, 2)
        self.assertEqual(env.observe().node, 2)
        client.close()

    def test_a_step_is_not_sent_twice_to_a_server_that_would_take_it_twice(self) -> None:
        client = espalier.connect(self.server.url, reconnect=60)
        env = client.session(**TASK, keep=True)
        client._knows_names = False
        client._socket._socket.shutdown(2)
        with self.assertRaisesRegex(espalier.ConnectionLost, "may have taken effect"):
            env.step(espalier.click("e3"))
        self.assertEqual(env.observe().node, 0)
        client.close()

    def test_asyncio_goes_on_after_a_lost_connection(self) -> None:
        async def play() -> None:
            client = await espalier.aio.connect(self.server.url, reconnect=60)
            env = await client.session(**TASK, keep=True)
            await env.step(espalier.click("e3"))
            client._socket._writer.transport.abort()
            nodes = await asyncio.gather(*(env.observe() for _ in range(5)))
            self.assertEqual([step.node for step in nodes], [1] * 5)
            await client.close()

        asyncio.run(play())

    def test_a_cancelled_open_leaves_no_session(self) -> None:
        async def play() -> None:
            client = await espalier.aio.connect(self.server.url)
            before = open_sessions(self.server.url)
            env = await client.session(**TASK)
            for request in (client.session(**TASK), env.fork(8)):
                task = asyncio.create_task(request)
                await asyncio.sleep(0)
                await asyncio.sleep(0)
                task.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await task
            await env.observe()
            for _ in range(100):
                if open_sessions(self.server.url) == before + 1:
                    break
                await asyncio.sleep(0.05)
            self.assertEqual(open_sessions(self.server.url), before + 1)
            await client.close()

        asyncio.run(play())


if __name__ == "__main__":
    unittest.main()
