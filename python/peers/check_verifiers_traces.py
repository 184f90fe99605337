"""Reads exported traces with verifiers, and the training samples that they make."""

from __future__ import annotations

from pathlib import Path

from verifiers.v1.configs.agent import WireAgentConfig
from verifiers.v1.episode import WireEpisode
from verifiers.v1.state import State
from verifiers.v1.task import WireTaskData
from verifiers.v1.trace import Trace
from verifiers.v1.utils.trace_store import read_episodes

from .exported import BRANCHING, EPISODES, TOKENS
from .served import report


def read(folder: Path) -> list[WireEpisode]:
    return read_episodes(folder / "verifiers", Trace[WireTaskData, State, WireAgentConfig])


def main() -> None:
    episodes = read(BRANCHING)
    assert len(episodes) == EPISODES
    for episode in episodes:
        assert episode.ok and episode.traces[0].reward == 1
        assert episode.traces[0].task.data.prompt
        assert all(len(trace.branches) == 1 for trace in episode.traces)
    (tokens,) = read(TOKENS)
    samples = [
        (trace.reward, branch.token_ids, [int(one) for one in branch.sampled_mask], branch.logprobs)
        for trace in tokens.traces
        for branch in trace.branches
    ]
    assert samples == [
        (1.0, [1, 2, 3, 4, 5, 7, 8], [0, 0, 1, 1, 0, 1, 1], [0.0, 0.0, -0.1, -0.1, 0.0, -0.1, -0.1]),
        (0.0, [1, 2, 3, 4, 5, 6], [0, 0, 0, 0, 0, 1], [0.0, 0.0, 0.0, 0.0, 0.0, -0.1]),
    ], samples
    traces = sum(len(episode.traces) for episode in episodes)
    report("verifiers", f"read {len(episodes)} exported episodes with {traces} traces, and token masks")


if __name__ == "__main__":
    main()
