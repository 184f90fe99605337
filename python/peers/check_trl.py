"""Two GRPO steps of TRL against a served world, with `environment_factory` and with `rollout_func`."""

from __future__ import annotations

import math
import os
import tempfile
from typing import Any

os.environ.update(TRL_EXPERIMENTAL_SILENCE="1", HF_HUB_OFFLINE="1", TOKENIZERS_PARALLELISM="false")

import torch
from datasets import Dataset
from trl import GRPOConfig, GRPOTrainer

import espalier
from espalier.adapters import trl as adapter
from espalier.adapters.token_rollout import RolloutOptions

from .served import URL, report, teacher_plan
from .tiny_model import make_model, make_tokenizer, suppressed, tool_call, weights

GROUP, SEEDS, TASK = 8, (3, 4), "star-message"
TOOLS = ("star_message", "finish")
# In the state that a group starts from the goal is reached: to finish passes, to star another message does not.
ANSWERS = [tool_call("finish", {}), tool_call("star_message", {"id": "m1", "starred": True})]


def nearly_done(session: espalier.Session) -> None:
    """Takes the steps of the teacher, all but the last."""
    seed = int(session.state()["task"].rsplit("/", 1)[1])
    for action in teacher_plan(TASK, seed):
        session.step(action)


def train(rows: list[dict[str, Any]], **options: Any) -> None:
    torch.set_num_threads(1)
    tokenizer = make_tokenizer(ANSWERS)
    model = make_model(tokenizer)
    before = weights(model)
    with tempfile.TemporaryDirectory() as folder:
        config = GRPOConfig(
            output_dir=folder,
            max_steps=2,
            num_generations=GROUP,
            per_device_train_batch_size=GROUP * len(SEEDS),
            max_completion_length=256,
            learning_rate=1e-2,
            logging_steps=1,
            use_cpu=True,
            bf16=False,
            gradient_checkpointing=False,
            report_to=[],
            save_strategy="no",
            disable_tqdm=True,
            generation_kwargs={"suppress_tokens": suppressed(tokenizer, ANSWERS)},
            seed=1,
        )
        trainer = GRPOTrainer(
            model=model, args=config, processing_class=tokenizer, train_dataset=Dataset.from_list(rows), **options
        )
        trainer.train()
    check(trainer.state.log_history, (weights(model) - before).abs().max().item())


def check(logs: list[dict[str, Any]], moved: float) -> None:
    steps = [log for log in logs if "loss" in log]
    assert len(steps) == 2, logs
    losses, rewards = [log["loss"] for log in steps], [log["reward"] for log in steps]
    assert all(map(math.isfinite, losses)), losses
    assert any(0 < reward < 1 for reward in rewards), rewards
    assert moved > 0, "the weights did not move"
    text = f"losses {losses}, mean rewards {rewards}, largest change of a weight {moved:.2g}"
    report("trl", f"two GRPO steps of {GROUP * len(SEEDS)} rollouts: {text}")


def main() -> None:
    factory = adapter.environment_factory(
        URL, "mail", tools=TOOLS, group_size=GROUP, prepare=nearly_done, show_screen=False
    )
    rows = adapter.conversation_rows("You operate a mail program.", [(TASK, seed) for seed in SEEDS])
    print("environment_factory:", flush=True)
    train(rows, environment_factory=factory)
    print("rollout_func:", flush=True)
    rollouts = adapter.rollout_func(
        URL,
        "mail",
        group_size=GROUP,
        prepare=nearly_done,
        options=RolloutOptions(max_turns=3, max_response_tokens=256, tools=TOOLS, show_screen=False),
    )
    rows = adapter.dataset_rows([f"{TASK}/{seed}" for seed in SEEDS])
    train(rows, rollout_func=rollouts, reward_funcs=[adapter.environment_reward])


if __name__ == "__main__":
    main()
