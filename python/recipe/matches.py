"""Marks on tokens: how much of the task stands at a place of the screen, and the other way round.

A small model from scratch memorises worlds before it learns to compare words. The marks do the comparing for it.
"""

import numpy as np
from tokenizers import Tokenizer

KINDS_OF_MATCHES = 32


class Matcher:
    def __init__(self, tokenizer: Tokenizer):
        size = tokenizer.get_vocab_size()
        known: dict[str, int] = {}
        self.canon = np.zeros(size, np.int64)
        self.is_word = np.zeros(size, bool)
        for token in range(size):
            text = (tokenizer.decode([token], skip_special_tokens=False) or "").strip().lower()
            stem = text[:-1] if len(text) > 3 and text.endswith("s") else text
            self.canon[token] = known.setdefault(stem, len(known))
            self.is_word[token] = any(letter.isalnum() for letter in text) and not text.startswith("<")
        self.parts = [tokenizer.token_to_id(f"<{name}>") for name in ("done", "note", "screen")]

    def marks(self, ids: np.ndarray) -> np.ndarray:
        """For each token: length of the match that ends and that starts here (0 to 3), and whether a step names it."""
        words, texts = self.canon[ids], self.is_word[ids]
        screen = first_of(ids, self.parts[2])
        rest = min(first_of(ids, part) for part in self.parts)
        task, shown, done = slice(0, rest), slice(screen, len(ids)), slice(rest, screen)
        marks = np.zeros(len(ids), np.int64)
        for own, other in ((task, shown), (done, task), (shown, task)):
            marks[own] = lengths(words[own], texts[own], words[other])
        is_done = np.isin(words, words[done][texts[done]]) & texts
        is_done[done] = False
        return (marks + 16 * is_done).astype(np.uint8)


def first_of(ids: np.ndarray, token: int) -> int:
    found = np.flatnonzero(ids == token)
    return int(found[0]) if len(found) else len(ids)


def lengths(own: np.ndarray, is_word: np.ndarray, other: np.ndarray) -> np.ndarray:
    if len(own) == 0 or len(other) == 0:
        return np.zeros(len(own), np.int64)
    one = np.isin(own, other) & is_word
    two = np.zeros(len(own), bool)
    three = np.zeros(len(own), bool)
    two[1:] = np.isin(own[:-1] * 100_003 + own[1:], other[:-1] * 100_003 + other[1:])
    three[2:] = two[1:-1] & two[2:]
    ends = one.astype(np.int64) + (one & two) + (one & three)
    starts = one.astype(np.int64)
    starts[:-1] += one[:-1] & two[1:]
    starts[:-2] += one[:-2] & three[2:]
    return ends * 4 + starts
