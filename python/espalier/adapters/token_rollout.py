"""Multi-turn rollouts as tokens: what the model sampled has mask 1, what the environment answered has mask 0."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ..actions import Action
from ..aio import AsyncSession
from ..client import Client, Session
from ..errors import ConnectionLost, EspalierError, NoVerdict, ValidationError
from ..types import Step, Tool
from .text_agent import bare_messages, first_messages, observation_text, parse_action, schema_of
from .tool_methods import choose_tools

Generate = Callable[[list[list[int]]], tuple[list[list[int]], list[list[float]] | None]]
"""Samples one answer for each prompt of token ids: the ids, and their log probabilities if known."""


GenerateOne = Callable[[list[int]], Awaitable[tuple[list[int], list[float] | None]]]
"""Samples one answer for one prompt."""


class Tokenizer(Protocol):
    """The part of a Hugging Face tokenizer that is used. `tools` is left out for templates that write none."""

    def apply_chat_template(
        self, conversation: Any, *, add_generation_prompt: bool, tokenize: bool, tools: Any = None
    ) -> Any: ...

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
    """The tokens of one rollout.

    `reward` is None while there is no verdict. `stop_reason` is "stop", "length", or "error" if the world broke.
    `problem` says what broke.
    """

    prompt_ids: list[int]
    response_ids: list[int] = field(default_factory=list)
    mask: list[int] = field(default_factory=list)
    logprobs: list[float] | None = field(default_factory=list)
    turns: int = 0
    reward: float | None = None
    stop_reason: str = "length"
    problem: str = ""
    offered: list[Tool] = field(default_factory=list)
    writes_tools: bool = False
    """Whether the chat template of the model has a place for tools and their results."""

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
    try:
        screen = session.observe().text if options.show_screen else ""
        tools = session.tools()
    except EspalierError as error:
        return broken_start(session, tokenizer, error)
    offered = choose_tools(tools, options.tools)
    return first_rollout(tokenizer, session.instruction, screen, offered)


def first_rollout(tokenizer: Tokenizer, instruction: str, screen: str, offered: list[Tool]) -> TokenRollout:
    """The tools stand where the template of the model has a place for them, else in the system message."""
    ids = render_with_tools(tokenizer, instruction, screen, offered)
    if ids is not None:
        return TokenRollout(ids, offered=offered, writes_tools=True)
    return TokenRollout(render(tokenizer, first_messages(instruction, screen, offered)), offered=offered)


def broken_start(session: Session | AsyncSession, tokenizer: Tokenizer, error: EspalierError) -> TokenRollout:
    """The rollout of a world that broke before its first turn."""
    rollout = TokenRollout(render(tokenizer, first_messages(session.instruction, "", [])))
    break_rollout(rollout, error)
    return rollout


def roll_out(
    client: Client, sessions: Sequence[Session], generate: Generate, tokenizer: Tokenizer, options: RolloutOptions
) -> list[TokenRollout]:
    """Runs all sessions side by side until each has ended or has no turns or tokens left.

    A world that breaks leaves its rollout without a reward; the others go on. Only a lost connection is raised.
    """
    rollouts = [start_rollout(session, tokenizer, options) for session in sessions]
    going = [index for index, rollout in enumerate(rollouts) if rollout.stop_reason != "error"]
    for _ in range(options.max_turns):
        if not going:
            break
        answers, logprobs = generate([rollouts[index].ids for index in going])
        moves: list[tuple[int, Action]] = []
        told: list[tuple[int, str]] = []
        for place, index in enumerate(going):
            rollouts[index].add_sampled(answers[place], None if logprobs is None else logprobs[place])
            said = tokenizer.decode(answers[place], skip_special_tokens=False)
            action = parse_action(said, rollouts[index].offered)
            if isinstance(action, str):
                told.append((index, action))
            else:
                moves.append((index, action))
        pairs = [(sessions[index], action) for index, action in moves]
        steps = client.step_many(pairs, return_exceptions=True)
        for (index, _action), step in zip(moves, steps, strict=True):
            text = take_step(rollouts[index], step)
            if text is not None:
                told.append((index, text))
        going = [index for index, text in told if continue_rollout(rollouts[index], text, tokenizer, options)]
    for rollout, session in zip(rollouts, sessions, strict=True):
        if rollout.stop_reason == "length":
            try:
                rollout.reward = session.verify(stop=True).reward
            except EspalierError as error:
                break_rollout(rollout, error)
    return rollouts


async def roll_out_one(
    session: AsyncSession, generate: GenerateOne, tokenizer: Tokenizer, options: RolloutOptions
) -> TokenRollout:
    """Runs one session until it has ended or has no turns or tokens left. A world that breaks gives no reward."""
    try:
        screen = (await session.observe()).text if options.show_screen else ""
        tools = await session.tools()
    except EspalierError as error:
        return broken_start(session, tokenizer, error)
    offered = choose_tools(tools, options.tools)
    rollout = first_rollout(tokenizer, session.instruction, screen, offered)
    for _ in range(options.max_turns):
        ids, logprobs = await generate(rollout.ids)
        rollout.add_sampled(ids, logprobs)
        action = parse_action(tokenizer.decode(ids, skip_special_tokens=False), offered)
        text = action if isinstance(action, str) else take_step(rollout, await step_or_error(session, action))
        if text is None:
            return rollout
        if not continue_rollout(rollout, text, tokenizer, options):
            break
    try:
        rollout.reward = (await session.verify(stop=True)).reward
    except EspalierError as error:
        break_rollout(rollout, error)
    return rollout


async def roll_out_verified(
    open_session: Callable[[int], Awaitable[AsyncSession]],
    generate: GenerateOne,
    tokenizer: Tokenizer,
    options: RolloutOptions,
) -> tuple[TokenRollout, AsyncSession]:
    """A rollout with a verdict, for trainers that have no word for a missing one.

    `open_session` gets the number of the attempt. Raises NoVerdict if the second session has no verdict either.
    """
    for attempt in range(2):
        session = await open_session(attempt)
        rollout = await roll_out_one(session, generate, tokenizer, options)
        if rollout.reward is not None:
            return rollout, session
    why = rollout.problem or "The verifier gave no verdict."
    raise NoVerdict(f"Two sessions of this task ended without a verdict. {why} See the log of the server.")


async def step_or_error(session: AsyncSession, action: Action) -> Step | EspalierError:
    try:
        return await session.step(action)
    except EspalierError as error:
        return error


def take_step(rollout: TokenRollout, step: Step | EspalierError) -> str | None:
    """What the model is told after a step; None if the rollout has ended. A lost connection is raised."""
    if isinstance(step, ValidationError):
        return f"That was refused: {step.message}"
    if isinstance(step, EspalierError):
        break_rollout(rollout, step)
        return None
    if not step.done:
        return observation_text(step)
    rollout.reward = step.reward
    rollout.stop_reason = "stop"
    return None


def break_rollout(rollout: TokenRollout, error: EspalierError) -> None:
    """Ends the rollout of a world that broke. A lost connection ends all rollouts, so it is raised."""
    if isinstance(error, ConnectionLost):
        raise error
    rollout.reward = None
    rollout.stop_reason = "error"
    rollout.problem = str(error)


def continue_rollout(rollout: TokenRollout, text: str, tokenizer: Tokenizer, options: RolloutOptions) -> bool:
    """Adds what the model is told next, unless there is no room for it."""
    ids = (render_result(tokenizer, text) if rollout.writes_tools else None) or render_next(tokenizer, text)
    if len(rollout.response_ids) + len(ids) >= options.max_response_tokens:
        return False
    rollout.add_observed(ids)
    return True


def render_with_tools(tokenizer: Tokenizer, instruction: str, screen: str, tools: list[Tool]) -> list[int] | None:
    """The first request as the template writes it with tools; None if it leaves them out."""
    schemas = [schema_of(tool) for tool in tools]
    text = _written(tokenizer, bare_messages(instruction, screen), tools=schemas, add_generation_prompt=True)
    if text is None or not tools or not all(_is_written(tool, text) for tool in tools):
        return None
    return tokenizer.encode(text, add_special_tokens=False)


def _is_written(tool: Tool, text: str) -> bool:
    """Names alone may be words of the screen: the parameters must stand there, too."""
    return all(word in text for word in (tool.name, *tool.input_schema.get("properties", {})))


def _written(tokenizer: Tokenizer, messages: list[dict[str, Any]], **options: Any) -> str | None:
    try:
        return str(tokenizer.apply_chat_template(messages, tokenize=False, **options))
    except Exception:  # Templates raise errors of their own, and some tokenizers take no tools.
        return None


def render(tokenizer: Tokenizer, messages: list[dict[str, str]]) -> list[int]:
    text = tokenizer.apply_chat_template(messages, add_generation_prompt=True, tokenize=False)
    return tokenizer.encode(text, add_special_tokens=False)


def render_result(tokenizer: Tokenizer, result: str) -> list[int] | None:
    """The tokens between a call of the model and its next answer; None if the template has no place for results."""
    call = {"id": "call00001", "type": "function", "function": {"name": "finish", "arguments": {}}}
    before: list[dict[str, Any]] = [
        {"role": "user", "content": "-"},
        {"role": "assistant", "content": "", "tool_calls": [call]},
    ]
    after = [*before, {"role": "tool", "tool_call_id": "call00001", "name": "finish", "content": result}]
    start = _written(tokenizer, before, add_generation_prompt=False)
    whole = _written(tokenizer, after, add_generation_prompt=True)
    if start is None or whole is None or not whole.startswith(start) or result not in whole[len(start) :]:
        return None
    return tokenizer.encode(whole[len(start) :], add_special_tokens=False)


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
