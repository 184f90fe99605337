"""The blocking client against the real server."""

from __future__ import annotations

import asyncio
import threading
import unittest

import espalier

from .served import STUDENT_KEY, TEACHER_KEY, Server, shared_server
from .served import espalier as program

TASK = {"environment": "mail", "task": "star-message", "seed": 3}


class ClientTest(unittest.TestCase):
    def setUp(self) -> None:
        self.server = shared_server()
        self.client = espalier.connect(self.server.url)
        self.addCleanup(self.client.close)

    def plan(self) -> list[espalier.Action]:
        with (
            espalier.connect(self.server.url, key=TEACHER_KEY) as teacher,
            teacher.session(**TASK) as session,
        ):
            plan = session.plan()
            self.assertGreater(len(plan.actions), 0)
            return [action for action in plan.actions if action["kind"] != "finish"]

    def test_an_episode_to_its_verdict(self) -> None:
        env = self.client.session(**TASK)
        self.assertIn("Star the message", env.instruction)
        self.assertIn("[e1]", env.start.text)
        self.assertEqual((env.start.node, env.start.reward, env.start.done), (0, None, False))
        for action in self.plan():
            self.assertIsNone(env.step(action).reward)
        last = env.step(espalier.finish())
        self.assertEqual((last.reward, last.done, last.terminated, last.truncated), (1, True, True, False))
        verified = env.verify()
        self.assertEqual((verified.outcome, verified.reward, verified.passed), ("passed", 1, True))
        assert verified.verdict is not None
        self.assertTrue(verified.verdict.clean)
        self.assertTrue(all(check.passed for check in verified.verdict.checks))
        self.assertEqual(env.state()["outcome"], "passed")

    def test_finishing_at_once_fails(self) -> None:
        env = self.client.session(**TASK)
        self.assertEqual(env.step(espalier.finish()).reward, 0)
        self.assertFalse(env.verify().passed)

    def test_reset_opens_another_episode(self) -> None:
        env = self.client.session(**TASK)
        first = env.instruction
        env.step(espalier.click("e3"))
        step = env.reset(task="star-message", seed=4)
        self.assertNotEqual(env.instruction, first)
        self.assertEqual(step.node, 0)
        env.reset(task="star-message", seed=3)
        self.assertEqual(env.instruction, first)
        env.reset(environment="shop")
        self.assertEqual(env.state()["environment"], "shop")

    def test_same_task_same_digests(self) -> None:
        one, other = self.client.session(**TASK), self.client.session(**TASK)
        for action in self.plan():
            self.assertEqual(one.digest(), other.digest())
            one.step(action)
            self.assertNotEqual(one.digest().value, other.digest().value)
            other.step(action)
        self.assertEqual(one.digest(), other.digest())

    def test_forks_do_not_affect_each_other(self) -> None:
        env = self.client.session(**TASK)
        env.step(espalier.click("e3"))
        before = env.digest()
        one, other = env.fork(2)
        self.assertEqual(len({env.id, one.id, other.id}), 3)
        self.assertEqual(one.instruction, env.instruction)
        self.assertEqual([one.digest(), other.digest()], [before, before])
        one.step(espalier.click("e4"))
        self.assertNotEqual(one.digest().value, before.value)
        self.assertEqual([env.digest(), other.digest()], [before, before])
        (early,) = env.fork(node=0)
        self.assertEqual(early.observe().text, env.start.text)

    def test_snapshot_restore_rollback(self) -> None:
        env = self.client.session(**TASK)
        env.step(espalier.click("e3"))
        saved, screen = env.snapshot(), env.observe().text
        env.step(espalier.click("e4"))
        self.assertNotEqual(env.observe().text, screen)
        restored = env.restore(saved)
        self.assertEqual((restored.node, restored.recorded), (saved.node, saved.digest))
        self.assertEqual(restored.recorded, restored.reached)
        self.assertEqual(restored.text, screen)
        self.assertEqual(env.rollback(0).text, env.start.text)
        (fork,) = env.fork()
        self.assertEqual(fork.restore(saved.id).text, screen)

    def test_candidates_are_actions(self) -> None:
        env = self.client.session(**TASK)
        found = env.candidates()
        self.assertIn(("button", "Compose"), [(one.role, one.name) for one in found])
        self.assertIsNone(env.step(found[0].action).problem)

    def test_tools(self) -> None:
        env = self.client.session(**TASK)
        names = {tool.name: tool.input_schema for tool in env.tools()}
        self.assertIn("properties", names["star_message"])
        step = env.step(espalier.call_tool("list_messages", {}))
        self.assertIsNone(step.problem)
        self.assertIsNotNone(step.result)
        refused = env.step(espalier.call_tool("star_message", {"id": 7}))
        self.assertIn("message", refused.problem or {})

    def test_a_refused_action_is_a_problem_of_the_step(self) -> None:
        env = self.client.session(**TASK)
        step = env.step(espalier.click("e99999"))
        self.assertIn("message", step.problem or {})
        self.assertFalse(step.done)

    def test_step_many_keeps_the_order(self) -> None:
        env = self.client.session(**TASK)
        forks = env.fork(40)
        actions = [espalier.click("e3" if index % 2 else "e4") for index in range(40)]
        steps = self.client.step_many(zip([*forks, *forks], [*actions, *actions], strict=True))
        self.assertEqual(len(steps), 80)
        expected = [env.fork()[0].step(espalier.click(ref)).text for ref in ("e4", "e3")]
        self.assertEqual([step.text for step in steps[:40]], expected * 20)
        self.assertEqual({fork.state()["step_count"] for fork in forks}, {2})

    def test_step_many_returns_or_raises_errors(self) -> None:
        good, gone = self.client.session(**TASK), self.client.session(**TASK)
        gone.close()
        pairs = [(gone, espalier.click("e3")), (good, espalier.click("e3"))]
        answers = self.client.step_many(pairs, return_exceptions=True)
        self.assertIsInstance(answers[0], espalier.SessionError)
        self.assertIsInstance(answers[1], espalier.Step)
        with self.assertRaises(espalier.SessionError):
            self.client.step_many(pairs)
        self.assertEqual(good.state()["step_count"], 2)

    def test_errors_have_a_code_and_a_message(self) -> None:
        with self.assertRaises(espalier.ValidationError) as unknown:
            self.client.session("nowhere")
        self.assertEqual(unknown.exception.code, "VALIDATION_ERROR")
        self.assertIn("mail, shop", unknown.exception.message)
        env = self.client.session(**TASK)
        with self.assertRaises(espalier.ValidationError):
            env.step({"kind": "teleport"})
        with self.assertRaises(espalier.Forbidden):
            env.plan()
        with self.assertRaises(espalier.Forbidden):
            env.verify()
        with self.assertRaises(espalier.ValidationError):
            env.fork(65)
        with self.assertRaises(espalier.ValidationError):
            env.rollback(17)
        env.step(espalier.finish())
        with self.assertRaises(espalier.ServerError) as ended:
            env.step(espalier.click("e3"))
        self.assertEqual(ended.exception.code, "EXECUTION_ERROR")
        self.assertFalse(env.verify().passed)

    def test_context_managers_close(self) -> None:
        with self.client.session(**TASK) as env:
            self.assertFalse(env.observe().done)
        with self.assertRaises(espalier.SessionError):
            env.observe()
        with self.assertRaisesRegex(ValueError, "mine"), self.client.session(**TASK) as env:
            env.close()
            raise ValueError("mine")

    def test_a_kept_session_is_attached_by_another_connection(self) -> None:
        with espalier.connect(self.server.url) as first:
            kept, lost = first.session(**TASK, keep=True), first.session(**TASK)
            kept.step(espalier.click("e3"))
            digest = kept.digest()
        env = self.client.attach(kept.id)
        self.assertEqual(env.digest(), digest)
        self.assertEqual(env.instruction, kept.instruction)
        with self.assertRaises(espalier.SessionError):
            self.client.attach(lost.id)

    def test_threads_share_a_connection(self) -> None:
        sessions = self.client.session(**TASK).fork(4)

        def walk(session: espalier.Session) -> None:
            for _ in range(5):
                session.step(espalier.click("e3"))

        threads = [threading.Thread(target=walk, args=(session,)) for session in sessions]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([session.state()["step_count"] for session in sessions], [5] * 4)

    def test_about_the_server(self) -> None:
        self.assertEqual(self.client.metadata()["capabilities"]["environments"], ["mail", "shop"])
        mail = self.client.environments()[0]
        self.assertIn("star-message", [template["id"] for template in mail["templates"]])


