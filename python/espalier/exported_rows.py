"""Reads the rows that `espalier export` writes, as dicts in the style of Hugging Face datasets."""

from __future__ import annotations

import json
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Any

from .errors import RowsError

Row = dict[str, Any]
IGNORED_LABEL = -100
"""The label that losses of PyTorch and transformers ignore."""


def rows(path: str | PathLike[str], table: str | None = None) -> Iterator[Row]:
    """The rows of one table. `path` is a JSONL file, or an export folder if `table` is given.

    Every column of the file is kept. Added are:

    - chat tables (`next-actions`, `corrections`): `tools` as a list, and `message_mask`, 1 for the message to learn;
    - `preferences`: `tools` as a list;
    - token tables: `input_ids`, `attention_mask`, `loss_mask` (1 where the student sampled the token), `labels`
      (-100 elsewhere), and `logprobs` of the same length (0.0 for the prompt; None if the server gave none).

    Tools and arguments of calls have members of their own, which a column of one type cannot hold: make a dataset with
    `Dataset.from_list(list(rows(...)), on_mixed_types="use_json")`, of datasets 4.7 or newer.
    """
    file = _file_of(Path(path), table)
    with file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            yield _read(line, f"{file}:{number}")


def tables(folder: str | PathLike[str]) -> list[str]:
    """The tables of an export folder."""
    return sorted(file.stem for file in Path(folder).glob("*.jsonl"))


def _file_of(path: Path, table: str | None) -> Path:
    if table is None and path.is_file():
        return path
    if not path.is_dir():
        raise RowsError(f"Expected an export folder or a .jsonl file at {path}. Run `espalier export` first.")
    known = ", ".join(tables(path)) or "none"
    if table is None:
        raise RowsError(f"{path} is a folder: name a table. It has: {known}.")
    file = path / f"{table}.jsonl"
    if not file.is_file():
        raise RowsError(f"There is no table {table!r} in {path}. It has: {known}.")
    return file


def _read(line: str, where: str) -> Row:
    try:
        row = json.loads(line)
    except ValueError as cause:
        raise RowsError(f"{where} is not JSON: {cause}. Export the run again.") from cause
    if not isinstance(row, dict):
        raise RowsError(f"{where} is not a JSON object. Export the run again.")
    tokens = _tokens(row)
    if tokens is not None:
        prompt, completion, mask, logprobs = tokens
        return {**row, **_token_columns(prompt, completion, mask, logprobs, where)}
    return {**row, **_chat_columns(row)}


def _chat_columns(row: Row) -> Row:
    added: Row = {}
    if isinstance(row.get("tools"), str):
        added["tools"] = json.loads(row["tools"])
    if "messages" in row:
        learn = row.get("learn") or [*[False] * (len(row["messages"]) - 1), True]
        added["message_mask"] = [int(learned) for learned in learn]
    return added


Tokens = tuple[list[int], list[int], list[int], list[float] | None]


def _tokens(row: Row) -> Tokens | None:
    """Prompt, completion, mask and log probabilities of the completion, from the columns of any trainer."""
    if "env_mask" in row:
        return row["prompt_ids"], row["completion_ids"], row["env_mask"], row["logprobs"]
    if "response_mask" in row:
        return row["prompt_ids"], row["response_ids"], row["response_mask"], row["response_logprobs"]
    if "loss_masks" in row:
        return row["prompt_token_ids"], row["response_ids"], row["loss_masks"], row["rollout_logprobs"]
    if "token_ids" in row and "mask" in row:
        return [], row["token_ids"], [int(sampled) for sampled in row["mask"]], row["logprobs"]
    return None


def _token_columns(
    prompt: list[int], completion: list[int], mask: list[int], logprobs: list[float] | None, where: str
) -> Row:
    if len(mask) != len(completion) or (logprobs is not None and len(logprobs) != len(completion)):
        raise RowsError(
            f"{where}: mask or log probabilities have another length than the tokens. Export the run again."
        )
    ids = [*prompt, *completion]
    loss_mask = [0] * len(prompt) + list(mask)
    return {
        "input_ids": ids,
        "attention_mask": [1] * len(ids),
        "loss_mask": loss_mask,
        "labels": [id if sampled else IGNORED_LABEL for id, sampled in zip(ids, loss_mask, strict=True)],
        "logprobs": None if logprobs is None else [0.0] * len(prompt) + list(logprobs),
    }
