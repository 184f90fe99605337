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
    """What the command line says of the rows with this tokenizer. It also writes them as texts."""
    tables = "prompt-completion,prompt-completion-text,dialogues,preferences"
    command = [os.environ["ESPALIER_NODE"], str(ROOT / "bin" / "espalier.js"), "export", str(RUN), "--table", tables]
    done = subprocess.run([*command, "--for", folder, "--format", "jsonl", "--json"], capture_output=True, check=True)
    return {table["table"]: table for table in json.loads(done.stdout)["fit"]["tables"]}


def targets(rows: list[dict[str, Any]], column: str) -> list[str]:
    """What must stand in each answer."""
    calls = [row[column][0]["tool_calls"][0]["function"] for row in rows]
    return [json.dumps({"name": call["name"], "arguments": call["arguments"]}) for call in calls]


def check_labels(labels: list[int], tokenizer: PreTrainedTokenizerFast, text: str) -> None:
    """The labels are the tokens of the answer, up to its end, and nothing before it. The template adds a line's end."""
    start = next(place for place, label in enumerate(labels) if label != -100)
    learned = labels[start:]
    assert -100 not in learned
    answer = tokenizer.encode(text, add_special_tokens=False)
    assert answer[-1] == tokenizer.eos_token_id
    assert learned[: len(answer)] == answer, tokenizer.decode(learned)
    assert tokenizer.decode(learned[len(answer) :]).strip() == "", tokenizer.decode(learned)


def answer_text(tokenizer: PreTrainedTokenizerFast, row: dict[str, Any], side: str) -> str:
    """What the template writes for an answer, up to the end of the message."""
    before = tokenizer.apply_chat_template(row["prompt"], tools=row["tools"], add_generation_prompt=True, tokenize=False)
    whole = tokenizer.apply_chat_template([*row["prompt"], *row[side]], tools=row["tools"], tokenize=False)
    assert whole.startswith(before)
    return whole[len(before) :].rstrip()


def check_sft(tokenizer: PreTrainedTokenizerFast, rows: list[dict[str, Any]], folder: str) -> tuple[float, float]:
    dataset = Dataset.from_list(
        [{name: row[name] for name in ("prompt", "completion", "tools")} for row in rows], on_mixed_types="use_json"
    )
    config = SFTConfig(output_dir=folder, num_train_epochs=8, learning_rate=1e-2, **SPEED)
    model = make_model(tokenizer)
    trainer = SFTTrainer(model=model, args=config, processing_class=tokenizer, train_dataset=dataset)
    written = [row["completion"] for row in espalier.rows(RUN / "export", "prompt-completion-text")]
    for row, target, text in zip(trainer.train_dataset, targets(rows, "completion"), written, strict=True):
        labels = trainer.data_collator([row])["labels"][0].tolist()
        check_labels(labels, tokenizer, text)
        assert target in text, text
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
    for at, side in enumerate(("chosen", "rejected")):
        for row, given, target in zip(trainer.train_dataset, rows, targets(rows, side), strict=True):
            batch = trainer.data_collator([row])
            ids, mask = batch["input_ids"][at], batch["completion_mask"][at]
            text = answer_text(tokenizer, given, side)
            assert target in text, text
            check_labels(torch.where(mask == 1, ids, -100)[batch["attention_mask"][at] == 1].tolist(), tokenizer, text)
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
    report("trl", f"default settings learn {told}: labels are the tokens of the answers")


if __name__ == "__main__":
    main()
