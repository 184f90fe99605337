"""Episodes → rows of token ids, with what a pointer model must point at.

python rows.py --episodes data/episodes --out rows --vocab 8192
"""

import argparse
import json
import lzma
import math
import multiprocessing
import random
import re
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

from fit import fitted
from matches import Matcher
from model import KINDS
from steps import ADDED, argument_of, safe, write_answer
from variants import varied

# Tokens of a prompt and its answer; and of an answer that is not cut off.
LONGEST, LONGEST_ANSWER = 2048, 48
WHOLE_WORD = re.compile(r"Ġ[a-z]{3,9}[a-rt-z]")
PIECES = Regex(r'\n *|":|" \(| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]|\s+')


def read_episodes(folder: Path) -> list[dict]:
    with ProcessPoolExecutor() as pool:
        return [episode for part in pool.map(read_file, sorted(folder.glob("*.jsonl.xz"))) for episode in part]


def read_file(path: Path) -> list[dict]:
    with lzma.open(path, "rt") as file:
        return [json.loads(line) for line in file]


def texts_of(episode: dict, copy: int = 0, words: list[str] | None = None) -> list[tuple[str, dict, bool, float]]:
    """(prompt, action, whether the action is a guess, what it was worth) for each step; the second copy in other words."""
    steps = episode["steps"]
    texts = [(step["prompt"], step["action"]) for step in steps]
    if all(math.isnan(step["advantage"]) for step in steps):
        texts = varied(texts, f"{episode['task']} {copy}", words if copy and words else [])
    return [(*text, is_guess(step), step["advantage"]) for text, step in zip(texts, steps, strict=True)]


def is_guess(step: dict) -> bool:
    """Whether the planner filtered by a value that nothing shown gives away: it knows the state, a student does not."""
    prompt, action = step["prompt"], step["action"]
    if action["kind"] != "select" or safe(action["option"]).lower() in prompt.partition("\n")[0].lower():
        return False
    line = next((line for line in prompt.split("\n") if f"<{action['ref']}>" in line), "")
    first = line.partition("{")[2].partition(" |")[0].strip(" ()").lower()
    return first.startswith(("any", "all", "every", "no filter", "everything"))


def answer_stands(episode: dict) -> bool:
    """Whether the prompt shows the answer: who knew it before they looked went another way than a student must."""
    last = episode["steps"][-1]
    return safe(last["action"].get("answer") or "") in last["prompt"]


def train_tokenizer(texts: list[str], vocab: int) -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Split(PIECES, "isolated"), byte_level])
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocab - len(ADDED), initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False
    )
    # The references and kinds are added behind the learned tokens, so they never break its merges.
    tokenizer.train_from_iterator((clean(text) for text in texts), trainer)
    add_tokens(tokenizer)
    return tokenizer


def clean(text: str) -> str:
    return re.sub(r"<[a-z]+\d*>", "", text)


def add_tokens(tokenizer: Tokenizer) -> None:
    tokenizer.add_special_tokens([AddedToken(token, normalized=False) for token in ADDED])


def point(encoding, prompt: str, action: dict) -> tuple[int, int, list[tuple[int, int]]] | None:
    """Kind, element and every place of the text, as positions of tokens; null when the text stands nowhere."""
    kind, reference, text = argument_of(action)
    element, begin, end = -1, 0, len(prompt)
    if reference is not None:
        mark = prompt.rfind(f"<{reference}>")
        if mark < 0:
            return None
        element = encoding.char_to_token(mark)
        if kind == "select":
            begin, end = prompt.rfind("{", 0, mark), mark
    if text is None:
        return KINDS.index(kind), element, []
    places = places_of(encoding, prompt, safe(text), range(begin, end))
    return (KINDS.index(kind), element, places) if places else None


def places_of(encoding, prompt: str, text: str, area: range) -> list[tuple[int, int]]:
    """Where tokens spell exactly the text, but for a space before it."""
    places, at = [], prompt.find(text, area.start, area.stop)
    while at >= 0 and text:
        first, last = encoding.char_to_token(at), encoding.char_to_token(at + len(text) - 1)
        if first is not None and last is not None:
            begin, end = encoding.offsets[first][0], encoding.offsets[last][1]
            if prompt[begin:at].strip() == "" and end == at + len(text):
                places.append((first, last))
        at = prompt.find(text, at + 1, area.stop)
    return places[:64]


