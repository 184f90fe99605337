"""Rows of exported tables. `ESPALIER_TOKEN_ROWS` names a folder that the exporter wrote."""

from __future__ import annotations

import os
import tempfile
import unittest
from pathlib import Path

import espalier

TOKEN_TABLES = ("tokens-trl", "tokens-verl", "tokens-skyrl", "tokens-prime-rl")


class TokenRowsTest(unittest.TestCase):
    folder = os.environ.get("ESPALIER_TOKEN_ROWS", "")

    @unittest.skipIf(folder == "", "ESPALIER_TOKEN_ROWS is not set")
    def test_all_formats_give_the_same_columns(self) -> None:
        sampled = set()
        for table in TOKEN_TABLES:
            found = list(espalier.rows(self.folder, table))
            self.assertGreater(len(found), 0, table)
            for row in found:
                ids, mask = row["input_ids"], row["loss_mask"]
                self.assertEqual({len(row[name]) for name in ("attention_mask", "loss_mask", "labels")}, {len(ids)})
                self.assertEqual(row["labels"], [id if kept else -100 for id, kept in zip(ids, mask, strict=True)])
                if row["logprobs"] is not None:
                    self.assertEqual(len(row["logprobs"]), len(ids))
                self.assertIn(row["reward"], (0, 1))
            sampled.add(tuple(label for row in found for label in row["labels"] if label != -100))
        # The exporter's fixture: the student sampled the tokens 10 and 2,000,000,000.
        self.assertEqual(sampled, {(10, 2_000_000_000)})


class BadRowsTest(unittest.TestCase):
    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def write(self, text: str) -> Path:
        file = self.folder / "episodes.jsonl"
        file.write_text(text, encoding="utf-8")
        return file

    def test_a_file_without_a_folder(self) -> None:
        file = self.write('{"outcome":"passed"}\n')
        self.assertEqual(list(espalier.rows(file)), [{"outcome": "passed"}])
        self.assertEqual(espalier.tables(self.folder), ["episodes"])

    def test_what_is_missing_is_named(self) -> None:
        self.write("")
        with self.assertRaisesRegex(espalier.RowsError, "It has: episodes"):
            list(espalier.rows(self.folder, "corrections"))
        with self.assertRaisesRegex(espalier.RowsError, "name a table"):
            list(espalier.rows(self.folder))
        with self.assertRaisesRegex(espalier.RowsError, "espalier export"):
            list(espalier.rows(self.folder / "nothing"))

    def test_a_broken_line_is_named(self) -> None:
        for line in ('{"outcome":"pas', "[]"):
            file = self.write('{"outcome":"passed"}\n' + line)
            with self.assertRaisesRegex(espalier.RowsError, r"episodes\.jsonl:2"):
                list(espalier.rows(file))

    def test_a_mask_of_another_length(self) -> None:
        file = self.write('{"prompt_ids":[1],"completion_ids":[2,3],"env_mask":[1],"logprobs":null}\n')
        with self.assertRaisesRegex(espalier.RowsError, "another length"):
            list(espalier.rows(file))


if __name__ == "__main__":
    unittest.main()
