"""Rollouts against the real server, with a model that answers by a script: what one of them does harms no other."""

from __future__ import annotations

import json
import unittest
from typing import Any

import espalier
from espalier.actions import call_tool
from espalier.adapters.groups import AsyncGroups
from espalier.adapters.text_agent import parse_action
from espalier.adapters.token_rollout import RolloutOptions, roll_out, roll_out_one, roll_out_verified
from espalier.adapters.trl import environment_factory

from .served import shared_server

TASK = {"environment": "mail", "task": "star-message", "seed": 3}
FINISH = '<tool_call>{"name": "finish", "arguments": {}}</tool_call>'
OPTIONS = RolloutOptions(max_turns=3, max_response_tokens=10_000_000)


class Letters:
    """A tokenizer whose tokens are the letters."""

    def apply_chat_template(self, conversation: Any, *, add_generation_prompt: bool, tokenize: bool) -> str:
        return "".join(f"{message['role']}: {message['content']}\n" for message in conversation)

    def encode(self, text: str, *, add_special_tokens: bool) -> list[int]:
        return [ord(letter) for letter in text]

    def decode(self, token_ids: list[int], *, skip_special_tokens: bool) -> str:
        return "".join(map(chr, token_ids))


TOKENIZER = Letters()


class Taught(Letters):
    """A tokenizer whose template has a place for tools and their results."""

    def apply_chat_template(
        self, conversation: Any, *, add_generation_prompt: bool, tokenize: bool, tools: Any = None
    ) -> str:
        listed = "" if tools is None else f"[tools]{json.dumps(tools)}[/tools]\n"
        return listed + super().apply_chat_template(conversation, add_generation_prompt=True, tokenize=False)


def ids_of(text: str) -> list[int]:
    return TOKENIZER.encode(text, add_special_tokens=False)


def call(arguments: str, name: str = '"click"') -> str:
    return f'<tool_call>{{"name": {name}, "arguments": {arguments}}}</tool_call>'


UNUSABLE = {
    "an empty name": call("{}", '""'),
    "a long name": call("{}", json.dumps("x" * 201)),
    "NaN": call('{"ref": NaN}'),
    "Infinity": call('{"ref": -Infinity}'),
    "a number beyond all floats": call('{"ref": 1e999}'),
    "an integer beyond all floats": call('{"ref": 1' + "0" * 400 + "}"),
    "a lone surrogate": call('{"ref": "\\ud800"}'),
    "a lone surrogate as a key": call('{"\\udc00": 1}'),
    "a lone surrogate as the name": call("{}", '"\\ud800"'),
    "51 levels": call('{"ref": ' + "[" * 50 + "]" * 50 + "}"),
    "100,000 levels": call('{"ref": ' + "[" * 100_000 + "]" * 100_000 + "}"),
    "more than 500 kB": call(json.dumps({"ref": "x" * 500_000})),
}


USABLE = {
    "a fenced object": '```json\n{"name": "click", "arguments": {"ref": "e1"}}\n```',
    "before the end of a turn": '{"name": "click", "arguments": {"ref": "e1"}}<|im_end|>',
    "an unclosed call": 'I click.\n<tool_call>\n{"name": "click", "arguments": {"ref": "e1"}}',
    "an unclosed call before the end": '<tool_call>{"name": "click", "arguments": {"ref": "e1"}}<|im_end|>\n',
    "after a thought": '<think>{"name": "fill"}</think>\n{"name": "click", "arguments": {"ref": "e1"}}',
    "parameters": '{"name": "click", "parameters": {"ref": "e1"}}',
    "arguments as a text": '{"name": "click", "arguments": "{\\"ref\\": \\"e1\\"}"}',
}


