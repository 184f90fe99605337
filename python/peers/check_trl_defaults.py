"""SFT and DPO by TRL with its default settings learn the answers and nothing else, as `espalier export --for` says."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

os.environ.update(HF_HUB_OFFLINE="1", TOKENIZERS_PARALLELISM="false")

import torch
import trl
from datasets import Dataset
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast
from trl import DPOConfig, DPOTrainer, SFTConfig, SFTTrainer

import espalier

from .exported import FOLDER
from .served import report
from .tiny_model import EOS, PAD, make_model

RUN = FOLDER / "problems"
ROOT = Path(__file__).parents[2]
# What is not set is as TRL has it: the longest row, what is learned, how rows are cut.
SPEED: dict[str, Any] = {
    "use_cpu": True,
    "bf16": False,
    "report_to": [],
    "save_strategy": "no",
    "disable_tqdm": True,
    "logging_steps": 1,
    "gradient_checkpointing": False,
}


def train_tokenizer(texts: list[str], folder: str) -> PreTrainedTokenizerFast:
    """A tokenizer of some thousand words, which writes prompts in as many tokens as real ones do."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=4000,
        special_tokens=[PAD, "<|im_start|>", EOS],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    template = Path(trl.__file__).parent / "chat_templates" / "qwen3.jinja"
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token=EOS, pad_token=PAD, chat_template=template.read_text()
    )
    fast.save_pretrained(folder)
    return fast


def fit_of(folder: str) -> dict[str, Any]:
    """What the command line says of the rows with this tokenizer."""
    tables = "prompt-completion,dialogues,preferences"
    command = [os.environ["ESPALIER_NODE"], str(ROOT / "bin" / "espalier.js"), "export", str(RUN), "--table", tables]
    done = subprocess.run([*command, "--for", folder, "--format", "jsonl", "--json"], capture_output=True, check=True)
    return {table["table"]: table for table in json.loads(done.stdout)["fit"]["tables"]}


def targets(rows: list[dict[str, Any]], column: str) -> list[str]:
    """What must stand in each answer."""
    calls = [row[column][0]["tool_calls"][0]["function"] for row in rows]
    return [json.dumps({"name": call["name"], "arguments": call["arguments"]}) for call in calls]


def check_sft(tokenizer: PreTrainedTokenizerFast, rows: list[dict[str, Any]], folder: str) -> tuple[float, float]:
    dataset = Dataset.from_list(
        [{name: row[name] for name in ("prompt", "completion", "tools")} for row in rows], on_mixed_types="use_json"
    )
    config = SFTConfig(output_dir=folder, num_train_epochs=8, learning_rate=1e-2, **SPEED)
    model = make_model(tokenizer)
    trainer = SFTTrainer(model=model, args=config, processing_class=tokenizer, train_dataset=dataset)
    learned = []
    for row in trainer.train_dataset:
        labels = trainer.data_collator([row])["labels"][0].tolist()
        learned.append(tokenizer.decode([label for label in labels if label != -100]))
    for text, target in zip(learned, targets(rows, "completion"), strict=True):
        assert target in text and text.rstrip().endswith(EOS), text
        assert "<|im_start|>" not in text and "<screen>" not in text, text
    trainer.train()
    losses = [log["loss"] for log in trainer.state.log_history if "loss" in log]
    assert losses[-1] < losses[0] - 0.5, losses
    return losses[0], losses[-1]


def check_dpo(tokenizer: PreTrainedTokenizerFast, rows: list[dict[str, Any]], folder: str) -> float:
    names = ("prompt", "chosen", "rejected", "tools")
    dataset = Dataset.from_list([{name: row[name] for name in names} for row in rows], on_mixed_types="use_json")
    config = DPOConfig(output_dir=folder, num_train_epochs=8, learning_rate=1e-2, **SPEED)
    trainer = DPOTrainer(
        model=make_model(tokenizer),
        # A model that was never saved cannot be loaded again.
        ref_model=make_model(tokenizer),
        args=config,
        processing_class=tokenizer,
        train_dataset=dataset,
    )
    for side in ("chosen", "rejected"):
        for row, target in zip(trainer.train_dataset, targets(rows, side), strict=True):
            text = tokenizer.decode(row[f"{side}_ids"])
            assert target in text and "<screen>" not in text, text
            assert len(row["prompt_ids"]) + len(row[f"{side}_ids"]) <= config.max_length
    trainer.train()
    margins = [log["rewards/margins"] for log in trainer.state.log_history if "rewards/margins" in log]
    assert margins[-1] > margins[0], margins
    return float(margins[-1])


def main() -> None:
    torch.set_num_threads(1)
    steps = list(espalier.rows(RUN / "export", "prompt-completion"))
    pairs = list(espalier.rows(RUN / "export", "preferences"))
    texts = [json.dumps([row["prompt"], row["tools"]], ensure_ascii=False) for row in steps]
    with tempfile.TemporaryDirectory() as folder:
        tokenizer = train_tokenizer(texts, folder)
        fit = fit_of(folder)
        for table, rows in (("prompt-completion", steps), ("preferences", pairs)):
            assert fit[table]["fitting"] == fit[table]["surviving"] == len(rows), fit[table]
        first, last = check_sft(tokenizer, steps, folder)
        margin = check_dpo(tokenizer, pairs, folder)
    told = f"{len(steps)} answers by SFT (loss {first:.2f} to {last:.2f}) and {len(pairs)} pairs by DPO (margin {margin:.2f})"
    report("trl", f"default settings learn {told}, and no token of a prompt")


if __name__ == "__main__":
    main()
