"""The program of the README, run as a reader runs it."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import unittest

from .served import ROOT, Server
from .served import espalier as program


class ExampleTest(unittest.TestCase):
    def test_a_group_of_forks_is_a_tree_in_the_run_folder(self) -> None:
        server = Server("mail")
        self.addCleanup(server.remove)
        command = [sys.executable, str(ROOT / "examples" / "group_of_forks.py"), server.url]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        instruction, rewards = done.stdout.splitlines()
        self.assertIn("Star the message", instruction)
        verdicts = ast.literal_eval(rewards)
        self.assertEqual(len(verdicts), 8)
        self.assertEqual(set(verdicts), {0, 1})
        server.stop()
        self.assertIn("1 episode", program("inspect", str(server.run)))
        tree = program("inspect", str(server.run), "star-message")
        self.assertEqual(tree.count("finish"), 8, tree)


if __name__ == "__main__":
    unittest.main()
