"""SkyRL's generator interface around served sessions. Its engines need a GPU, so answers come from a script."""

from __future__ import annotations

import asyncio
from typing import Any

from skyrl.train.generators.base import GeneratorInput, TrajectoryID
from skyrl.train.utils.trainer_utils import validate_generator_output

from espalier.adapters.skyrl import EspalierGenerator

from .scripted_sampler import Script, call_of, make_tokenizer, tool_call
from .served import URL, report, teacher_plan

TASK, GROUP = "star-message", 4


class ScriptedEngine:
    """The first two trajectories of an instance solve the task, the others finish at once."""

    def __init__(self, solving: Script, failing: Script) -> None:
        self._solving, self._failing = solving, failing

    async def generate(self, request: dict[str, Any], model: str | None = None) -> dict[str, Any]:
        repetition = int(request["session_ids"][0].rsplit("_", 1)[1])
        script = self._solving if repetition < GROUP // 2 else self._failing
        ids = script.answer(request["prompt_token_ids"][0])
        return {"response_ids": [ids], "response_logprobs": [[-1.0] * len(ids)]}


def main() -> None:
    tokenizer = make_tokenizer()
    finish = tool_call("finish", {})
    solving = [*map(call_of, teacher_plan(TASK, 3)), finish]
    engine = ScriptedEngine(Script(tokenizer, solving), Script(tokenizer, [finish]))
    generator = EspalierGenerator(URL, engine, tokenizer, environment="mail")
    batch: GeneratorInput = {
        "prompts": [[]] * GROUP,
        "env_classes": ["espalier"] * GROUP,
        "env_extras": [{"task": TASK, "seed": 3}] * GROUP,
        "sampling_params": {},
        "trajectory_ids": [TrajectoryID("mail-3", index) for index in range(GROUP)],
        "batch_metadata": None,
    }
    output = asyncio.run(generator.generate(batch))
    validate_generator_output(GROUP, output)
    assert output["rewards"] == [1, 1, 0, 0], output["rewards"]
    assert output["stop_reasons"] == ["stop"] * GROUP
    report("skyrl", f"a group of {GROUP} trajectories, rewards {output['rewards']}; SkyRL's validation is content")


if __name__ == "__main__":
    main()
