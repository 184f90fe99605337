"""Prompts that are too long, cut as the product cuts them (src/agents/small/fit-prompt.ts): lines of the newest screen are
left out, those first that tell least of what is to be done.
"""

import re

import numpy as np
from tokenizers import Tokenizer

from matches import Matcher

# Of lines: with an element; beside words of the task; with a word of the task, or new; with several of them in its order.
ELEMENT, BESIDE, TOLD, QUOTED = 1, 2, 3, 4
REACH = 2
REFERENCE = re.compile(r" <e\d+>$")


def fitted(prompts: list[str], tokenizer: Tokenizer, matcher: Matcher, longest: int) -> list[str]:
    """The prompts of one episode, in order, none longer than so many tokens where its screen can be cut."""
    first = tokenizer.token_to_id("<e1>")
    screens = [shown_lines(prompt) for prompt in prompts]
    cut = []
    for at, prompt in enumerate(prompts):
        encoding = tokenizer.encode(prompt, add_special_tokens=False)
        known = None if at == 0 else {shown(line) for line in screens[at - 1]}
        long = len(encoding.ids) > longest
        cut.append(without_least(prompt, encoding, matcher, first, known, longest) if long else prompt)
    return cut


def without_least(prompt: str, encoding, matcher: Matcher, first: int, known: set | None, longest: int) -> str:
    ids = np.array(encoding.ids)
    marks = matcher.marks(ids) % 16
    lengths = np.maximum(marks >> 2, marks & 3)
    starts = np.array([offset[0] for offset in encoding.offsets])
    begin, end = prompt.index("\n", prompt.index("<screen>")), prompt.rindex("\n")
    lines = []
    while begin < end:
        after = prompt.find("\n", begin + 1)
        own = slice(*np.searchsorted(starts, [begin, after]))
        text = prompt[begin:after]
        told = int(lengths[own].max(initial=0))
        is_new = known is not None and shown(text) not in known
        need = QUOTED if told > 1 else TOLD if told or is_new else ELEMENT if (ids[own] >= first).any() else 0
        lines.append([text, own.stop - own.start, need])
        begin = after
    needs = [need for _, _, need in lines]
    for at, line in enumerate(lines):
        if line[2] < BESIDE and any(need >= TOLD for need in needs[max(0, at - REACH) : at + REACH + 1]):
            line[2] = BESIDE
    excess, dropped = len(ids) - longest, set()
    # Of lines that tell as much, the last ones first.
    for at in sorted(range(len(lines)), key=lambda at: (lines[at][2], -at)):
        if excess <= 0:
            break
        dropped.add(at)
        excess -= lines[at][1]
    kept = "".join(line[0] for at, line in enumerate(lines) if at not in dropped)
    return prompt[: prompt.index("\n", prompt.index("<screen>"))] + kept + "\n<act>"


def shown_lines(prompt: str) -> list[str]:
    return prompt[prompt.index("<screen>") + len("<screen>") :].split("\n")


def shown(line: str) -> str:
    """A line without the number of its element."""
    return REFERENCE.sub("", line.strip())
