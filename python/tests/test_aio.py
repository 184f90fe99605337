"""The asyncio client against the real server."""

from __future__ import annotations

import asyncio
import unittest

import espalier

from .served import shared_server

TASK = {"environment": "mail", "task": "star-message", "seed": 3}


class AsyncClientTest(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        self.server = shared_server()
        self.client = await espalier.aio.connect(self.server.url)
        self.addAsyncCleanup(self.client.close)

    async def test_all_verbs_of_a_session(self) -> None:
        async with await self.client.session(**TASK) as env:
            first = await env.digest()
            saved = await env.snapshot()
            step = await env.step((await env.candidates())[2].action)
            self.assertEqual(step.node, 1)
            self.assertEqual((await env.restore(saved)).reached, first.value)
            self.assertEqual((await env.rollback(0)).node, 0)
            (fork,) = await env.fork()
            self.assertEqual((await fork.observe()).text, env.start.text)
            self.assertIn("finish", [tool.name for tool in await env.tools()])
            with self.assertRaises(espalier.Forbidden):
                await env.plan()
            self.assertEqual((await env.verify(stop=True)).reward, 0)
            self.assertEqual((await env.state())["task"], "mail/star-message/3")
            self.assertEqual((await env.reset(task="star-message", seed=4)).node, 0)
        with self.assertRaises(espalier.SessionError):
            await env.observe()

    async def test_many_tasks_share_a_connection(self) -> None:
        env = await self.client.session(**TASK)
        forks = await env.fork(40)
        digests = await asyncio.gather(*(fork.digest() for fork in forks for _ in range(4)))
        self.assertEqual(len({digest.value for digest in digests}), 1)
        steps = await self.client.step_many((fork, espalier.finish()) for fork in forks)
        self.assertEqual([step.reward for step in steps], [0] * 40)

    async def test_step_many_returns_or_raises_errors(self) -> None:
        env = await self.client.session(**TASK)
        pairs = [(env, {"kind": "teleport"}), (env, espalier.click("e3"))]
        answers = await self.client.step_many(pairs, return_exceptions=True)
        self.assertEqual([type(answer) for answer in answers], [espalier.ValidationError, espalier.Step])
        with self.assertRaises(espalier.ValidationError):
            await self.client.step_many(pairs)

    async def test_a_kept_session_is_attached(self) -> None:
        async with await espalier.aio.connect(self.server.url) as other:
            kept = await other.session(**TASK, keep=True)
        env = await self.client.attach(kept.id)
        self.assertEqual(env.environment, "mail")

    async def test_a_cancelled_request_leaves_the_connection_usable(self) -> None:
        env = await self.client.session(**TASK)
        request = asyncio.create_task(env.fork(64))
        await asyncio.sleep(0)
        request.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await request
        self.assertEqual((await env.observe()).node, 0)

    async def test_a_closed_client_says_so(self) -> None:
        client = await espalier.aio.connect(self.server.url)
        env = await client.session(**TASK)
        await client.close()
        with self.assertRaises(espalier.ConnectionLost):
            await env.observe()
        self.assertEqual((await self.client.metadata())["name"], "espalier")
        self.assertEqual([one["id"] for one in await self.client.environments()], ["mail", "shop"])


if __name__ == "__main__":
    unittest.main()
