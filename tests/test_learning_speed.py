"""The speed of learning beside MaskablePPO: what is counted, and what was measured."""

from __future__ import annotations

from typing import Any

import pytest

from tools import learning_speed
from tools.learning_speed import CASES, LEAST_RATIO, MOST_PLAYED, RUNS, Case

SMALL = Case({"hand_size": 7}, (16, 16))


@pytest.mark.slow
def test_both_learn_from_rollouts_of_a_size_with_networks_of_a_size() -> None:
    theirs, ours = SMALL.theirs(1024), SMALL.ours(1024)
    before = ours.decisions
    ours.iterate()
    assert theirs.n_steps * theirs.n_envs == 1024
    assert 800 < ours.decisions - before < 1250
    assert (theirs.batch_size, theirs.n_epochs) == (
        ours.settings.ppo.batch_size,
        ours.settings.ppo.n_epochs,
    )
    network = learning_speed._local(ours).learner.network
    sizes = [
        sorted(each.numel() for each in part.parameters()) for part in (theirs.policy, network)
    ]
    assert sizes[0] == sizes[1], "a policy and a critic of the same shapes"


@pytest.mark.slow
def test_forced_moves_count_for_them_and_not_for_us() -> None:
    found = learning_speed.beside(SMALL, repeats=1, rollout=1024)
    assert found["sb3_free"] < found["sb3_learned"]
    assert found["learned"] < found["collected"]
    # Of the same game, played by policies that have hardly learned: about the same share is free.
    share = found["sb3_free"] / found["sb3_learned"]
    assert found["learned"] / found["collected"] == pytest.approx(share, abs=0.15)
    assert found["learned_ratio"] == pytest.approx(found["learned"] / found["sb3_learned"])
    assert found["collected_ratio"] == pytest.approx(found["collected"] / found["sb3_learned"])
    assert found["free_ratio"] == pytest.approx(found["learned"] / found["sb3_free"])


@pytest.mark.slow
@pytest.mark.parametrize(("network", "phase"), [("mlp", "ppo"), ("scorer", "distill")])
def test_shares_are_of_the_whole_time(network: str, phase: str) -> None:
    found = learning_speed.shares(SMALL, network, phase, repeats=1, rollout=512)
    assert sum(found["shares"].values()) == pytest.approx(1)
    assert all(0 <= share < 1 for share in found["shares"].values())
    assert (found["shares"]["teacher"] > 0) == (phase == "distill")


def figures(ratio: float, environment: float) -> dict[str, Any]:
    return {
        "beside": [{"free_ratio": ratio, "collected_ratio": 2 * LEAST_RATIO}],
        "shares": [{"shares": {"environment": environment, "features": 0.01}}],
    }


def test_what_is_too_slow_is_told() -> None:
    assert not learning_speed.missed(figures(LEAST_RATIO, MOST_PLAYED - 0.02))
    assert len(learning_speed.missed(figures(LEAST_RATIO - 0.1, MOST_PLAYED))) == 2


def test_every_case_was_measured_and_none_missed_what_is_asked() -> None:
    found = learning_speed.kept()
    measured = [(row["rules"], tuple(row["hidden_sizes"])) for row in found["beside"]]
    assert measured == [(case.rules, case.hidden_sizes) for case in CASES]
    runs = [(row["network"], tuple(row["hidden_sizes"]), row["phase"]) for row in found["shares"]]
    assert tuple(runs) == RUNS
    assert found["repeats"] >= 5
    assert not learning_speed.missed(found)
