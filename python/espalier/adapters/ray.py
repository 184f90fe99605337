"""Workers of an Espalier fleet on a Ray cluster, and groups of rollouts for a trainer on it.

Ray places processes and starts them again; the fleet keeps what they do. Both may lose a machine: nothing is lost or done twice.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import ray

from ..errors import EspalierError
from ..exported_rows import Row, rows
from ..starting import command


class FleetFailed(EspalierError):
    """A program of the fleet ended before its time."""

    def __init__(self, message: str) -> None:
        super().__init__("FLEET_FAILED", message)


class FleetWorker:
    """`espalier worker` as an actor. When the process ends by itself the actor ends too, and Ray starts another one."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            [*command(), "worker", *arguments, "--json"],
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
            preexec_fn=_end_with_parent,
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line.startswith("{"):
            raise FleetFailed(f"espalier worker did not start: it ended with {self._process.wait()}.")
        self._name = str(json.loads(line)["worker"])
        self._is_stopping = False
        threading.Thread(target=self._follow, daemon=True).start()

    def _follow(self) -> None:
        self._process.wait()
        if not self._is_stopping:
            os._exit(1)

    def name(self) -> str:
        """As the fleet knows it."""
        return self._name

    def node(self) -> str:
        """The node of the cluster that it runs on."""
        return str(ray.get_runtime_context().get_node_id())

    def stop(self) -> int:
        """Lets it give back what it holds. The number of episodes that it committed."""
        self._is_stopping = True
        self._process.send_signal(signal.SIGTERM)
        said, _ = self._process.communicate()
        return int(json.loads(said.splitlines()[-1])["episodes"])


def _end_with_parent() -> None:
    """Linux ends it when the actor is killed; elsewhere the fleet finds out after the lease."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)


@dataclass
class PlacedWorkers:
    """Workers on a cluster; `with` stops them in the end."""

    actors: list[Any]

    def names(self) -> list[str]:
        return list(ray.get([actor.name.remote() for actor in self.actors]))

    def nodes(self) -> list[str]:
        return list(ray.get([actor.node.remote() for actor in self.actors]))

    def stop(self) -> int:
        """Stops all of them. The number of episodes that they committed since each was started last."""
        episodes = sum(ray.get([actor.stop.remote() for actor in self.actors]))
        for actor in self.actors:
            ray.kill(actor)
        self.actors = []
        return int(episodes)

    def __enter__(self) -> PlacedWorkers:
        return self

    def __exit__(self, *_: object) -> None:
        for actor in self.actors:
            ray.kill(actor)


def place_workers(
    queue: str,
    count: int,
    *,
    slots: int = 4,
    browser: int = 0,
    cpus: float = 1,
    gpus: float = 0,
    resources: Mapping[str, float] | None = None,
    arguments: Sequence[str] = (),
) -> PlacedWorkers:
    """Places workers of the fleet at `queue` on the cluster, spread over its nodes. `cpus`, `gpus` and `resources` are what Ray sets
    aside for each; `arguments` are further options of `espalier worker`. One whose process or node is lost is placed again.

    Every node needs Node and Espalier: `ESPALIER_COMMAND` there names another command than `npx espalier`.
    """
    actor = ray.remote(FleetWorker).options(
        num_cpus=cpus,
        num_gpus=gpus,
        resources=dict(resources or {}),
        scheduling_strategy="SPREAD",
        max_restarts=-1,
        max_task_retries=-1,
    )
    given = ["--queue", queue, "--slots", str(slots), "--browser", str(browser), *arguments]
    placed = PlacedWorkers([actor.remote(given) for _ in range(count)])
    placed.names()
    return placed


@dataclass
class RolloutGroup:
    """The attempts at one task."""

    task: str
    episodes: list[Row]
    rewards: list[float]
    """1 for each attempt that passed, 0 for one that failed; those that broke are left out of both."""
    rows: list[Row] = field(default_factory=list)
    """The rows of these episodes in the table that was asked for."""


def rollout_groups(
    queue: str,
    environments: Sequence[str],
    *,
    trials: int,
    round: int = 1,
    table: str | None = None,
    collect: Sequence[str] = (),
    export: Sequence[str] = (),
    out: str | None = None,
) -> Iterator[RolloutGroup]:
    """Lets the fleet attempt every task `trials` times and gives the groups, in the order of the plan: a trainer calls it once a round,
    with the number of the round. `collect` and `export` are options of these verbs, such as `["--student", "openai:…"]` and
    `["--tokens", "verl"]`; `table` names an exported table whose rows are wanted with each group. `out` keeps the run.
    """
    with tempfile.TemporaryDirectory(prefix="espalier-") as folder:
        run = out or str(Path(folder, "run"))
        exported = str(Path(folder, "export"))
        _run(["collect", *environments, "--out", run, "--fleet", queue, "--trials", str(trials)], ["--round", str(round), *collect])
        tables = [] if table is None else [table]
        _run(["export", run, "--out", exported, "--format", "jsonl"], ["--round", str(round), "--keep", "verified", *export])
        groups: dict[str, RolloutGroup] = {}
        tasks: dict[str, str] = {}
        for episode in rows(exported, "episodes"):
            if episode["pass"] is None:
                continue
            group = groups.setdefault(episode["task"], RolloutGroup(episode["task"], [], []))
            tasks[episode["episode"]] = episode["task"]
            group.episodes.append(episode)
            group.rewards.append(float(episode["pass"]))
        for name in tables:
            for row in rows(exported, name):
                if row["episode"] in tasks:
                    groups[tasks[row["episode"]]].rows.append(row)
        yield from groups.values()


def _run(verb: Sequence[str], options: Sequence[str]) -> None:
    ended = subprocess.run([*command(), *verb, *options], capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        raise FleetFailed(f"espalier {verb[0]} ended with {ended.returncode}: {ended.stderr.strip()}")
