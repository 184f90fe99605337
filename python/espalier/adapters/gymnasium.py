"""Gymnasium: an `Env`, and a vector env that steps all its sessions in one exchange.

An action is the number of a candidate: one of the actions that are possible in the current state. The last number
finishes the episode. `action_mask` in the observation says which numbers can be used now.

An episode that ends without a verdict, since its world or its verifier broke, has the reward NaN and
`info["verdict_missing"]`. Leave it out of training: it says nothing about the agent.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

import gymnasium
import numpy
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from .. import protocol
from ..actions import Action, finish
from ..client import Client, Session, connect
from ..errors import ConnectionLost, EspalierError
from ..types import Candidate, Step

Observation = dict[str, Any]

TRAINING_SEEDS = 1_000_000
"""The server keeps higher seeds for evaluation."""


class ScreenText(gymnasium.spaces.Text):
    """Any text up to a length. Screens have more letters than a charset can list."""

    def contains(self, x: Any) -> bool:
        return isinstance(x, str) and len(x) <= self.max_length


def _spaces(max_actions: int, max_text: int) -> tuple[gymnasium.spaces.Dict, gymnasium.spaces.Discrete]:
    observation = {
        "instruction": ScreenText(max_text, min_length=0),
        "text": ScreenText(max_text, min_length=0),
        "action_mask": gymnasium.spaces.MultiBinary(max_actions),
    }
    return gymnasium.spaces.Dict(observation), gymnasium.spaces.Discrete(max_actions)


OpenSession = Callable[[str | None, int], Session]
"""Opens a session at a task and a seed."""


def _opener(client: Client, environment: str | None) -> OpenSession:
    return lambda task, seed: client.session(environment, task=task, seed=seed)


class _Seat:
    """One session with the candidates of its current state."""

    def __init__(self, open_session: OpenSession, max_actions: int, max_text: int) -> None:
        self._open = open_session
        self._session: Session | None = None
        self.max_actions = max_actions
        self.max_text = max_text
        self.screen = ""
        self.broken = False
        self.candidates: list[Candidate] = []

    @property
    def session(self) -> Session:
        if self._session is None:
            raise gymnasium.error.ResetNeeded("Call reset before step.")
        return self._session

    def reset(self, task: str | None, seed: int) -> Observation:
        if self.broken and self._session is not None:
            with contextlib.suppress(EspalierError):
                self._session.close()
            self._session = None
        self.broken = False
        if self._session is None:
            self._session = self._open(task, seed)
            step = self._session.start
        else:
            step = self._session.reset(task=task, seed=seed)
        return self.show(step, self._session.candidates())

    def action(self, number: int) -> Action | None:
        """None for a number that the mask forbids."""
        if number < 0:
            return None
        if number == self.max_actions - 1:
            return finish()
        return self.candidates[number].action if number < len(self.candidates) else None

    def show(self, step: Step, candidates: list[Candidate]) -> Observation:
        self.screen = step.text
        self.candidates = candidates[: self.max_actions - 1]
        return self.observation()

    def observation(self) -> Observation:
        mask = numpy.zeros(self.max_actions, dtype=numpy.int8)
        mask[: len(self.candidates)] = 1
        mask[-1] = 1
        return {
            "instruction": self.session.instruction[: self.max_text],
            "text": self.screen[: self.max_text],
            "action_mask": mask,
        }

    def info(self, step: Step | None = None) -> dict[str, Any]:
        return {
            "session": self.session.id,
            "candidates": [candidate.action for candidate in self.candidates],
            "problem": "" if step is None or step.problem is None else step.problem["message"],
            "verdict_missing": step is not None and step.verdict_missing,
        }


def reward_of(step: Step) -> float:
    """0 while the episode goes on, the verdict at its end, and NaN if it ended without one."""
    if step.verdict_missing:
        return float("nan")
    return float(step.reward or 0)


def _broken(error: EspalierError) -> Step:
    """The last step of a world that broke. A lost connection ends all sessions, so it is raised."""
    if isinstance(error, ConnectionLost):
        raise error
    return Step({"ended": "truncated", "problem": {"code": error.code, "message": error.message}}, None, True)


def _advance(client: Client, seats: Sequence[_Seat], actions: Sequence[Action]) -> list[Step]:
    """One step in each session, and the candidates after it, in one exchange."""
    requests: list[tuple[protocol.Request[Any], str]] = []
    for seat, action in zip(seats, actions, strict=True):
        requests += [(protocol.step(action), seat.session.id), (protocol.candidates(), seat.session.id)]
    answers = client.request_many(requests, return_exceptions=True)
    steps: list[Step] = []
    for seat, step, candidates in zip(seats, answers[::2], answers[1::2], strict=True):
        if isinstance(step, EspalierError):
            step = _broken(step)
            seat.broken = True
        # A session that has ended has no candidates.
        if isinstance(candidates, EspalierError) and not step.done:
            step = _broken(candidates)
            seat.broken = True
        seat.show(step, [] if step.done else candidates)
        steps.append(step)
    return steps


class EspalierEnv(gymnasium.Env[Observation, int]):
    """One session as a Gymnasium environment. `reset(seed=…)` chooses the instance of the task."""

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012 -- the type that Gymnasium has

    def __init__(
        self,
        url: str,
        environment: str | None = None,
        *,
        task: str | None = None,
        key: str | None = None,
        max_actions: int = 512,
        max_text: int = 100_000,
        render_mode: str | None = None,
    ) -> None:
        self.observation_space, self.action_space = _spaces(max_actions, max_text)
        self.render_mode = render_mode
        self._client = connect(url, key=key)
        self._task = task
        self._seat = _Seat(_opener(self._client, environment), max_actions, max_text)

    @property
    def session(self) -> Session:
        """To fork, snapshot or roll back."""
        return self._seat.session

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """`options` may name a `task`."""
        super().reset(seed=seed)
        instance = seed if seed is not None else int(self.np_random.integers(TRAINING_SEEDS))
        task = (options or {}).get("task", self._task)
        return self._seat.reset(task, instance), self._seat.info()

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        taken = self._seat.action(int(action))
        if taken is None:
            info = {**self._seat.info(), "problem": f"The mask forbids action {action} now."}
            return self._seat.observation(), 0.0, False, False, info
        (step,) = _advance(self._client, [self._seat], [taken])
        return (
            self._seat.observation(),
            reward_of(step),
            step.terminated,
            step.truncated,
            self._seat.info(step),
        )

    def render(self) -> str | None:
        return self._seat.screen if self.render_mode == "ansi" else None

    def close(self) -> None:
        self._client.close()


class EspalierVectorEnv(VectorEnv[Observation, numpy.ndarray, numpy.ndarray]):
    """Many sessions on one connection. An environment that has ended is reset by the next step."""

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": []}  # noqa: RUF012 -- as above

    def __init__(
        self,
        url: str,
        num_envs: int,
        environment: str | None = None,
        *,
        task: str | None = None,
        key: str | None = None,
        max_actions: int = 512,
        max_text: int = 100_000,
    ) -> None:
        self.num_envs = num_envs
        self.single_observation_space, self.single_action_space = _spaces(max_actions, max_text)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._client = connect(url, key=key)
        self._task = task
        open_session = _opener(self._client, environment)
        self._seats = [_Seat(open_session, max_actions, max_text) for _ in range(num_envs)]
        self._ended = numpy.zeros(num_envs, dtype=bool)

    @property
    def sessions(self) -> list[Session]:
        return [seat.session for seat in self._seats]

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed if isinstance(seed, int) else None)
        seeds = [seed + index for index in range(self.num_envs)] if isinstance(seed, int) else seed
        for index, seat in enumerate(self._seats):
            self._reset_seat(seat, None if seeds is None else seeds[index])
        self._ended[:] = False
        return self._observations(), self._infos({index: seat.info() for index, seat in enumerate(self._seats)})

    def step(
        self, actions: numpy.ndarray
    ) -> tuple[Observation, numpy.ndarray, numpy.ndarray, numpy.ndarray, dict[str, Any]]:
        rewards = numpy.zeros(self.num_envs)
        terminated, truncated = numpy.zeros(self.num_envs, dtype=bool), numpy.zeros(self.num_envs, dtype=bool)
        infos = {}
        moving: dict[int, Action] = {}
        for index, seat in enumerate(self._seats):
            action = seat.action(int(actions[index]))
            if self._ended[index]:
                self._reset_seat(seat, None)
            elif action is not None:
                moving[index] = action
            infos[index] = seat.info()
        steps = _advance(self._client, [self._seats[index] for index in moving], list(moving.values()))
        for index, step in zip(moving, steps, strict=True):
            rewards[index] = reward_of(step)
            terminated[index], truncated[index] = step.terminated, step.truncated
            infos[index] = self._seats[index].info(step)
        self._ended = terminated | truncated
        return self._observations(), rewards, terminated, truncated, self._infos(infos)

    def close_extras(self, **kwargs: Any) -> None:
        self._client.close()

    def _reset_seat(self, seat: _Seat, seed: int | None) -> None:
        instance = seed if seed is not None else int(self.np_random.integers(TRAINING_SEEDS))
        seat.reset(self._task, instance)

    def _observations(self) -> Observation:
        found = [seat.observation() for seat in self._seats]
        return {
            "instruction": tuple(one["instruction"] for one in found),
            "text": tuple(one["text"] for one in found),
            "action_mask": numpy.stack([one["action_mask"] for one in found]),
        }

    def _infos(self, infos: dict[int, dict[str, Any]]) -> dict[str, Any]:
        joined: dict[str, Any] = {}
        for index, info in infos.items():
            joined = self._add_info(joined, info, index)
        return joined