class OwnServerTest(unittest.TestCase):
    def setUp(self) -> None:
        keys = {"ESPALIER_STUDENT_KEY": STUDENT_KEY, "ESPALIER_TEACHER_KEY": TEACHER_KEY}
        self.server = Server("mail", keys=keys)
        self.addCleanup(self.server.remove)

    def test_keys_groups_and_the_run_folder(self) -> None:
        self.refuse_wrong_keys()
        self.play_a_group()
        asyncio.run(self.play_with_asyncio())
        self.stop_the_server()
        self.read_the_run_folder()

    def refuse_wrong_keys(self) -> None:
        for key in (None, "wrong-key-of-the-tests"):
            with self.assertRaisesRegex(espalier.ConnectionLost, "HTTP 401"):
                espalier.connect(self.server.url, key=key)
        with espalier.connect(self.server.url, key=STUDENT_KEY) as client:
            self.assertEqual(client.metadata()["name"], "espalier")

    def play_a_group(self) -> None:
        with espalier.connect(self.server.url, key=TEACHER_KEY) as client:
            env = client.session(**TASK, student="policy-7")
            plan = [action for action in env.plan().actions if action["kind"] != "finish"]
            group = env.fork(4)
            for fork in group[:2]:
                for action in plan:
                    fork.step(action)
            last = client.step_many((fork, espalier.finish()) for fork in group)
            self.assertEqual([step.reward for step in last], [1, 1, 0, 0])
            env.close()

    async def play_with_asyncio(self) -> None:
        async with await espalier.aio.connect(self.server.url, key=STUDENT_KEY) as client:
            env = await client.session("mail", task="star-message", seed=4, student="policy-8")
            await env.step(espalier.finish())
            await env.reset(task="star-message", seed=5, student="policy-9")
            await env.step(espalier.finish())

    def stop_the_server(self) -> None:
        address = self.server.url.replace("http://", f"http://student:{STUDENT_KEY}@")
        with espalier.connect(address) as client:
            env = client.session()
            self.server.stop()
            with self.assertRaises(espalier.ConnectionLost) as lost:
                env.observe()
            self.assertEqual(lost.exception.close_code, 1001)
        with self.assertRaisesRegex(espalier.ConnectionLost, "Is the server running"):
            espalier.connect(address)

    def read_the_run_folder(self) -> None:
        program("export", str(self.server.run))
        exported = self.server.run / "export"
        episodes = {row["task"]: row for row in espalier.rows(exported, "episodes")}
        group = episodes["mail/star-message/3"]
        self.assertEqual((group["outcome"], group["leaves"], group["leaves_passed"]), ("passed", 4, 2))
        students = [episodes[f"mail/star-message/{seed}"]["student"] for seed in (3, 4, 5)]
        self.assertEqual(students, ["policy-7", "policy-8", "policy-9"])
        taught = list(espalier.rows(exported, "next-actions"))
        self.assertGreater(len(taught), 0)
        for row in taught:
            self.assertEqual(row["message_mask"], [0] * (len(row["messages"]) - 1) + [1])
            self.assertEqual(row["messages"][-1]["role"], "assistant")
            self.assertIsInstance(row["tools"], list)


if __name__ == "__main__":
    unittest.main()
