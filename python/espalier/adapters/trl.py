"""TRL: an `environment_factory` and a `rollout_func` for `GRPOTrainer`. Needs TRL 1.16 or newer.

A rollout without a verdict has the reward None, and TRL leaves it out. Older versions may count it as 0.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..actions import call_tool
from ..client import Session, connect
from ..errors import ConnectionLost, EspalierError
from ..types import Step, Verified
from .groups import Groups, Prepare
from .text_agent import observation_text
from .token_rollout import Generate, RolloutOptions, Tokenizer, TokenRollout, roll_out
from .tool_methods import choose_tools, method_of, tools_of


def environment_factory(
    url: str,
    environment: str | None = None,
    *,
    key: str | None = None,
    tools: tuple[str, ...] | None = None,
    task: str | None = None,
    group_size: int = 1,
    prepare: Prepare | None = None,
    show_screen: bool = True,
) -> type:
    """A class for `GRPOTrainer(environment_factory=…)`.

    Columns `task` and `seed` of the dataset choose the task. Set `group_size` to `num_generations`: the rollouts of a
    group are then forks of one session. `prepare` brings that session to the state that its group starts from.
    """
    client = connect(url, key=key)
    offered = choose_tools(tools_of(client, environment), tools)
    groups = Groups(client, environment, group_size, prepare)

    def reset(self: Any, task: str | None = task, seed: int | None = None, **row: Any) -> str:
        self._close()
        self._session = groups.take(task, seed)
        self._end = None
        screen = self._session.observe().text if show_screen else ""
        return f"{self._session.instruction}\n\n{screen}".rstrip()

    def call(self: Any, name: str, arguments: Mapping[str, Any]) -> str:
        if self._end is not None:
            raise RuntimeError("The episode has ended.")
        given = {name: value for name, value in arguments.items() if value is not None}
        step: Step = self._session.step(call_tool(name, given))
        if step.done:
            self._end = step
        if step.problem is not None:
            # TRL shows the message to the model, and counts the call as failed.
            raise RuntimeError(step.problem["message"])
        return observation_text(step)

    def get_reward(self: Any) -> float | None:
        try:
            end: Step | Verified = self._end or self._session.verify(stop=True)
            return end.reward
        except ConnectionLost:
            raise
        except EspalierError:
            # The world broke. The other rollouts of the batch are still good.
            return None

    def close(self: Any) -> None:
        """The trainer reuses instances; a session that was not scored is abandoned."""
        if self._session is not None:
            try:
                self._session.close()
            except EspalierError as error:
                if error.code != "SESSION_ERROR":
                    raise

    members: dict[str, Any] = {
        "__doc__": f"A session of {url}.",
        "_session": None,
        "_end": None,
        "_close": close,
        "reset": reset,
        "get_reward": get_reward,
        **{tool.name: method_of(tool, call) for tool in offered},
    }
    return type("EspalierEnvironment", (), members)


def rollout_func(
    url: str,
    environment: str | None = None,
    *,
    options: RolloutOptions | None = None,
    key: str | None = None,
    group_size: int = 1,
    prepare: Prepare | None = None,
    generate: Callable[[Any], Generate] | None = None,
) -> Callable[[Sequence[Any], Any], dict[str, list[Any]]]:
    """A function for `GRPOTrainer(rollout_func=…)`. Pass `environment_reward` as its reward function.

    Prompts of the dataset are task ids such as "star-message/3". The model is told the instruction and the screen.
    `generate` makes the function that samples, from the trainer; by default it is the trainer's own.
    """
    client = connect(url, key=key)
    groups = Groups(client, environment, group_size, prepare)
    settings = options or RolloutOptions()
    sampler = generate or trainer_generate

    def roll(prompts: Sequence[Any], trainer: Any) -> dict[str, list[Any]]:
        tokenizer: Tokenizer = getattr(trainer, "_tokenizer", None) or trainer.processing_class
        sessions = [groups.take(task_of(prompt), None) for prompt in prompts]
        rollouts = roll_out(client, sessions, sampler(trainer), tokenizer, settings)
        return columns_of(rollouts, sessions)

    return roll


def task_of(prompt: Any) -> str:
    """The task id in a prompt: a text, or the last message."""
    text = prompt if isinstance(prompt, str) else prompt[-1]["content"]
    return text.strip()


def columns_of(rollouts: Sequence[TokenRollout], sessions: Sequence[Session]) -> dict[str, list[Any]]:
    sampled = all(rollout.logprobs is not None for rollout in rollouts)
    return {
        "prompt_ids": [rollout.prompt_ids for rollout in rollouts],
        "completion_ids": [rollout.response_ids for rollout in rollouts],
        "logprobs": [rollout.logprobs for rollout in rollouts] if sampled else None,  # type: ignore[dict-item]
        "env_mask": [rollout.mask for rollout in rollouts],
        "environment_reward": [rollout.reward for rollout in rollouts],
        "session": [session.id for session in sessions],
    }


def environment_reward(completions: Sequence[Any], environment_reward: Sequence[float | None], **_: Any) -> list[Any]:
    """The reward function that goes with `rollout_func`. TRL leaves out rollouts without a verdict."""
    return list(environment_reward)


def trainer_generate(trainer: Any) -> Generate:
    """Samples with the model of the trainer, by vLLM or transformers as it is set up."""

    def generate(prompts: list[list[int]]) -> tuple[list[list[int]], list[list[float]] | None]:
        ids, logprobs = trainer._generate_single_turn(prompts, None, {}, 1)
        return ids, logprobs

    return generate


def dataset_rows(tasks: Sequence[str]) -> list[dict[str, str]]:
    """Rows for `datasets.Dataset.from_list`, for `rollout_func`."""
    return [{"prompt": task} for task in tasks]


def conversation_rows(system: str, tasks: Sequence[tuple[str, int]]) -> list[dict[str, Any]]:
    """Rows for `datasets.Dataset.from_list`, for `environment_factory`: it adds the instruction to the last message."""
    prompt = [{"role": "system", "content": system}, {"role": "user", "content": ""}]
    return [{"prompt": json.loads(json.dumps(prompt)), "task": task, "seed": seed} for task, seed in tasks]
