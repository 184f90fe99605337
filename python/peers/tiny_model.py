"""A randomly initialised model and its tokenizer, made without a network.

Whole answers are single tokens, so that a random model gives answers that mean something.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
import trl
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

EOS, PAD = "<|im_end|>", "<|endoftext|>"


def tool_call(name: str, arguments: Mapping[str, Any]) -> str:
    call = json.dumps({"name": name, "arguments": dict(arguments)})
    return f"<tool_call>\n{call}\n</tool_call>"


def make_tokenizer(answers: Sequence[str]) -> PreTrainedTokenizerFast:
    """Bytes, the special tokens of Qwen3, and one token for each answer."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE(vocab={letter: index for index, letter in enumerate(alphabet)}, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([PAD, "<|im_start|>", EOS])
    tokenizer.add_tokens([AddedToken(answer, normalized=False) for answer in answers])
    template = Path(trl.__file__).parent / "chat_templates" / "qwen3.jinja"
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token=EOS, pad_token=PAD, chat_template=template.read_text()
    )


def make_model(tokenizer: PreTrainedTokenizerFast) -> Qwen3ForCausalLM:
    torch.manual_seed(0)
    config = Qwen3Config(
        vocab_size=len(tokenizer),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=2,
        head_dim=16,
        max_position_embeddings=8192,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        dtype="float32",
    )
    return Qwen3ForCausalLM(config)


def suppressed(tokenizer: PreTrainedTokenizerFast, answers: Sequence[str]) -> list[int]:
    """All tokens but the answers and the end of a message."""
    kept = {tokenizer.convert_tokens_to_ids(answer) for answer in answers} | {tokenizer.eos_token_id}
    return [id for id in range(len(tokenizer)) if id not in kept]


def weights(model: torch.nn.Module) -> torch.Tensor:
    return torch.cat([parameter.detach().flatten().clone() for parameter in model.parameters()])
