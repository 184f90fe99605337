"""A tokenizer made without a network, and scripted answers: for frameworks whose engine needs a GPU."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

CHAT_TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def make_tokenizer() -> PreTrainedTokenizerFast:
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE(vocab={letter: index for index, letter in enumerate(alphabet)}, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(["<|endoftext|>", "<|im_start|>", "<|im_end|>"])
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token="<|im_end|>", pad_token="<|endoftext|>", chat_template=CHAT_TEMPLATE
    )


def tool_call(name: str, arguments: Mapping[str, Any]) -> str:
    return f"<tool_call>{json.dumps({'name': name, 'arguments': dict(arguments)})}</tool_call><|im_end|>"


def call_of(action: Mapping[str, Any]) -> str:
    """An action of a plan as a tool call."""
    if action["kind"] == "call":
        return tool_call(action["tool"], action["input"])
    return tool_call(action["kind"], {name: value for name, value in action.items() if name != "kind"})


class Script:
    """Gives the next answer to whoever asks with a longer prompt; each conversation has its own place in the script."""

    def __init__(self, tokenizer: PreTrainedTokenizerFast, answers: list[str]) -> None:
        self._answers = [tokenizer.encode(answer, add_special_tokens=False) for answer in answers]
        self._marker = tokenizer.convert_tokens_to_ids("<|im_start|>")

    def answer(self, prompt: list[int]) -> list[int]:
        # System, user and the opened assistant message are three; each turn adds two.
        turn = (prompt.count(self._marker) - 3) // 2
        return self._answers[min(turn, len(self._answers) - 1)]