class RolloutsTest(unittest.TestCase):
    def setUp(self) -> None:
        self.client = espalier.connect(shared_server().url)
        self.addCleanup(self.client.close)

    def test_unusable_answers_are_told_to_the_model(self) -> None:
        for name, answer in UNUSABLE.items():
            self.assertIsInstance(parse_action(answer), str, name)
        self.assertIsInstance(parse_action(call('{"ref": ' + "[" * 49 + "]" * 49 + "}")), dict)

    def test_answers_are_read_however_models_dress_them(self) -> None:
        """[PYT-21]"""
        for name, answer in USABLE.items():
            self.assertEqual(parse_action(answer), call_tool("click", {"ref": "e1"}), name)
        self.assertIsInstance(parse_action('{"name": "click", "arguments": {}} and then {"name": "finish"}'), str)

    def test_unknown_tools_are_answered_with_those_that_are_offered(self) -> None:
        """[PYT-21]"""
        tools = [espalier.Tool("click", "Click.", {}), espalier.Tool("finish", "End.", {})]
        told = parse_action(call("{}", '"star_message"'), tools)
        self.assertEqual(told, "There is no tool 'star_message'. Call one of: click, finish.")

    def test_tools_stand_where_the_template_has_a_place_for_them(self) -> None:
        """[PYT-22]"""
        answers = iter([call('{"ref": "e9999"}'), FINISH])
        prompts: list[str] = []

        def generate(asked: list[list[int]]) -> tuple[list[list[int]], None]:
            prompts.append("".join(map(chr, asked[0])))
            return [ids_of(next(answers))], None

        (rollout,) = roll_out(self.client, [self.client.session(**TASK)], generate, Taught(), OPTIONS)
        self.assertTrue(rollout.writes_tools)
        self.assertIn('[tools][{"type": "function"', prompts[0])
        self.assertNotIn("Tools:", prompts[0])
        self.assertIn("tool: That was refused", prompts[1])

    def test_unusable_answers_end_no_batch(self) -> None:
        sessions = self.client.session(**TASK).fork(len(UNUSABLE) + 1)
        first = [*UNUSABLE.values(), FINISH]

        def generate(prompts: list[list[int]]) -> tuple[list[list[int]], None]:
            answers = first if len(prompts) == len(first) else [FINISH] * len(prompts)
            return [ids_of(answer) for answer in answers], None

        rollouts = roll_out(self.client, sessions, generate, TOKENIZER, OPTIONS)
        self.assertEqual([rollout.reward for rollout in rollouts], [0] * len(first))
        self.assertEqual([rollout.turns for rollout in rollouts], [2] * len(UNUSABLE) + [1])
        self.assertEqual({session.state()["step_count"] for session in sessions}, {1})

    def test_a_broken_world_has_no_reward_and_the_others_go_on(self) -> None:
        early, late, last, good = sessions = self.client.session(**TASK).fork(4)
        early.close()
        turn = 0

        def generate(prompts: list[list[int]]) -> tuple[list[list[int]], None]:
            nonlocal turn
            turn += 1
            if turn == 1:
                late.close()
                return [ids_of(call('{"ref": "e3"}')), ids_of("hm"), ids_of("hm")], None
            if turn == 3:
                last.close()
                return [ids_of("hm"), ids_of(FINISH)], None
            return [ids_of("hm")] * len(prompts), None

        rollouts = roll_out(self.client, sessions, generate, TOKENIZER, OPTIONS)
        self.assertEqual([rollout.reward for rollout in rollouts], [None, None, None, 0])
        self.assertEqual([rollout.stop_reason for rollout in rollouts], ["error", "error", "error", "stop"])
        self.assertIn("SESSION_ERROR", rollouts[1].problem)
        self.assertTrue(good.observe().done)

    def test_a_lost_connection_is_raised(self) -> None:
        (session,) = self.client.session(**TASK).fork(1)

        def generate(prompts: list[list[int]]) -> tuple[list[list[int]], None]:
            self.client.close()
            return [ids_of(FINISH)], None

        with self.assertRaises(espalier.ConnectionLost):
            roll_out(self.client, [session], generate, TOKENIZER, OPTIONS)

    def test_an_environment_for_trl_that_breaks_has_no_reward(self) -> None:
        environment = environment_factory(shared_server().url, "mail")
        broken, good = environment(), environment()
        for one in (broken, good):
            one.reset(task="star-message", seed=3)
        broken._session.close()
        with self.assertRaises(espalier.EspalierError):
            broken.click(ref="e3")
        good.finish()
        self.assertEqual([broken.get_reward(), good.get_reward()], [None, 0])

    def test_an_end_without_a_verdict_is_told_apart(self) -> None:
        self.assertTrue(espalier.Step({}, None, True).verdict_missing)
        self.assertFalse(espalier.Step({}, None, False).verdict_missing)
        self.assertFalse(espalier.Step({}, 0, True).verdict_missing)


class AsyncRolloutsTest(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        self.client = await espalier.aio.connect(shared_server().url)
        self.addAsyncCleanup(self.client.close)
        self.opened: list[espalier.aio.AsyncSession] = []

    async def open(self, attempt: int) -> espalier.aio.AsyncSession:
        self.assertEqual(attempt, len(self.opened))
        self.opened.append(await self.client.session(**TASK))
        return self.opened[-1]

    async def test_unusable_answers_end_no_rollout(self) -> None:
        answers = [*UNUSABLE.values(), FINISH]
        options = RolloutOptions(max_turns=len(answers), max_response_tokens=10_000_000)
        given = iter(answers)

        async def generate(prompt: list[int]) -> tuple[list[int], None]:
            return ids_of(next(given)), None

        rollout = await roll_out_one(await self.open(0), generate, TOKENIZER, options)
        self.assertEqual((rollout.reward, rollout.stop_reason, rollout.turns), (0, "stop", len(answers)))

    async def test_a_rollout_without_a_verdict_is_played_once_more(self) -> None:
        async def generate(prompt: list[int]) -> tuple[list[int], None]:
            if len(self.opened) == 1:
                await self.opened[0].close()
            return ids_of(FINISH), None

        rollout, session = await roll_out_verified(self.open, generate, TOKENIZER, OPTIONS)
        self.assertEqual((rollout.reward, len(self.opened)), (0, 2))
        self.assertIs(session, self.opened[1])

    async def test_a_new_session_starts_where_its_group_does(self) -> None:
        async def prepare(session: espalier.aio.AsyncSession) -> None:
            await session.step(espalier.click("e3"))

        groups = AsyncGroups(self.client, "mail", 2, prepare)
        first = await groups.take("star-message", 3)
        new = await groups.take_new("star-message", 3)
        second = await groups.take("star-message", 3)
        digests = [await session.digest() for session in (first, new, second)]
        self.assertEqual(len({digest.value for digest in digests}), 1)
        episodes = [(await session.state())["episode_id"] for session in (first, new, second)]
        self.assertEqual(episodes[0], episodes[2])
        self.assertNotEqual(episodes[0], episodes[1])

    async def test_two_rollouts_without_a_verdict_are_an_error(self) -> None:
        async def generate(prompt: list[int]) -> tuple[list[int], None]:
            await self.opened[-1].close()
            return ids_of(FINISH), None

        with self.assertRaises(espalier.NoVerdict) as raised:
            await roll_out_verified(self.open, generate, TOKENIZER, OPTIONS)
        self.assertIsInstance(raised.exception, espalier.EspalierError)
        self.assertEqual((raised.exception.code, len(self.opened)), ("NO_VERDICT", 2))


if __name__ == "__main__":
    unittest.main()
