"""LoRA by TRL on exported rows, merged into a folder that vLLM or `transformers serve` can serve.

python lora.py MODEL EXPORT --out FOLDER    # EXPORT: a folder of `espalier export --table prompt-completion`
"""

import argparse
import json
from pathlib import Path

from datasets import Dataset
from peft import LoraConfig
from transformers import AutoModelForCausalLM, AutoTokenizer
from trl import SFTConfig, SFTTrainer


def read_rows(folder: Path) -> Dataset:
    """Prompts, answers and tools: TRL learns the answers alone."""
    rows = [json.loads(line) for line in (folder / "prompt-completion.jsonl").read_text("utf8").splitlines()]
    if not rows:
        raise SystemExit(f"{folder} has no rows: collect episodes that pass, and export them again.")
    kept = [{"prompt": row["prompt"], "completion": row["completion"], "tools": json.loads(row["tools"])} for row in rows]
    return Dataset.from_list([{name: row[name] for name in row if row[name]} for row in kept], on_mixed_types="use_json")


def train(options: argparse.Namespace) -> float:
    """Trains, writes the merged model, and gives the last loss."""
    tokenizer = AutoTokenizer.from_pretrained(options.model)
    model = AutoModelForCausalLM.from_pretrained(options.model, dtype="auto")
    config = SFTConfig(
        output_dir=str(options.out / "checkpoints"),
        num_train_epochs=options.epochs,
        max_steps=options.steps,
        per_device_train_batch_size=options.batch,
        learning_rate=options.rate,
        max_length=options.max_length,
        logging_steps=1,
        report_to=[],
        save_strategy="no",
        use_cpu=options.cpu,
        bf16=not options.cpu,
    )
    adapter = LoraConfig(r=options.rank, lora_alpha=2 * options.rank, target_modules="all-linear", task_type="CAUSAL_LM")
    trainer = SFTTrainer(
        model=model, args=config, processing_class=tokenizer, train_dataset=read_rows(options.rows), peft_config=adapter
    )
    trainer.train()
    merged = trainer.model.merge_and_unload()
    merged.save_pretrained(options.out)
    tokenizer.save_pretrained(options.out)
    return [log["loss"] for log in trainer.state.log_history if "loss" in log][-1]


def read_options(arguments: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", help="name or folder of the model")
    parser.add_argument("rows", type=Path, help="folder of exported rows")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--epochs", type=float, default=3)
    parser.add_argument("--steps", type=int, default=-1, help="in the place of epochs")
    parser.add_argument("--batch", type=int, default=4)
    parser.add_argument("--rank", type=int, default=16)
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--max-length", type=int, default=4096, help="as in espalier export --max-length")
    parser.add_argument("--cpu", action="store_true")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    print(f"loss {train(read_options()):.3f}")
