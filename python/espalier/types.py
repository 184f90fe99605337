"""What the server answers, as typed values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True)
class Step:
    """What reset, step and observe answer.

    `reward` is None until the episode is done, and stays None if the verifier broke.
    """

    observation: dict[str, Any]
    reward: float | None
    done: bool

    @property
    def text(self) -> str:
        """The screen; empty after the end, and for tool calls, which have a `result`."""
        return str(self.observation.get("text", ""))

    @property
    def node(self) -> int:
        """The node of the trajectory tree."""
        return int(self.observation["node"])

    @property
    def instruction(self) -> str | None:
        return self.observation.get("instruction")

    @property
    def result(self) -> Any:
        """What the called tool returned."""
        return self.observation.get("result")

    @property
    def problem(self) -> dict[str, Any] | None:
        """Why the action was refused: `code` or `error_type`, and `message`."""
        return self.observation.get("problem") or self.observation.get("error")

    @property
    def verdict_missing(self) -> bool:
        """Whether the episode has ended without a verdict. That is not a failure of the agent."""
        return self.done and self.reward is None

    @property
    def terminated(self) -> bool:
        return self.observation.get("ended") == "terminated"

    @property
    def truncated(self) -> bool:
        return self.observation.get("ended") == "truncated"


@dataclass(frozen=True)
class Opened:
    """A new or attached session."""

    session: str
    environment: str
    task: str
    episode: str
    digest: str
    step: Step


@dataclass(frozen=True)
class StateDigest:
    """`value` is the digest of the state now, `recorded` the one in the tree."""

    node: int
    value: str
    recorded: str
    equal: bool


@dataclass(frozen=True)
class Snapshot:
    """Names a state. Every session of the same tree can restore it."""

    id: str
    node: int
    digest: str


@dataclass(frozen=True)
class Restored:
    """The digests are equal: a difference raises `Diverged`."""

    node: int
    method: str
    recorded: str
    reached: str
    observation: dict[str, Any]

    @property
    def text(self) -> str:
        return str(self.observation.get("text", ""))


@dataclass(frozen=True)
class Candidate:
    """An action that is possible now, and the element that it is about."""

    action: dict[str, Any]
    role: str | None
    name: str | None
    value: str | None
    within: Any


@dataclass(frozen=True)
class Check:
    id: str | None
    passed: bool


@dataclass(frozen=True)
class Verdict:
    """`data` is the verdict as it came; a teacher's also has the words of the checks and the evidence."""

    passed: bool
    progress: float
    clean: bool
    checks: tuple[Check, ...]
    data: dict[str, Any]


Outcome = Literal["passed", "failed", "discarded", "errored"]


@dataclass(frozen=True)
class Verified:
    """`outcome` is None while the session goes on; only teachers can verify it then."""

    outcome: Outcome | None
    reward: float | None
    verdict: Verdict | None

    @property
    def passed(self) -> bool:
        return self.verdict is not None and self.verdict.passed


@dataclass(frozen=True)
class Plan:
    """A planner's way to the goal. Needs a teacher's key."""

    outcome: str
    actions: tuple[dict[str, Any], ...]
    cost: float | None
    expanded: int


@dataclass(frozen=True)
class Tool:
    name: str
    description: str
    input_schema: dict[str, Any]
