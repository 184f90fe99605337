"""SkyRL: a generator that plays served sessions. The trajectories of an instance are forks of one session."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

from skyrl.backends.skyrl_train.inference_servers.base import InferenceEngineInput
from skyrl.train.generators.base import GeneratorInput, GeneratorInterface, GeneratorOutput, TrajectoryID

from .. import aio
from .groups import AsyncGroups, AsyncPrepare
from .token_rollout import RolloutOptions, Tokenizer, TokenRollout, roll_out_verified


class EspalierGenerator(GeneratorInterface):
    """`env_extras` of a prompt name its `task` and `seed`.

    A rollout without a verdict is played once more in a new session. Without a verdict there either, `generate`
    raises NoVerdict: SkyRL knows no missing reward, and 0 would count as a failure of the model.
    """

    def __init__(
        self,
        url: str,
        inference_engine_client: Any,
        tokenizer: Tokenizer,
        *,
        environment: str | None = None,
        key: str | None = None,
        model: str | None = None,
        options: RolloutOptions | None = None,
        prepare: AsyncPrepare | None = None,
    ) -> None:
        self._url, self._key, self._environment = url, key, environment
        self._engine, self._tokenizer, self._model = inference_engine_client, tokenizer, model
        self._options = options or RolloutOptions()
        self._prepare = prepare

    async def generate(self, input_batch: GeneratorInput) -> GeneratorOutput:
        extras = input_batch.get("env_extras") or [{}] * len(input_batch["prompts"])
        ids = input_batch.get("trajectory_ids") or [TrajectoryID(str(index), 0) for index in range(len(extras))]
        sizes = Counter(id.instance_id for id in ids)
        async with await aio.connect(self._url, key=self._key) as client:
            groups = {size: AsyncGroups(client, self._environment, size, self._prepare) for size in set(sizes.values())}
            rollouts = await asyncio.gather(
                *(
                    self._play(groups[sizes[id.instance_id]], extra, id, input_batch.get("sampling_params"))
                    for extra, id in zip(extras, ids, strict=True)
                )
            )
        return output_of(rollouts, ids)

    async def _play(
        self, groups: AsyncGroups, extra: dict[str, Any], id: TrajectoryID, sampling: dict[str, Any] | None
    ) -> TokenRollout:
        task, seed = extra.get("task"), extra.get("seed")

        async def open_session(attempt: int) -> aio.AsyncSession:
            return await (groups.take(task, seed, id.instance_id) if attempt == 0 else groups.take_new(task, seed))

        async def generate(prompt: list[int]) -> tuple[list[int], list[float] | None]:
            request = InferenceEngineInput(
                prompt_token_ids=[prompt], session_ids=[id.to_string()], sampling_params=sampling
            )
            answer = await self._engine.generate(request, model=self._model)
            logprobs = answer.get("response_logprobs")
            return answer["response_ids"][0], None if logprobs is None else logprobs[0]

        rollout, _session = await roll_out_verified(open_session, generate, self._tokenizer, self._options)
        return rollout


def output_of(rollouts: list[TokenRollout], ids: list[TrajectoryID]) -> GeneratorOutput:
    logprobs = [rollout.logprobs for rollout in rollouts]
    return GeneratorOutput(
        prompt_token_ids=[rollout.prompt_ids for rollout in rollouts],
        response_ids=[rollout.response_ids for rollout in rollouts],
        rewards=[rollout.reward for rollout in rollouts],  # type: ignore[typeddict-item]
        loss_masks=[rollout.mask for rollout in rollouts],
        stop_reasons=[rollout.stop_reason for rollout in rollouts],
        rollout_metrics={},
        rollout_logprobs=None if None in logprobs else logprobs,  # type: ignore[typeddict-item]
        trajectory_ids=ids,
    )
