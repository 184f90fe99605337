"""What the two ways to answer are trained for, and whether a step is right."""

import torch
from torch.nn import functional as F

from model import Model

# As `espalier rl` clips the ratio of probabilities.
CLIP, CLIP_HIGH = 0.2, 0.28


def causal_loss(model: Model, hidden: torch.Tensor, batch: dict, prompt_weight: float | None) -> torch.Tensor:
    """The loss; without a weight, which rows are right."""
    targets = batch["targets"]
    logits = model.logits(hidden[targets])
    if prompt_weight is None:
        wrong = logits.argmax(-1) != batch["ids"][targets + 1]
        return (
            torch.zeros(int(batch["rows"].max()) + 1, device=wrong.device).index_add(0, batch["rows"], wrong.float())
            == 0
        )
    loss = F.cross_entropy(logits, batch["ids"][targets + 1])
    if prompt_weight > 0:
        some = batch["some"]
        loss = loss + prompt_weight * F.cross_entropy(model.logits(hidden[some]), batch["ids"][some + 1])
    return loss


def pointer_loss(
    model: Model, hidden: torch.Tensor, batch: dict, references: tuple[int, int], judge: bool = False
) -> torch.Tensor:
    """The loss of each row: minus the log probability of its step; or, to judge, which rows are right."""
    act, kinds = hidden[batch["ends"]], batch["kinds"]
    own = batch["owner"][None] == torch.arange(len(act), device=act.device)[:, None]
    is_reference = (batch["ids"] >= references[0]) & (batch["ids"] < references[1])
    kind = model.kind_embed(kinds).to(act.dtype)
    scores = model.kind(act).float()
    loss, right_rows = F.cross_entropy(scores, kinds, reduction="none"), scores.argmax(1) == kinds

    pointing = batch["elements"] >= 0
    scores = model.element(hidden, act, kind).masked_fill(~(own & is_reference), -1e9)
    loss = loss + F.cross_entropy(scores, batch["elements"], ignore_index=-1, reduction="none")
    right_rows &= ~pointing | (scores.argmax(1) == batch["elements"])
    element = hidden[batch["elements"].clamp(min=0)] * pointing[:, None]

    texts = batch["chosen"][:, 0] >= 0
    scores = model.first(hidden, act, kind, element).masked_fill(~own, -1e9)
    right = torch.full_like(scores, -1e9)
    at, position = batch["firsts"].unbind(1)
    right[at, position] = scores[at, position]
    right_rows &= ~texts | (scores.max(1).values == right.max(1).values)
    loss = loss + (scores.logsumexp(1) - right.logsumexp(1)) * texts

    first = hidden[batch["chosen"][:, 0].clamp(min=0)]
    scores = model.last(hidden, act, kind, element, first).masked_fill(~own, -1e9)
    loss = loss + F.cross_entropy(scores, batch["chosen"][:, 1], ignore_index=-1, reduction="none")
    right_rows &= ~texts | (scores.argmax(1) == batch["chosen"][:, 1])
    return right_rows if judge else loss


def credited(losses: torch.Tensor, batch: dict) -> torch.Tensor:
    """Demonstrations by their likelihood; steps with an advantage by the clipped policy gradient of PPO."""
    advantages = batch["advantages"].nan_to_num()
    ratios = (batch["before"] - losses).exp()
    gains = torch.minimum(ratios * advantages, ratios.clamp(1 - CLIP, 1 + CLIP_HIGH) * advantages)
    return torch.where(batch["advantages"].isnan(), losses, -gains).mean()


def renamed(words: torch.Tensor, vocab: int, share: float) -> torch.Tensor:
    """Other tokens for some words, the same in the whole batch: equal words stay equal, memorised ones do not help."""
    some = words[torch.rand(len(words), device=words.device) < share]
    table = torch.arange(vocab, device=words.device)
    table[some] = some[torch.randperm(len(some), device=words.device)]
    return table
