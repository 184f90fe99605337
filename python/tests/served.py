"""Starts the real server for the tests."""

from __future__ import annotations

import atexit
import functools
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "bin" / "espalier.js"
TEACHER_KEY = "teacher-key-of-the-tests"
STUDENT_KEY = "student-key-of-the-tests"


class Server:
    """`espalier serve` at a free port of this machine."""

    def __init__(self, *arguments: str, keys: dict[str, str] | None = None) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="espalier-python-"))
        self.run = self.folder / "run"
        self._arguments = arguments
        self._keys = keys
        self._start("0")

    def _start(self, port: str) -> None:
        arguments, keys = self._arguments, self._keys
        environment = {name: value for name, value in os.environ.items() if not name.startswith("ESPALIER_")}
        environment.update({"ESPALIER_TEACHER_KEY": TEACHER_KEY} if keys is None else keys)
        command = ["node", str(PROGRAM), "serve", *arguments, "--port", port, "--out", str(self.run), "--json"]
        self._process = subprocess.Popen(command, cwd=self.folder, env=environment, stdout=subprocess.PIPE)
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"The server ended with {self._process.wait()}.")
        self.url: str = json.loads(line)["url"]

    def restart(self) -> None:
        """Stops it, and starts it again at the same port."""
        self.stop()
        self._start(self.url.rsplit(":", 1)[1])

    def stop(self) -> None:
        """Ctrl+C, and waits until the episodes are written."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(20)
        if self._process.stdout is not None:
            self._process.stdout.close()

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


@functools.cache
def shared_server() -> Server:
    """A server for all tests that only open sessions. It stops at the end of the process."""
    server = Server("mail", "shop")
    atexit.register(server.remove)
    return server


def espalier(*arguments: str) -> str:
    """What a command of the program prints."""
    done = subprocess.run(["node", str(PROGRAM), *arguments], capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        sys.stderr.write(done.stderr)
        raise RuntimeError(f"espalier {' '.join(arguments)} ended with {done.returncode}.")
    return done.stdout
