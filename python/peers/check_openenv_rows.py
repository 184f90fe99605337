"""Reads exported rows with the classes of `openenv collect`."""

from __future__ import annotations

import json
from pathlib import Path

from openenv.core.harness.collect import EpisodeRecord, RolloutSerializer

from .exported import BRANCHING, EPISODES, TOKENS
from .served import report


def read(folder: Path) -> list[EpisodeRecord]:
    serializer = RolloutSerializer(folder / "openenv")
    lines = [json.loads(line) for line in serializer.results_path.read_text().splitlines()]
    records = [EpisodeRecord(**line) for line in lines]
    assert [record.to_dict() for record in records] == lines
    assert serializer.collected_episode_ids() == {record.episode_id for record in records}
    assert len(serializer.collected_episode_ids()) == len(records)
    return records


def main() -> None:
    records = read(BRANCHING)
    main_ends = [record for record in records if record.extra["leaf_role"] == "main"]
    assert len(main_ends) == EPISODES and all(record.reward == 1 and record.done for record in main_ends)
    for record in records:
        answers = [message for message in record.messages if message["role"] == "assistant"]
        assert len(answers) == len(record.tool_trace) == len(record.extra["actors"])
    assert [record.reward for record in read(TOKENS)] == [1, 0]
    report("openenv-core", f"read {len(records)} exported episodes")


if __name__ == "__main__":
    main()
