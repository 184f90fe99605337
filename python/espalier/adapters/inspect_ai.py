"""Inspect AI: a task whose samples are served sessions, with their tools and a scorer that asks the verifier."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageUser
from inspect_ai.scorer import Score, Scorer, Target, accuracy, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, generate, solver
from inspect_ai.tool import ToolDef, ToolError
from inspect_ai.tool import ToolParams as InspectParameters

from .. import aio
from ..actions import call_tool
from ..errors import ValidationError
from ..types import Tool, Verified
from .text_agent import observation_text
from .tool_methods import choose_tools


class _Samples:
    """The open sessions of a task, by sample."""

    def __init__(self, url: str, key: str | None) -> None:
        self._url = url
        self._key = key
        self._clients: dict[str, aio.AsyncClient] = {}
        self.sessions: dict[str, aio.AsyncSession] = {}

    async def open(self, state: TaskState, environment: str | None) -> aio.AsyncSession:
        client = self._clients[state.uuid] = await aio.connect(self._url, key=self._key)
        task, seed = state.metadata["task"], state.metadata["seed"]
        session = self.sessions[state.uuid] = await client.session(environment, task=task, seed=seed)
        return session

    async def close(self, state: TaskState) -> None:
        self.sessions.pop(state.uuid, None)
        client = self._clients.pop(state.uuid, None)
        if client is not None:
            await client.close()


def espalier_task(
    url: str,
    environment: str | None = None,
    *,
    tasks: Sequence[tuple[str, int]],
    tools: tuple[str, ...] | None = None,
    key: str | None = None,
    agent: Solver | None = None,
    **options: Any,
) -> Task:
    """A task with one sample for each (template, seed). `agent` defaults to `generate()`, which calls tools in a loop.

    Further options go to Inspect's `Task`.
    """
    samples = _Samples(url, key)
    dataset = [
        Sample(input=f"{task}/{seed}", id=f"{task}/{seed}", metadata={"task": task, "seed": seed})
        for task, seed in tasks
    ]
    return Task(
        dataset=MemoryDataset(dataset, name=environment or "espalier"),
        setup=_open_session(samples, environment, tools),
        solver=agent or generate(),
        scorer=verifier(samples),
        cleanup=samples.close,
        **options,
    )


@solver
def _open_session(samples: _Samples, environment: str | None, names: tuple[str, ...] | None) -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        session = await samples.open(state, environment)
        chosen = choose_tools(await session.tools(), names)
        ended: set[aio.AsyncSession] = set()
        state.tools = [_tool(session, tool, ended).as_tool() for tool in chosen]
        state.messages = [ChatMessageUser(content=f"{session.instruction}\n\n{session.start.text}")]
        return state

    return solve


def _tool(session: aio.AsyncSession, tool: Tool, ended: set[aio.AsyncSession]) -> ToolDef:
    return ToolDef(
        _caller(session, tool.name, ended),
        name=tool.name,
        description=tool.description or tool.name,
        parameters=_parameters(tool),
    )


def _parameters(tool: Tool) -> InspectParameters:
    schema = tool.input_schema
    fields = {
        name: {"description": name.replace("_", " "), **about} for name, about in schema.get("properties", {}).items()
    }
    return InspectParameters.model_validate({"properties": fields, "required": schema.get("required", [])})


def _caller(session: aio.AsyncSession, name: str, ended: set[aio.AsyncSession]) -> Callable[..., Awaitable[str]]:
    async def execute(**arguments: Any) -> str:
        if session in ended:
            raise ToolError("The episode has ended: nothing more can be done.")
        try:
            step = await session.step(call_tool(name, arguments))
        except ValidationError as error:
            raise ToolError(error.message) from error
        if step.problem is not None:
            raise ToolError(step.problem["message"])
        if not step.done:
            return observation_text(step)
        ended.add(session)
        return "The episode has ended."

    return execute


@scorer(metrics=[accuracy(), stderr()])
def verifier(samples: _Samples) -> Scorer:
    """1 when the verifier passed the session. A broken verifier is an error of the sample, never 0."""

    async def score(state: TaskState, target: Target) -> Score:
        verified: Verified = await samples.sessions[state.uuid].verify(stop=True)
        if verified.reward is None:
            raise RuntimeError(f"The session has no verdict: it is {verified.outcome}.")
        # A student that stops a session learns its reward, and not what holds there.
        verdict = None if verified.verdict is None else verified.verdict.data
        return Score(value=verified.reward, metadata={"verdict": verdict, "outcome": verified.outcome})

    return score