def encode(
    tokenizer: Tokenizer, rows: list[tuple[str, dict, bool, float, int, int]]
) -> tuple[dict[str, np.ndarray], Counter]:
    count: Counter = Counter()
    matcher, marks = Matcher(tokenizer), []
    ids, lengths, answers, answer_lengths, facts, places, place_counts = [], [], [], [], [], [], []
    advantages: list[float] = []
    for begin in range(0, len(rows), 4096):
        batch = rows[begin : begin + 4096]
        prompts = tokenizer.encode_batch([row[0] for row in batch], add_special_tokens=False)
        spoken = tokenizer.encode_batch([write_answer(row[1]) for row in batch], add_special_tokens=False)
        for (prompt, action, guess, advantage, *origin), encoding, answer in zip(batch, prompts, spoken, strict=False):
            target = point(encoding, prompt, action)
            count["rows"] += 1
            if target is None or len(encoding.ids) + len(answer.ids) > LONGEST:
                count["not pointable" if target is None else "too long"] += 1
                continue
            kind, element, spans = target
            count["guesses"] += guess
            ids.append(np.array(encoding.ids, np.uint16))
            marks.append(matcher.marks(ids[-1]))
            lengths.append(len(encoding.ids))
            answers.append(np.array(answer.ids, np.uint16))
            answer_lengths.append(len(answer.ids))
            facts.append((kind, element, guess, *origin))
            advantages.append(advantage)
            places.append(np.array(spans, np.int16).reshape(-1, 2))
            place_counts.append(len(spans))
    arrays = {
        "ids": np.concatenate(ids),
        "marks": np.concatenate(marks),
        "lengths": np.array(lengths, np.int32),
        "answers": np.concatenate(answers),
        "answer_lengths": np.array(answer_lengths, np.int32),
        "facts": np.array(facts, np.int32),
        "places": np.concatenate(places),
        "place_counts": np.array(place_counts, np.int32),
        "advantages": np.array(advantages, np.float32),
    }
    count["tokens"] = int(arrays["lengths"].sum() + arrays["answer_lengths"].sum())
    return arrays, count


def encode_episodes(
    path: Path, copies: int, episodes: list[tuple[int, dict]]
) -> tuple[dict[str, np.ndarray], Counter]:
    tokenizer = Tokenizer.from_file(str(path))
    words, matcher = words_of(tokenizer), Matcher(tokenizer)
    rows = [
        (prompt, *rest, at, copy)
        for at, episode in episodes
        if answer_stands(episode)
        for copy in range(copies)
        for texts in [texts_of(episode, copy, words)]
        for prompt, (_, *rest) in zip(
            fitted([text[0] for text in texts], tokenizer, matcher, LONGEST - LONGEST_ANSWER), texts, strict=True
        )
    ]
    return encode(tokenizer, rows)


def words_of(tokenizer: Tokenizer) -> list[str]:
    """Words that are one token, to exchange others for."""
    return sorted(token[1:] for token in tokenizer.get_vocab() if WHOLE_WORD.fullmatch(token))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--vocab", type=int, default=8192, help="size of a vocabulary learned from the rows")
    parser.add_argument("--tokenizer", type=Path, help="or the tokenizer of a base model")
    parser.add_argument("--copies", type=int, default=1, help="of each episode; those behind the first in other words")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    episodes = read_episodes(options.episodes)
    if options.tokenizer:
        tokenizer = Tokenizer.from_file(str(options.tokenizer))
        add_tokens(tokenizer)
    else:
        sample = random.Random(1).sample(episodes, min(len(episodes), 4000))
        tokenizer = train_tokenizer([row[0] for episode in sample for row in texts_of(episode)], options.vocab)
    saved = options.out / "tokenizer.json"
    tokenizer.save(str(saved))
    numbered = list(enumerate(episodes))
    parts = [numbered[begin : begin + 500] for begin in range(0, len(numbered), 500)]
    # New processes, because the threads of a tokenizer do not survive a fork.
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as pool:
        encoded = list(pool.map(encode_episodes, [saved] * len(parts), [options.copies] * len(parts), parts))
    arrays = {name: np.concatenate([part[0][name] for part in encoded]) for name in encoded[0][0]}
    count = sum((part[1] for part in encoded), Counter())
    np.savez(options.out / "rows.npz", **arrays)
    index = [{key: episode[key] for key in ("env", "template", "task")} for episode in episodes]
    (options.out / "episodes.json").write_text(json.dumps(index))
    (options.out / "rows.json").write_text(json.dumps(dict(count)))
    print(json.dumps(count), flush=True)


if __name__ == "__main__":
    main()
