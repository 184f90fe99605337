"""Gymnasium's own checker, one solved episode, and the vector env beside Gymnasium's own one."""

from __future__ import annotations

import math
import warnings

import gymnasium
import numpy
from gymnasium.utils.env_checker import check_env

from espalier.adapters.gymnasium import EspalierEnv, EspalierVectorEnv, reward_of
from espalier.types import Step

from .served import URL, report, teacher_plan

TASK = "star-message"


def check_the_env() -> None:
    env = EspalierEnv(URL, "mail", task=TASK, render_mode="ansi")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # It has no render mode but text, and is not registered under a name.
        warnings.filterwarnings("ignore", message=".*(spec|render).*")
        check_env(env)
    env.close()
    report("gymnasium", "check_env is content")


def solve_an_episode() -> None:
    env = EspalierEnv(URL, "mail", task=TASK)
    _, info = env.reset(seed=3)
    for action in teacher_plan(TASK, 3):
        number = info["candidates"].index(action)
        _, reward, terminated, truncated, info = env.step(number)
        assert (reward, terminated, truncated) == (0, False, False)
    last = int(env.action_space.n) - 1
    _, reward, terminated, truncated, _ = env.step(last)
    assert (reward, terminated, truncated) == (1, True, False), (reward, terminated, truncated)
    observation, _ = env.reset(seed=3)
    masked = int(numpy.argmin(observation["action_mask"]))
    after, reward, terminated, _, info = env.step(masked)
    assert after["text"] == observation["text"] and "mask" in info["problem"]
    env.close()
    report("gymnasium", "an episode is solved, reward 1")


def check_missing_verdicts() -> None:
    """A world that breaks has the reward NaN, alone, and the next reset opens another one."""
    assert math.isnan(reward_of(Step({"ended": "terminated"}, None, True)))
    assert reward_of(Step({}, None, False)) == 0
    env = EspalierEnv(URL, "mail", task=TASK)
    env.reset(seed=3)
    _, reward, _, _, info = env.step(-1)
    assert reward == 0 and "mask" in info["problem"] and not info["verdict_missing"]
    env.session.close()
    _, reward, terminated, truncated, info = env.step(0)
    assert math.isnan(reward) and (terminated, truncated) == (False, True)
    assert info["verdict_missing"] and info["problem"], info
    env.reset(seed=3)
    assert env.step(int(env.action_space.n) - 1)[1] == 0
    env.close()
    many = EspalierVectorEnv(URL, 3, "mail", task=TASK)
    many.reset(seed=5)
    many.sessions[1].close()
    last = int(many.single_action_space.n) - 1
    _, rewards, _, truncated, infos = many.step(numpy.array([0, 0, last]))
    assert list(numpy.isnan(rewards)) == [False, True, False], rewards
    assert list(truncated) == [False, True, False] and list(infos["verdict_missing"]) == [False, True, False]
    _, rewards, _, truncated, _ = many.step(numpy.array([0, 0, 0]))
    assert not numpy.isnan(rewards).any() and not truncated.any()
    many.close()
    report("gymnasium", "a missing verdict is NaN for its environment alone")


def compare_vector_envs() -> None:
    """Ours takes the same steps as Gymnasium's SyncVectorEnv over single environments."""
    ours = EspalierVectorEnv(URL, 3, "mail", task=TASK)
    theirs = gymnasium.vector.SyncVectorEnv([lambda: EspalierEnv(URL, "mail", task=TASK)] * 3)
    assert ours.single_observation_space == theirs.single_observation_space
    seen, expected = ours.reset(seed=5)[0], theirs.reset(seed=5)[0]
    last = int(ours.single_action_space.n) - 1
    for actions in ([1, 2, 3], [4, last, 2], [last, last, 300]):
        assert seen in ours.observation_space
        assert seen["text"] == tuple(expected["text"])
        assert (seen["action_mask"] == expected["action_mask"]).all()
        seen, *ends = ours.step(numpy.array(actions))
        expected, *others = theirs.step(numpy.array(actions))
        for one, other in zip(ends[:3], others[:3], strict=True):
            assert (one == other).all(), (one, other)
    ours.close()
    theirs.close()
    report("gymnasium", "the vector env agrees with SyncVectorEnv")


if __name__ == "__main__":
    check_the_env()
    solve_an_episode()
    check_missing_verdicts()
    compare_vector_envs()
