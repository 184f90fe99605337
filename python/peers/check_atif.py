"""Validates exported ATIF trajectories with Harbor's own models and validator."""

from __future__ import annotations

from pathlib import Path

from harbor.models.trajectories import Trajectory
from harbor.utils.trajectory_validator import TrajectoryValidator

from .exported import BRANCHING, EPISODES, TOKENS
from .served import report


def read(folder: Path) -> list[Trajectory]:
    found = []
    for file in sorted((folder / "atif").glob("*.json")):
        validator = TrajectoryValidator()
        assert validator.validate(file), validator.errors
        found.append(Trajectory.model_validate_json(file.read_text()))
    return found


def main() -> None:
    trajectories = read(BRANCHING)
    assert len(trajectories) >= EPISODES
    for trajectory in trajectories:
        assert trajectory.steps[0].source == "system" and trajectory.steps[-1].source == "agent"
    rewards = [(trajectory.extra or {})["reward"] for trajectory in trajectories]
    assert rewards.count(1) >= EPISODES
    tokens = {
        (trajectory.extra or {})["reward"]: [
            step.metrics.completion_token_ids for step in trajectory.steps if step.metrics is not None
        ]
        for trajectory in read(TOKENS)
    }
    assert tokens == {1: [[3, 4], [7, 8]], 0: [[3, 4], [6]]}, tokens
    report("harbor", f"validated {len(trajectories)} exported trajectories, and token ids")


if __name__ == "__main__":
    main()
