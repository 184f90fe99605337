"""[PYT-25] Workers on a Ray cluster of three nodes, one of which is lost on the way; a trainer on the cluster pulls groups of rollouts."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import ray
from ray.cluster_utils import Cluster

from espalier.adapters.ray import RolloutGroup, place_workers, rollout_groups

ROOT = Path(__file__).resolve().parents[2]
COMMAND = f"{os.environ['ESPALIER_NODE']} {ROOT / 'bin' / 'espalier.js'}"
TASKS, TRIALS = 6, 4
COLLECT = ["--templates", "star-message,contact-phone", "--instances", str(TASKS // 2), "--strategy", "linear", "--steps", "12"]


@contextmanager
def fleet() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="espalier-ray-") as folder, socket.socket() as free:
        os.chmod(folder, 0o755)
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
        free.close()
        words = [*COMMAND.split(), "fleet", "up", "--data", str(Path(folder, "data")), "--port", port, "--json"]
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as up:
            assert up.stdout is not None
            yield str(json.loads(up.stdout.readline())["address"])
            up.send_signal(signal.SIGINT)


def living(queue: str) -> set[str]:
    words = [*COMMAND.split(), "fleet", "status", queue, "--json"]
    status = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
    return {worker["id"] for worker in status["workers"] if worker["lives"]}


@ray.remote(num_cpus=1)
class Trainer:
    """What a trainer does between two updates."""

    def pull(self, queue: str, round: int) -> list[RolloutGroup]:
        options = {"trials": TRIALS, "collect": [*COLLECT, "--student", "random"], "table": "next-actions"}
        return list(rollout_groups(queue, ["mail"], round=round, **options))


def check_groups(groups: list[RolloutGroup]) -> None:
    assert len(groups) == TASKS, len(groups)
    for group in groups:
        trials = [episode["trial"] for episode in group.episodes]
        assert trials == list(range(TRIALS)), trials
        assert group.rewards == [float(episode["pass"]) for episode in group.episodes]
        assert all(row["episode"] in {episode["episode"] for episode in group.episodes} for row in group.rows)


def main() -> None:
    os.environ["ESPALIER_COMMAND"] = COMMAND
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 2, "resources": {"head": 1}})
    nodes = [cluster.add_node(num_cpus=2, resources={"rollouts": 2}) for _ in range(2)]
    cluster.wait_for_nodes()
    ray.init(address=cluster.address, log_to_driver=False)
    with fleet() as queue:
        placed = place_workers(queue, 2, slots=2, resources={"rollouts": 1}, arguments=["--lease", "4"])
        before = placed.nodes()
        head = {node["NodeID"] for node in ray.nodes() if "head" in node["Resources"]}
        assert len(set(before)) == 2 and not head & set(before), "one worker on each node that offers rollouts"
        assert living(queue) == set(placed.names())
        trainer = Trainer.options(resources={"head": 0.1}).remote()
        first = ray.get(trainer.pull.remote(queue, 1))
        check_groups(first)
        print(f"ray {ray.__version__}: {TASKS} groups of {TRIALS} from workers on two nodes", flush=True)

        pulling = trainer.pull.remote(queue, 2)
        time.sleep(1)
        lost = next(node for node in nodes if node.node_id in before)
        cluster.remove_node(lost, allow_graceful=False)
        second = ray.get(pulling)
        check_groups(second)
        assert {group.task for group in first}.isdisjoint(group.task for group in second), "a round has its own tasks"
        assert set(placed.nodes()) == {node.node_id for node in nodes if node is not lost}, "placed again on the node that is left"
        print(f"ray {ray.__version__}: a node was lost on the way, and every group is whole", flush=True)

        names = set(placed.names())
        placed.stop()
        assert not names & living(queue), "workers that are stopped leave the fleet"
    ray.shutdown()
    cluster.shutdown()


if __name__ == "__main__":
    main()
