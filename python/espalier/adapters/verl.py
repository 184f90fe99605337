"""verl: an agent loop that plays served sessions.

Name it in the file of `actor_rollout_ref.rollout.agent.agent_loop_config_path`:

    - name: espalier
      _target_: espalier.adapters.verl.EspalierAgentLoop
      url: http://127.0.0.1:8900
      environment: mail

Rows of the dataset have `agent_name: espalier`, and `task` and `seed` in `extra_info`.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from verl.experimental.agent_loop.agent_loop import AgentLoopBase, AgentLoopMetrics, AgentLoopOutput, register

from .. import aio
from .token_rollout import RolloutOptions, TokenRollout, roll_out_verified


@register("espalier")
class EspalierAgentLoop(AgentLoopBase):
    """One rollout is one session. The verdict is the reward.

    A rollout without a verdict is played once more in a new session. Without a verdict there either, `run` raises
    NoVerdict: verl knows no missing reward, and 0 would count as a failure of the model.
    """

    def __init__(
        self,
        *args: Any,
        url: str,
        environment: str | None = None,
        key: str | None = None,
        max_turns: int = 16,
        tools: list[str] | None = None,
        show_screen: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self._url, self._key, self._environment = url, key, environment
        self._options = RolloutOptions(
            max_turns=max_turns,
            max_response_tokens=self.rollout_config.response_length,
            tools=None if tools is None else tuple(tools),
            show_screen=show_screen,
        )

    async def run(self, sampling_params: dict[str, Any], **row: Any) -> AgentLoopOutput:
        extra: Mapping[str, Any] = row.get("extra_info") or {}
        request_id, seconds = uuid4().hex, 0.0

        async def generate(prompt: list[int]) -> tuple[list[int], list[float] | None]:
            nonlocal seconds
            begun = time.monotonic()
            output = await self.server_manager.generate(
                request_id=request_id, prompt_ids=prompt, sampling_params=sampling_params
            )
            seconds += time.monotonic() - begun
            return output.token_ids, output.log_probs

        async with await aio.connect(self._url, key=self._key) as client:

            async def open_session(attempt: int) -> aio.AsyncSession:
                return await client.session(self._environment, task=extra.get("task"), seed=extra.get("seed"))

            rollout, session = await roll_out_verified(open_session, generate, self.tokenizer, self._options)
        return self._output(rollout, session.id, AgentLoopMetrics(generate_sequences=seconds))

    def _output(self, rollout: TokenRollout, session: str, metrics: AgentLoopMetrics) -> AgentLoopOutput:
        length = self.rollout_config.response_length
        return AgentLoopOutput(
            prompt_ids=rollout.prompt_ids,
            response_ids=rollout.response_ids[:length],
            response_mask=rollout.mask[:length],
            response_logprobs=None if rollout.logprobs is None else rollout.logprobs[:length],
            reward_score=rollout.reward,
            num_turns=2 * rollout.turns,
            metrics=metrics,
            extra_fields={"session": session, "turn_scores": [], "tool_rewards": []},
        )
