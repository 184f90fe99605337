"""Multi-turn rollouts as tokens: what the model sampled has mask 1, what the environment answered has mask 0."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ..actions import Action
from ..aio import AsyncSession
from ..client import Client, Session
from ..types import Step
from .text_agent import first_messages, observation_text, parse_action
from .tool_methods import choose_tools

Generate = Callable[[list[list[int]]], tuple[list[list[int]], list[list[float]] | None]]
"""Samples one answer for each prompt of token ids: the ids, and their log probabilities if known."""


GenerateOne = Callable[[list[int]], Awaitable[tuple[list[int], list[float] | None]]]
"""Samples one answer for one prompt."""


class Tokenizer(Protocol):
    """The part of a Hugging Face tokenizer that is used."""

    def apply_chat_template(self, conversation: Any, *, add_generation_prompt: bool, tokenize: bool) -> Any: ...

    def encode(self, text: str, *, add_special_tokens: bool) -> list[int]: ...

    def decode(self, token_ids: list[int], *, skip_special_tokens: bool) -> str: ...


@dataclass(frozen=True)
class RolloutOptions:
    """`tools`: names of the tools that the model is told of. `show_screen`: whether it sees the first screen."""

    max_turns: int = 16
    max_response_tokens: int = 4096
    tools: tuple[str, ...] | None = None
    show_screen: bool = True


@dataclass
class TokenRollout:
    """The tokens of one rollout. `reward` is None while there is no verdict."""

    prompt_ids: list[int]
    response_ids: list[int] = field(default_factory=list)
    mask: list[int] = field(default_factory=list)
    logprobs: list[float] | None = field(default_factory=list)
    turns: int = 0
    reward: float | None = None
    stop_reason: str = "length"

    @property
    def ids(self) -> list[int]:
        return [*self.prompt_ids, *self.response_ids]

    def add_sampled(self, ids: Sequence[int], logprobs: Sequence[float] | None) -> None:
        self.response_ids += ids
        self.mask += [1] * len(ids)
        self.logprobs = None if logprobs is None or self.logprobs is None else [*self.logprobs, *logprobs]
        self.turns += 1

    def add_observed(self, ids: Sequence[int]) -> None:
        self.response_ids += ids
        self.mask += [0] * len(ids)
        if self.logprobs is not None:
            self.logprobs = [*self.logprobs, *([0.0] * len(ids))]


def start_rollout(session: Session, tokenizer: Tokenizer, options: RolloutOptions) -> TokenRollout:
    screen = session.observe().text if options.show_screen else ""
    messages = first_messages(session.instruction, screen, choose_tools(session.tools(), options.tools))
    return TokenRollout(render(tokenizer, messages))


def roll_out(
    client: Client, sessions: Sequence[Session], generate: Generate, tokenizer: Tokenizer, options: RolloutOptions
) -> list[TokenRollout]:
    """Runs all sessions side by side until each has ended or has no turns or tokens left."""
    rollouts = [start_rollout(session, tokenizer, options) for session in sessions]
    going = list(range(len(rollouts)))
    for _ in range(options.max_turns):
        if not going:
            break
        answers, logprobs = generate([rollouts[index].ids for index in going])
        moves: list[tuple[int, Action]] = []
        told: list[tuple[int, str]] = []
        for place, index in enumerate(going):
            rollouts[index].add_sampled(answers[place], None if logprobs is None else logprobs[place])
            action = parse_action(tokenizer.decode(answers[place], skip_special_tokens=False))
            if isinstance(action, str):
                told.append((index, action))
            else:
                moves.append((index, action))
        steps = client.step_many((sessions[index], action) for index, action in moves)
        for (index, _action), step in zip(moves, steps, strict=True):
            assert isinstance(step, Step)
            if step.done:
                end_rollout(rollouts[index], step.reward, "stop")
            else:
                told.append((index, observation_text(step)))
        going = [index for index, text in told if continue_rollout(rollouts[index], text, tokenizer, options)]
    for rollout, session in zip(rollouts, sessions, strict=True):
        if rollout.stop_reason != "stop":
            end_rollout(rollout, session.verify(stop=True).reward, "length")
    return rollouts


async def roll_out_one(
    session: AsyncSession, generate: GenerateOne, tokenizer: Tokenizer, options: RolloutOptions
) -> TokenRollout:
    """Runs one session until it has ended or has no turns or tokens left."""
    screen = (await session.observe()).text if options.show_screen else ""
    tools = choose_tools(await session.tools(), options.tools)
    rollout = TokenRollout(render(tokenizer, first_messages(session.instruction, screen, tools)))
    for _ in range(options.max_turns):
        ids, logprobs = await generate(rollout.ids)
        rollout.add_sampled(ids, logprobs)
        action = parse_action(tokenizer.decode(ids, skip_special_tokens=False))
        if not isinstance(action, str):
            step = await session.step(action)
            if step.done:
                end_rollout(rollout, step.reward, "stop")
                return rollout
            action = observation_text(step)
        if not continue_rollout(rollout, action, tokenizer, options):
            break
    end_rollout(rollout, (await session.verify(stop=True)).reward, "length")
    return rollout


def end_rollout(rollout: TokenRollout, reward: float | None, reason: str) -> None:
    rollout.reward = reward
    rollout.stop_reason = reason


def continue_rollout(rollout: TokenRollout, text: str, tokenizer: Tokenizer, options: RolloutOptions) -> bool:
    """Adds what the model is told next, unless there is no room for it."""
    ids = render_next(tokenizer, text)
    if len(rollout.response_ids) + len(ids) >= options.max_response_tokens:
        return False
    rollout.add_observed(ids)
    return True


def render(tokenizer: Tokenizer, messages: list[dict[str, str]]) -> list[int]:
    text = tokenizer.apply_chat_template(messages, add_generation_prompt=True, tokenize=False)
    return tokenizer.encode(text, add_special_tokens=False)


def render_next(tokenizer: Tokenizer, observation: str) -> list[int]:
    """The tokens between an answer of the model and its next one: the observation as a user message.

    Only new text is tokenized, so the tokens that the model sampled stay as they are.
    """
    before = [{"role": "user", "content": "-"}, {"role": "assistant", "content": "-"}]
    messages = [*before, {"role": "user", "content": observation}]
    start = tokenizer.apply_chat_template(before, add_generation_prompt=False, tokenize=False)
    whole = tokenizer.apply_chat_template(messages, add_generation_prompt=True, tokenize=False)
    text = whole[len(start) :] if whole.startswith(start) else observation
    return tokenizer.encode(text, add_special_tokens=False)
