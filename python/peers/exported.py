"""The exported runs that the checks read: folders `branching` and `tokens` in `ESPALIER_EXPORTS`."""

from __future__ import annotations

import os
from pathlib import Path

FOLDER = Path(os.environ["ESPALIER_EXPORTS"])
BRANCHING = FOLDER / "branching" / "export"
TOKENS = FOLDER / "tokens" / "export"
EPISODES = 4
"""Episodes of the run `branching`; all of them pass."""
