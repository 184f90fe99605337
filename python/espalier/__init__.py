"""Espalier for Python: environments that snapshot, fork and roll back, for people who train agents.

with espalier.connect("http://127.0.0.1:8900") as client:
    env = client.session("mail", task="star-message", seed=3)
    print(env.instruction, env.start.text)
"""

from . import aio
from .actions import Action, call, call_tool, click, fill, finish, select
from .client import Client, Session, connect
from .errors import (
    CapacityReached,
    ConnectionLost,
    Diverged,
    EspalierError,
    Forbidden,
    NoVerdict,
    ProtocolError,
    RequestTimeout,
    RowsError,
    ServerError,
    SessionError,
    Unsupported,
    ValidationError,
)
from .exported_rows import rows, tables
from .starting import NoServer, serving
from .types import Candidate, Check, Plan, Restored, Snapshot, StateDigest, Step, Tool, Verdict, Verified

__version__ = "0.2.0"

__all__ = [
    "Action",
    "Candidate",
    "CapacityReached",
    "Check",
    "Client",
    "ConnectionLost",
    "Diverged",
    "EspalierError",
    "Forbidden",
    "NoServer",
    "NoVerdict",
    "Plan",
    "ProtocolError",
    "RequestTimeout",
    "Restored",
    "RowsError",
    "ServerError",
    "Session",
    "SessionError",
    "Snapshot",
    "StateDigest",
    "Step",
    "Tool",
    "Unsupported",
    "ValidationError",
    "Verdict",
    "Verified",
    "aio",
    "call",
    "call_tool",
    "click",
    "connect",
    "fill",
    "finish",
    "rows",
    "select",
    "serving",
    "tables",
]
