"""verifiers: served sessions as a taskset with an environment of its own.

The id of the taskset is `espalier_verifiers`. In the configuration of an evaluation:

    [env.taskset]
    id = "espalier_verifiers"
    url = "http://127.0.0.1:8900"
    environment = "mail"
    tasks = [{task = "star-message", seed = 3}]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import verifiers.v1 as vf
from pydantic import BaseModel, Field

from .. import aio
from .text_agent import first_messages, observation_text, parse_action
from .tool_methods import choose_tools


class TaskChoice(BaseModel):
    task: str
    seed: int = 0


class EspalierData(vf.TaskData):
    url: str
    environment: str | None
    choice: TaskChoice


class EspalierTask(vf.Task[EspalierData]):
    pass


class EspalierConfig(vf.TasksetConfig):
    url: str = "http://127.0.0.1:8900"
    """Where `espalier serve` listens. A key is the password in it."""
    environment: str | None = None
    tasks: list[TaskChoice] = Field(default_factory=list)
    """One task for each template and seed."""


class EspalierTaskset(vf.Taskset[EspalierTask, EspalierConfig]):
    def load(self) -> Iterator[EspalierTask]:
        config = self.config
        for choice in config.tasks:
            name = f"{choice.task}/{choice.seed}"
            data = EspalierData(name=name, prompt=None, url=config.url, environment=config.environment, choice=choice)
            yield EspalierTask(data, config.task)


class EspalierEnvConfig(vf.EnvConfig):
    player: vf.AgentConfig = vf.AgentConfig()


class EspalierEnv(vf.Env[EspalierEnvConfig]):
    """The model answers with tool calls as text. The verdict is the reward; without one the rollout is an error."""

    async def run(self, task: EspalierTask, agents: Any) -> None:
        data = task.data
        async with await aio.connect(data.url) as client:
            session = await client.session(data.environment, task=data.choice.task, seed=data.choice.seed)
            tools = choose_tools(await session.tools(), None)
            first = first_messages(session.instruction, session.start.text, tools)
            async with agents.player.interaction(task) as interaction:
                segment = await interaction.turn("\n\n".join(message["content"] for message in first))
                while not segment.terminated:
                    action = parse_action(segment.last_reply, tools)
                    if not isinstance(action, str):
                        step = await session.step(action)
                        if step.done:
                            break
                        action = observation_text(step)
                    segment = await interaction.turn(action)
            verified = await session.verify(stop=True)
        if verified.reward is None:
            raise RuntimeError(f"The session has no verdict: it is {verified.outcome}.")
        interaction.trace.record_reward("espalier", verified.reward)
