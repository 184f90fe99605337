"""Which rows are trained on, and how they are packed: as many as fit, one behind the other, never padded."""

import argparse
import json
import math
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import torch

from rows import LONGEST

MOST_VALIDATED = 1500
NARROW, WIDE = re.compile(r"synth-(\d+)"), re.compile(r"synth-wide-(\d+)")
FAMILIES = ("plain", "wide", "built-in", "hand-written")


class Rows:
    """Rows of a folder, chosen and in memory."""

    def __init__(self, folder: Path, chosen: np.ndarray | None = None):
        arrays = np.load(folder / "rows.npz")
        self.ids, self.answers, self.places = arrays["ids"], arrays["answers"], arrays["places"]
        self.lengths, self.answer_lengths, self.facts = arrays["lengths"], arrays["answer_lengths"], arrays["facts"]
        self.place_counts = arrays["place_counts"]
        self.marks = arrays["marks"]
        # What a step was worth; no number for demonstrations. And its loss before training.
        self.advantages = arrays["advantages"]
        self.before = np.zeros_like(self.advantages)
        self.begins = offsets(self.lengths)
        self.answer_begins = offsets(self.answer_lengths)
        self.place_begins = offsets(self.place_counts)
        self.chosen = np.arange(len(self.lengths)) if chosen is None else chosen

    def prompt(self, row: int) -> np.ndarray:
        return self.ids[self.begins[row] : self.begins[row] + self.lengths[row]]

    def match(self, row: int) -> np.ndarray:
        return self.marks[self.begins[row] : self.begins[row] + self.lengths[row]]

    def answer(self, row: int) -> np.ndarray:
        return self.answers[self.answer_begins[row] : self.answer_begins[row] + self.answer_lengths[row]]

    def spans(self, row: int) -> np.ndarray:
        return self.places[self.place_begins[row] : self.place_begins[row] + self.place_counts[row]]


def offsets(lengths: np.ndarray) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(lengths[:-1], dtype=np.int64)])


def batches(rows: Rows, tokens: int, seed: int, answers: str) -> list[list[int]]:
    """Rows in random order, as many as fit into each batch."""
    order = np.random.default_rng(seed).permutation(rows.chosen)
    groups, group, used = [], [], 0
    for row in order.tolist():
        length = int(rows.lengths[row]) + (int(rows.answer_lengths[row]) if answers == "causal" else 0)
        if used + length > tokens:
            groups.append(group)
            group, used = [], 0
        group.append(row)
        used += length
    return [*groups, group] if group else groups


