"""A Llama-shaped transformer over packed sequences: no padding, attention within each sequence only.

Two ways to answer share it. `causal` models write the step as tokens. `pointer` models need one pass: they point at a
kind of step, at an element, and at the first and last token of a text in the prompt.
"""

import itertools
import math
from dataclasses import asdict, dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

KINDS = ("click", "fill", "select", "finish", "answer", "infeasible")


@dataclass(frozen=True)
class Config:
    vocab: int
    width: int
    layers: int
    heads: int
    kv_heads: int
    hidden: int
    theta: float = 10_000.0
    answers: str = "causal"  # or "pointer"
    reads: str = "forward"  # or "both": each token of a prompt also sees those behind it
    matches: int = 0  # kinds of matches between task and screen that tokens are marked with

    @property
    def head_width(self) -> int:
        return self.width // self.heads

    to_dict = asdict


@dataclass
class Packed:
    """Sequences one after the other: `starts` has the first position of each, and the end of the last."""

    ids: Tensor
    positions: Tensor
    starts: Tensor
    longest: int
    matches: Tensor | None = None


class Norm(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x: Tensor) -> Tensor:
        return F.rms_norm(x.float(), (x.shape[-1],), self.weight.float(), 1e-5).to(x.dtype)


def rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Rotary positions; x is [tokens, heads, head width]."""
    first, second = x.chunk(2, dim=-1)
    cos, sin = cos[:, None], sin[:, None]
    return torch.cat([first * cos - second * sin, second * cos + first * sin], dim=-1).to(x.dtype)


def attend(q: Tensor, k: Tensor, v: Tensor, packed: Packed, causal: bool) -> Tensor:
    if q.is_cuda:
        from torch.nn.attention.varlen import varlen_attn

        window = (-1, 0) if causal else (-1, -1)
        starts, longest = packed.starts, packed.longest
        return varlen_attn(q, k, v, starts, starts, longest, longest, window_size=window)
    bounds = packed.starts.tolist()
    parts = []
    for begin, end in itertools.pairwise(bounds):
        if end > begin:
            one = (t[begin:end].transpose(0, 1)[None] for t in (q, k, v))
            out = F.scaled_dot_product_attention(*one, is_causal=causal, enable_gqa=True)
            parts.append(out[0].transpose(0, 1))
    return torch.cat(parts)


class Block(nn.Module):
    def __init__(self, config: Config):
        super().__init__()
        self.config = config
        kv_width = config.kv_heads * config.head_width
        self.norm1, self.norm2 = Norm(config.width), Norm(config.width)
        self.q = nn.Linear(config.width, config.width, bias=False)
        self.k = nn.Linear(config.width, kv_width, bias=False)
        self.v = nn.Linear(config.width, kv_width, bias=False)
        self.o = nn.Linear(config.width, config.width, bias=False)
        self.gate = nn.Linear(config.width, config.hidden, bias=False)
        self.up = nn.Linear(config.width, config.hidden, bias=False)
        self.down = nn.Linear(config.hidden, config.width, bias=False)

    def qkv(self, x: Tensor, cos: Tensor, sin: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        x = self.norm1(x)
        shape = (x.shape[0], -1, self.config.head_width)
        q, k, v = self.q(x).view(shape), self.k(x).view(shape), self.v(x).view(shape)
        return rotate(q, cos, sin), rotate(k, cos, sin), v

    def finish(self, x: Tensor, attended: Tensor) -> Tensor:
        x = x + self.o(attended.reshape(x.shape[0], -1))
        y = self.norm2(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, packed: Packed) -> Tensor:
        q, k, v = self.qkv(x, cos, sin)
        return self.finish(x, attend(q, k, v, packed, self.config.reads == "forward"))


class Pointer(nn.Module):
    """Scores of positions for a query: which element, where a text begins, where it ends."""

    def __init__(self, width: int, conditions: int):
        super().__init__()
        self.query = nn.Linear(width * (1 + conditions), width)
        self.key = nn.Linear(width, width)

    def forward(self, hidden: Tensor, *given: Tensor) -> Tensor:
        query = self.query(torch.cat(given, dim=-1))
        return (query @ self.key(hidden).T).float() / math.sqrt(query.shape[-1])


class Model(nn.Module):
    def __init__(self, config: Config):
        super().__init__()
        self.config = config
        self.embed = nn.Embedding(config.vocab, config.width)
        self.blocks = nn.ModuleList(Block(config) for _ in range(config.layers))
        self.norm = Norm(config.width)
        if config.matches:
            self.match = nn.Embedding(config.matches, config.width)
        if config.answers == "pointer":
            self.kind = nn.Linear(config.width, len(KINDS))
            self.kind_embed = nn.Embedding(len(KINDS), config.width)
            self.element = Pointer(config.width, 1)
            self.first = Pointer(config.width, 2)
            self.last = Pointer(config.width, 3)
        self.apply(initialise)
        for block in self.blocks:
            for layer in (block.o, block.down):
                nn.init.normal_(layer.weight, std=0.02 / math.sqrt(2 * config.layers))

    def hidden(self, packed: Packed) -> Tensor:
        cos, sin = self.angles(packed.positions)
        x = self.embed_in(packed.ids, packed.matches)
        if torch.is_autocast_enabled():
            x = x.to(torch.bfloat16)
        for block in self.blocks:
            x = block(x, cos, sin, packed)
        return self.norm(x)

    def embed_in(self, ids: Tensor, matches: Tensor | None) -> Tensor:
        x = self.embed(ids)
        return x + self.match(matches) if self.config.matches and matches is not None else x

    def angles(self, positions: Tensor) -> tuple[Tensor, Tensor]:
        half = self.config.head_width // 2
        rates = self.config.theta ** (-torch.arange(half, device=positions.device) / half)
        angles = positions[:, None].float() * rates
        return angles.cos(), angles.sin()

    def logits(self, hidden: Tensor) -> Tensor:
        return F.linear(hidden, self.embed.weight.to(hidden.dtype)).float()


def initialise(module: nn.Module) -> None:
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.normal_(module.weight, std=0.02)
        if getattr(module, "bias", None) is not None:
            nn.init.zeros_(module.bias)


def count(model: nn.Module) -> int:
    return sum(parameter.numel() for parameter in model.parameters())
