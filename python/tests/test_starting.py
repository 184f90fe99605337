"""Starting a server from Python."""

from __future__ import annotations

import os
import unittest
from unittest import mock

import espalier

from .served import PROGRAM


class StartingTest(unittest.TestCase):
    def test_a_server_is_started_and_stopped(self) -> None:
        """[PYT-24]"""
        node = os.environ.get("ESPALIER_NODE", "node")
        with mock.patch.dict(os.environ, {"ESPALIER_COMMAND": f"{node} {PROGRAM}"}):
            os.environ.pop("ESPALIER_URL", None)
            with espalier.serving("mail") as url, espalier.connect(url) as client:
                self.assertEqual([one["id"] for one in client.environments()], ["mail"])
        with self.assertRaises(espalier.ConnectionLost):
            espalier.connect(url)

    def test_a_server_that_is_there_is_used(self) -> None:
        """[PYT-24]"""
        with espalier.serving(url="http://127.0.0.1:1") as url:
            self.assertEqual(url, "http://127.0.0.1:1")
        with mock.patch.dict(os.environ, {"ESPALIER_URL": "http://127.0.0.1:2"}), espalier.serving("mail") as named:
            self.assertEqual(named, "http://127.0.0.1:2")

    def test_a_machine_without_node_is_told_so(self) -> None:
        """[PYT-24]"""
        with mock.patch.dict(os.environ, {"PATH": ""}):
            os.environ.pop("ESPALIER_URL", None)
            os.environ.pop("ESPALIER_COMMAND", None)
            with self.assertRaisesRegex(espalier.NoServer, "Install Node"), espalier.serving("mail"):
                pass