def pack(sequences: list[np.ndarray], tokens: int) -> dict[str, torch.Tensor]:
    """One sequence behind the other; what is left is filled with zeros that nobody reads, so shapes never change."""
    left = tokens - sum(map(len, sequences))
    fill = [np.zeros(min(LONGEST, left - at), np.uint16) for at in range(0, left, LONGEST)]
    parts = sequences + fill
    starts = np.full(max(tokens // 128, len(parts)) + 2, tokens, np.int32)
    starts[: len(parts)] = offsets(np.array([len(part) for part in parts]))
    return {
        "ids": torch.from_numpy(np.concatenate(parts).astype(np.int64)),
        "positions": torch.from_numpy(np.concatenate([np.arange(len(part)) for part in parts])),
        "starts": torch.from_numpy(starts),
    }


def causal_batch(rows: Rows, group: list[int], tokens: int) -> dict[str, torch.Tensor]:
    sequences = [np.concatenate([rows.prompt(row), rows.answer(row)]) for row in group]
    batch, begin, targets = pack(sequences, tokens), 0, []
    for row, sequence in zip(group, sequences, strict=False):
        targets.append(np.arange(begin + rows.lengths[row] - 1, begin + len(sequence) - 1))
        begin += len(sequence)
    some = np.random.default_rng(begin).integers(0, begin - 1, tokens // 8)
    some = some[batch["positions"].numpy()[some + 1] > 0]
    marks = [np.pad(rows.match(row), (0, rows.answer_lengths[row])) for row in group]
    of_row = np.repeat(np.arange(len(group)), rows.answer_lengths[group])
    batch |= {"matches": packed_marks(marks, tokens), "rows": torch.from_numpy(of_row)}
    return batch | {"targets": torch.from_numpy(np.concatenate(targets)), "some": torch.from_numpy(some)}


def packed_marks(marks: list[np.ndarray], tokens: int) -> torch.Tensor:
    packed = np.zeros(tokens, np.int64)
    packed[: sum(map(len, marks))] = np.concatenate(marks)
    return torch.from_numpy(packed)


def pointer_batch(rows: Rows, group: list[int], tokens: int) -> dict[str, torch.Tensor]:
    sequences = [rows.prompt(row) for row in group]
    begins = offsets(np.array([len(sequence) for sequence in sequences]))
    facts = rows.facts[group]
    elements = np.where(facts[:, 1] >= 0, begins + facts[:, 1], -1)
    spans = [rows.spans(row) for row in group]
    firsts = [(at, begins[at] + span[0]) for at, places in enumerate(spans) for span in places]
    chosen = [begins[at] + places[-1] if len(places) else (-1, -1) for at, places in enumerate(spans)]
    owner = np.full(tokens, -1)
    for at, (begin, sequence) in enumerate(zip(begins, sequences, strict=False)):
        owner[begin : begin + len(sequence)] = at
    return pack(sequences, tokens) | {
        "matches": packed_marks([rows.match(row) for row in group], tokens),
        "owner": torch.from_numpy(owner),
        "ends": torch.from_numpy(begins + [len(sequence) - 1 for sequence in sequences]),
        "kinds": torch.from_numpy(facts[:, 0].astype(np.int64)),
        "elements": torch.from_numpy(elements.astype(np.int64)),
        "advantages": torch.from_numpy(rows.advantages[group]),
        "before": torch.from_numpy(rows.before[group]),
        "firsts": torch.tensor(firsts, dtype=torch.long).reshape(-1, 2),
        "chosen": torch.tensor(np.array(chosen), dtype=torch.long),
    }


def batch_maker(rows: Rows, make: Callable, options: argparse.Namespace) -> Callable[[int], dict]:
    """The batch of a step, whenever it is asked for: a run that goes on sees what it would have seen."""
    epochs: dict[int, list[list[int]]] = {}
    per_epoch = len(batches(rows, options.batch, options.seed * 1000, options.answers))

    def batch_of(step: int) -> dict:
        epoch = step // per_epoch
        if epoch not in epochs:
            epochs.clear()
            epochs[epoch] = batches(rows, options.batch, options.seed * 1000 + epoch, options.answers)
        order = epochs[epoch]
        return make(rows, order[step % per_epoch % len(order)], options.batch)

    return batch_of


def prepared(make: Callable[[int], dict], steps: range) -> Iterator[dict]:
    """Batches made in a thread, a few ahead."""
    with ThreadPoolExecutor(1) as pool:
        futures = [pool.submit(make, step) for step in steps[:4]]
        for at in range(len(steps)):
            yield futures[at].result()
            futures[at] = None
            if at + 4 < len(steps):
                futures.append(pool.submit(make, steps[at + 4]))


def apps_of(index: list[dict], rule: re.Pattern) -> list[str]:
    """Made-up apps of a family, by seed."""
    found = {match[0]: int(match[1]) for episode in index if (match := rule.fullmatch(episode["env"]))}
    return sorted(found, key=found.get)


def family_of(environment: str) -> str:
    if environment.startswith("synth-"):
        return "wide" if WIDE.fullmatch(environment) else "plain"
    own = environment.removeprefix("forge-") in ("mail", "shop", "tracker")
    return "built-in" if own else "hand-written"


def choose_rows(options: argparse.Namespace, rows: Rows) -> tuple[np.ndarray, np.ndarray]:
    """Rows to train on, and to validate on: some of the last made-up apps of each family.

    `--apps` takes so many made-up apps, with the same number of episodes whatever their number. Guesses of the planner
    are left out.
    """
    index = json.loads((options.rows / "episodes.json").read_text())
    random = np.random.default_rng(options.seed)
    families = [apps_of(index, rule) for rule in (NARROW, WIDE)]
    kept_apart = {app for apps in families for app in apps[len(apps) - min(options.apart, len(apps) // 2) :]}
    validated = np.array([episode["env"] in kept_apart for episode in index])
    keep = ~validated
    if options.apps:
        apps = [app for app in families[0] if app not in kept_apart][: options.apps]
        mine = random.permutation([at for at, episode in enumerate(index) if episode["env"] in set(apps)])
        by_app: dict[str, list[int]] = {app: [] for app in apps}
        for at in mine:
            by_app[index[at]["env"]].append(at)
        share = math.ceil(options.episodes / len(apps))
        taken = [at for episodes in by_app.values() for at in episodes[:share]][: options.episodes]
        keep[:] = False
        keep[taken] = True
    keep &= np.array([family_of(episode["env"]) in options.families for episode in index])
    chosen = keep[rows.facts[:, 3]] & (rows.facts[:, 4] < options.copies)
    if not options.guesses:
        chosen &= rows.facts[:, 2] == 0
    made_up = np.array([episode["env"].startswith("synth-") for episode in index])
    times = np.where(made_up[rows.facts[:, 3]], 1, options.own) * chosen
    kept = np.flatnonzero(validated[rows.facts[:, 3]] & (rows.facts[:, 4] == 0))
    return np.repeat(np.arange(len(times)), times), np.random.default_rng(0).permutation(kept)[:MOST_VALIDATED]
