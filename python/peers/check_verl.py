"""verl's agent loop around served sessions. Its engines need a GPU, so answers come from a script."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

from omegaconf import OmegaConf
from verl.experimental.agent_loop.agent_loop import AgentLoopOutput, DictConfigWrap
from verl.utils.dataset.rl_dataset import RLHFDataset
from verl.workers.rollout.replica import TokenOutput

from espalier.adapters.verl import EspalierAgentLoop

from .scripted_sampler import Script, call_of, make_tokenizer, tool_call
from .served import URL, report, teacher_plan

TASK = "star-message"
TOKENIZER = make_tokenizer()


async def play(answers: list[str], seed: int) -> AgentLoopOutput:
    script = Script(TOKENIZER, answers)

    async def generate(request_id: str, prompt_ids: list[int], sampling_params: dict[str, Any]) -> TokenOutput:
        ids = script.answer(prompt_ids)
        return TokenOutput(token_ids=ids, log_probs=[-1.0] * len(ids))

    rollout = {"prompt_length": 16384, "response_length": 65536}
    loop = EspalierAgentLoop(
        DictConfigWrap(OmegaConf.create({"actor_rollout_ref": {"rollout": rollout}})),
        SimpleNamespace(generate=generate),
        TOKENIZER,
        None,
        RLHFDataset,
        DictConfigWrap(OmegaConf.create({})),
        url=URL,
        environment="mail",
    )
    return await loop.run({}, extra_info={"task": TASK, "seed": seed})


def main() -> None:
    solving = [*map(call_of, teacher_plan(TASK, 3)), tool_call("finish", {})]
    solved = asyncio.run(play(solving, 3))
    assert solved.reward_score == 1, solved.reward_score
    assert solved.num_turns == 2 * len(solving)
    sampled = [id for id, kept in zip(solved.response_ids, solved.response_mask, strict=True) if kept]
    assert TOKENIZER.decode(sampled) == "".join(solving)
    assert solved.response_logprobs is not None
    assert sum(solved.response_logprobs) == -len(sampled)
    assert solved.as_dict()["rm_scores"].sum() == 1
    failed = asyncio.run(play(["nonsense<|im_end|>", tool_call("finish", {})], 3))
    assert failed.reward_score == 0 and failed.num_turns == 4
    report("verl", "two rollouts of the agent loop, rewards 1 and 0; sampled tokens are those with mask 1")


if __name__ == "__main__":
    main()
