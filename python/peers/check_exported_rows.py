"""Exported rows through `datasets` to TRL: a chat template must write them as it writes the rows themselves."""

from __future__ import annotations

import json
import math
import os
import tempfile
from typing import Any

os.environ.update(HF_HUB_OFFLINE="1", TOKENIZERS_PARALLELISM="false")

import torch
from datasets import Dataset, load_dataset
from trl import SFTConfig, SFTTrainer

import espalier

from .exported import BRANCHING, TOKENS
from .served import report
from .tiny_model import make_model, make_tokenizer, weights

TOKEN_TABLES = ("tokens-trl", "tokens-verl", "tokens-skyrl", "tokens-prime-rl")


def written(tokenizer: Any, row: dict[str, Any]) -> str:
    tools = json.loads(row["tools"]) if isinstance(row["tools"], str) else row["tools"]
    messages = row["messages"] if "messages" in row else [*row["prompt"], *row["chosen"]]
    return str(tokenizer.apply_chat_template(messages, tools=tools, tokenize=False))


def check_chats(tokenizer: Any) -> int:
    compared = 0
    for table in ("next-actions", "corrections", "preferences"):
        rows = list(espalier.rows(BRANCHING, table))
        due = [written(tokenizer, row) for row in rows]
        made = Dataset.from_list(rows, on_mixed_types="use_json")
        loaded = load_dataset("json", data_files=str(BRANCHING / f"{table}.jsonl"), split="train")
        for dataset in (made, loaded):
            assert [written(tokenizer, row) for row in dataset] == due, table
        compared += len(rows)
    return compared


def check_tokens() -> None:
    for table in TOKEN_TABLES:
        rows = list(espalier.rows(TOKENS, table))
        names = ("input_ids", "attention_mask", "loss_mask", "labels", "logprobs")
        for row, kept in zip(rows, Dataset.from_list(rows), strict=True):
            assert all(row[name] == kept[name] for name in names), table
            sampled = [label for label in row["labels"] if label != -100]
            assert len(sampled) == sum(row["loss_mask"]) > 0


def train(tokenizer: Any) -> list[float]:
    torch.set_num_threads(1)
    model = make_model(tokenizer)
    before = weights(model)
    rows = [
        {"messages": row["messages"], "tools": row["tools"]} for row in espalier.rows(BRANCHING, "next-actions")
    ][:4]
    with tempfile.TemporaryDirectory() as folder:
        config = SFTConfig(
            output_dir=folder,
            max_steps=2,
            per_device_train_batch_size=1,
            max_length=2048,
            learning_rate=1e-3,
            logging_steps=1,
            use_cpu=True,
            bf16=False,
            gradient_checkpointing=False,
            report_to=[],
            save_strategy="no",
            disable_tqdm=True,
        )
        dataset = Dataset.from_list(rows, on_mixed_types="use_json")
        trainer = SFTTrainer(model=model, args=config, processing_class=tokenizer, train_dataset=dataset)
        trainer.train()
    losses = [log["loss"] for log in trainer.state.log_history if "loss" in log]
    assert len(losses) == 2 and all(map(math.isfinite, losses)), losses
    assert (weights(model) - before).abs().max().item() > 0, "the weights did not move"
    return losses


def main() -> None:
    tokenizer = make_tokenizer(["Done."])
    compared = check_chats(tokenizer)
    check_tokens()
    report("trl", f"{compared} exported chats read as they are, two SFT steps with losses {train(tokenizer)}")


if __name__ == "__main__":
    main()
