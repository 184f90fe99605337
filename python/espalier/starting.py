"""Finds a server, or starts one: `with espalier.serving("mail") as url`."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .errors import EspalierError


class NoServer(EspalierError):
    """There is no server, and none could be started."""

    def __init__(self, message: str) -> None:
        super().__init__("NO_SERVER", message)


@contextmanager
def serving(*environments: str, url: str | None = None, out: str | None = None, timeout: float = 60) -> Iterator[str]:
    """The address of a server. One that is given, or named by `ESPALIER_URL`, is used as it is; else one is started
    with `npx espalier serve` and stopped in the end. `ESPALIER_COMMAND` names another command than `npx espalier`.
    """
    known = url or os.environ.get("ESPALIER_URL")
    if known:
        yield known
        return
    with tempfile.TemporaryDirectory(prefix="espalier-") as folder:
        words = [*command(), "serve", *environments, "--port", "0", "--out", out or str(Path(folder, "run")), "--json"]
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, start_new_session=True) as server:
            try:
                yield _address(server, words, timeout)
            finally:
                # npx passes no signal on: the whole group gets it.
                if server.poll() is None:
                    os.killpg(server.pid, signal.SIGINT)


def command() -> list[str]:
    """Starts Espalier on this machine."""
    given = os.environ.get("ESPALIER_COMMAND")
    if given:
        return given.split()
    if shutil.which("npx") is None:
        raise NoServer("There is no npx. Install Node 20 or newer, or give the url of a server.")
    return ["npx", "--yes", "espalier"]


def _address(server: subprocess.Popen[str], command: list[str], timeout: float) -> str:
    assert server.stdout is not None
    late = threading.Timer(timeout, server.kill)
    late.start()
    try:
        line = server.stdout.readline()
    finally:
        late.cancel()
    try:
        return str(json.loads(line)["url"])
    except (ValueError, KeyError):
        raise NoServer(f"`{' '.join(command)}` did not start within {timeout} s. Run it by hand to see why.") from None
