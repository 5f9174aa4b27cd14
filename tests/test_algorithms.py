"""Learning algorithms: what they reach on mini games, exactly, and what they are made of."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from domino_env import solve
from domino_env.cli.main import main
from domino_env.config.loader import load
from domino_env.config.shipped import shipped
from domino_env.errors import BadOption
from domino_env.solve.mini_games import mini_game

pytest.importorskip("torch")
from domino_env.train.algorithms.arena import arena_of
from domino_env.train.algorithms.catalogue import start
from domino_env.train.algorithms.curve import learn, learn_full_size, margins_over
from domino_env.train.algorithms.hyperparameters import (
    ALGORITHMS,
    LEARNERS,
    TABULAR,
    AlgorithmSettings,
)
from domino_env.train.algorithms.psro import Mixture, equilibrium
from domino_env.train.algorithms.reservoir import Reservoir
from domino_env.train.algorithms.rnad import latest_of_others
from domino_env.train.algorithms.tree_backup import (
    NOTHING,
    best_rows,
    log_probs_of,
    per_decision,
    ranks,
    tree_backup,
)
from domino_env.train.decisions import Decisions
from domino_env.train.self_play import Rollout

CONFIGS = {
    name.rpartition("/")[2]: file for name, file in shipped().items() if name.startswith("learn/")
}
UNIFORM = 0.417  # what uniform play loses in block_3


def config(name: str, *changes: str) -> AlgorithmSettings:
    return load(AlgorithmSettings, CONFIGS[name], changes)


def after(name: str, iterations: int, *changes: str) -> Any:
    algorithm = start(config(name, *changes))
    for _ in range(iterations):
        algorithm.step()
    return algorithm


def lost(algorithm: Any, game: str = "block_3") -> float:
    tree = mini_game(game).tree
    return solve.exploitability(tree, algorithm.policy(tree))


# What they reach ----------------------------------------------------------------------------------


def test_there_is_a_config_for_each_algorithm() -> None:
    assert sorted(CONFIGS) == sorted(ALGORITHMS)
    for name in CONFIGS:
        assert config(name).algorithm == name


@pytest.mark.parametrize(
    ("name", "iterations", "reached"),
    [
        ("ppo_entropy", 150, 0.16),
        ("mmd", 150, 0.14),
        ("rnad", 150, 0.16),
        ("nfsp", 150, 0.28),
        ("escher", 60, 0.26),
        ("psro", 150, 0.30),
    ],
)
@pytest.mark.slow
def test_a_learner_becomes_far_less_exploitable_than_uniform_play(
    name: str, iterations: int, reached: float
) -> None:
    assert lost(after(name, iterations)) < reached < UNIFORM


@pytest.mark.parametrize("name", ["ppo_entropy", "mmd", "rnad"])
@pytest.mark.slow
def test_last_policies_come_nearer_to_an_equilibrium_the_longer_they_learn(name: str) -> None:
    """They do not go round in circles; and CFR+ earns little over them."""
    algorithm = after(name, 50)
    earlier = lost(algorithm)
    for _ in range(200):
        algorithm.step()
    assert lost(algorithm) < 0.7 * earlier
    tree = mini_game("block_3").tree
    assert solve.value(tree, algorithm.policy(tree), solve.cfr_plus(tree, 500)) > -0.07


@pytest.mark.parametrize("name", LEARNERS)
def test_in_the_smallest_game_nothing_is_left_to_gain(name: str) -> None:
    """Uniform play loses 0.028 there."""
    assert lost(after(name, 25, "game=block_2"), "block_2") < 0.01


@pytest.mark.parametrize("name", TABULAR)
def test_a_solver_beneath_the_same_contract_is_the_solver(name: str) -> None:
    algorithm = after(name, 5)
    assert algorithm.iterations == 50
    best = getattr(solve, name)(mini_game("block_3").tree, 50)
    for ours, theirs in zip(algorithm.policy(mini_game("block_3").tree), best, strict=True):
        assert np.array_equal(ours, theirs)
    with pytest.raises(BadOption, match="no agent"):
        algorithm.player()


@pytest.mark.parametrize("name", ["mmd", "psro"])
def test_openspiel_finds_what_was_learned_as_exploitable(name: str, tmp_path: Any) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    algorithm, tree = after(name, 42, "game=block_2"), mini_game("block_2").tree
    policy, file = algorithm.policy(tree), tmp_path / "tree.efg"
    solve.write_efg(tree, file)
    game = pyspiel.load_game("efg_game", {"filename": str(file)})
    table = pyspiel.CFRPlusSolver(game).tabular_average_policy().policy_table()
    for state, probs in table.items():
        player, _, number, *_ = state.split("-")
        first = tree.sides[int(player)].firsts[int(number) - 1]
        own = policy[int(player)]
        table[state] = [(action, float(own[first + action])) for action, _ in probs]
    theirs = pyspiel.nash_conv(game, pyspiel.PartialTabularPolicy(table)) / 2
    assert solve.exploitability(tree, policy) == pytest.approx(theirs, abs=1e-9)
    assert theirs > 1e-5


@pytest.mark.parametrize("name", LEARNERS)
def test_equal_seeds_give_equal_policies(name: str) -> None:
    changes = ("rounds_per_iteration=64", "batch_size=32", "psro.payoff_rounds=64")
    tree = mini_game("block_3").tree
    policies = [after(name, 22, f"seed={seed}", *changes).policy(tree) for seed in (3, 3, 4)]
    for side in (0, 1):
        assert np.array_equal(policies[0][side], policies[1][side])
    assert not all(np.array_equal(policies[0][side], policies[2][side]) for side in (0, 1))


@pytest.mark.parametrize("name", LEARNERS)
def test_a_policy_and_the_agent_that_plays_it_are_the_same(name: str) -> None:
    """What an agent earns in play is what its policy is worth on the tree."""
    algorithm = after(name, 42, "rounds_per_iteration=256", "psro.response_iterations=20")
    tree = mini_game("block_3").tree
    exact = solve.value(tree, algorithm.policy(tree), "greedy_pip")
    from domino_env.agents.greedy_pip import GreedyPip

    arena = arena_of("block_3", {})
    margins = margins_over(algorithm.player(), GreedyPip(), arena, 20_000)
    assert float(margins.mean()) == pytest.approx(exact, abs=4 * margins.std() / 20_000**0.5)


@pytest.mark.parametrize("network", ["mlp", "scorer", "graph"])
@pytest.mark.parametrize("name", LEARNERS)
def test_every_learner_takes_every_network_and_calls(name: str, network: str) -> None:
    small = ("rounds_per_iteration=32", "batch_size=16", "psro.payoff_rounds=32")
    changes = ("game=all_fives_calls_3", f"network={network}", "psro.response_iterations=1", *small)
    algorithm = after(name, 2, *changes)
    assert algorithm.iterations == 2
    assert algorithm.decisions > 50
    assert 0 < lost(algorithm, "all_fives_calls_3") < 10


# The curve, and the command -----------------------------------------------------------------------


def test_a_curve_goes_down_and_counts_what_it_took() -> None:
    points = learn(config("cfr_plus"), 0.2)
    assert [point.exploitability for point in points] == sorted(
        (point.exploitability for point in points), reverse=True
    )
    assert points[-1].seconds >= 0.2 > points[-2].seconds / 2
    assert points[-1].iterations > points[0].iterations
    with pytest.raises(BadOption, match="seconds"):
        learn(config("cfr_plus"), 0)
    with pytest.raises(BadOption, match="too large for a tree"):
        learn(replace(config("mmd"), game="block_draw"), 1)


def test_strength_in_a_game_of_full_size() -> None:
    settings = config("ppo_entropy", "game=block_draw", "rounds_per_iteration=64")
    found = learn_full_size(settings, 0.1, deals=100)
    assert found.deals == 100
    assert -60 < found.margin < 60
    assert found.within > 0
    with pytest.raises(BadOption, match="deals"):
        learn_full_size(settings, 0.1, deals=1)


def test_the_command(tmp_path: Any, capsys: Any) -> None:
    file = tmp_path / "found.json"
    words = ["--seconds", "0.1", "--seeds", "2", "--json", str(file)]
    assert main(["learn", "mmd", "--game", "block_2", *words]) == 0
    rows = json.loads(file.read_text())
    assert [(row["game"], row["seed"], len(row["points"])) for row in rows] == [
        ("block_2", 0, 4),
        ("block_2", 1, 4),
    ]
    assert "±" in capsys.readouterr().out
    short = ["--seconds", "0.1", "--deals", "50", "--set", "rounds_per_iteration=32"]
    assert main(["learn", "mmd", "--game", "block_draw", *short]) == 0
    assert "over heuristic" in capsys.readouterr().out
    assert main(["learn", "--settings"]) == 0
    assert "magnet_coef" in capsys.readouterr().out
    assert main(["learn", "mdm"]) != 0
    assert "mmd" in capsys.readouterr().err
    assert main(["learn", "mmd", "--seeds", "0"]) != 0
    assert main(["learn", "cfr_plus", "--game", "block_draw"]) != 0
    assert main(["learn", "mmd", "--game", "partnership_2"]) != 0
    assert main(["learn", "mmd", "--game", "knock_out"]) != 0


@pytest.mark.parametrize("name", LEARNERS)
def test_where_there_is_hardly_a_choice_rounds_are_played_until_there_is(name: str) -> None:
    changes = ("game=block_2", "rounds_per_iteration=8", "batch_size=4", "psro.payoff_rounds=8")
    assert after(name, 3, *changes, "psro.response_iterations=1").decisions >= 6


def test_settings_that_do_not_go_together_are_refused() -> None:
    for changes, why in (
        (["rules={hand_size: 2}"], "mini game"),
        (["hidden_sizes=[]"], "one layer"),
        (["algorithm=cfr", "game=block_draw"], "whole tree"),
        (["game=blok_3"], "block_3"),
    ):
        with pytest.raises(BadOption, match=why):
            load(AlgorithmSettings, None, changes)


# What they are made of ----------------------------------------------------------------------------


def decisions_of(counts: list[int]) -> Decisions:
    number, rows = len(counts), sum(counts)
    seen = np.arange(number, dtype=np.float32)[:, None]
    legal = np.concatenate([np.arange(count) for count in counts])
    nothing = np.zeros(rows, np.float32)
    none = np.zeros((rows, 0, 0), np.int8)
    return Decisions(seen, seen, np.array(counts), legal, nothing[:, None], nothing, none)


def test_chances_sums_and_best_rows_are_those_of_each_decision() -> None:
    decisions = decisions_of([2, 1, 3])
    numbers = np.array([1, 3, 0, 5, 5, 2], np.float32)
    probs = np.exp(log_probs_of(decisions, numbers))
    assert per_decision(decisions, probs) == pytest.approx([1, 1, 1])
    assert probs[1] / probs[0] == pytest.approx(np.exp(2))
    assert best_rows(decisions, numbers).tolist() == [0, 1, 1, 1, 0, 0]


def test_ranks_follow_each_trajectory() -> None:
    rank, following = ranks(np.array([4, 1, 4, 4, 1]))
    assert rank.tolist() == [0, 0, 1, 2, 1]
    assert following.tolist() == [2, 4, 3, NOTHING, NOTHING]


def test_the_latest_of_the_other_seat_is_of_the_same_lane_and_before() -> None:
    # lanes 0 and 1 with seats 0 and 1: trajectories 0, 1 and 2, 3
    found = latest_of_others(np.array([0, 2, 1, 0, 3, 2, 2]))
    assert found.tolist() == [NOTHING, NOTHING, 0, 2, 1, 4, 4]


def test_the_tree_backup_goes_on_as_far_as_the_policy_would() -> None:
    """Two decisions in a row, of two actions each; the second action was chosen in both."""
    decisions, zeros = decisions_of([2, 2]), np.zeros(2, np.float32)
    rollout = Rollout(
        decisions,
        np.array([1, 1]),
        *(zeros, zeros, zeros, zeros),
        rewards=np.array([1, 4], np.float32),
        trajectories=np.array([7, 7]),
    )
    values = np.array([0, 0, 2, 3], np.float32)
    for chance in (0.0, 0.25, 1.0):
        probs = np.array([0.5, 0.5, 1 - chance, chance], np.float32)
        found = tree_backup(rollout, values, probs)
        assert found.tolist() == pytest.approx([1 + (1 - chance) * 2 + chance * 4, 4])


def test_a_memory_keeps_all_iterations_alike() -> None:
    memory = Reservoir(1000, np.random.default_rng(0))
    for number in range(40):
        decisions = decisions_of([2] * 200)
        memory.add(decisions, np.full(400, number, np.float32), weight=number + 1)
    assert 400 < len(memory) <= 1000
    some = memory.minibatch(20_000)
    assert len(some.targets) == len(some.weights) == 40_000
    assert np.array_equal(some.weights, some.targets + 1)
    assert np.bincount(some.targets.astype(int) // 10) / 40_000 == pytest.approx(0.25, abs=0.06)


def test_the_equilibrium_of_rock_paper_scissors_with_a_bias() -> None:
    payoffs = np.array([[0, 1, -2], [-1, 0, 1], [2, -1, 0]], float)
    mix = equilibrium(payoffs)
    assert mix == pytest.approx([0.25, 0.5, 0.25], abs=0.01)
    assert (payoffs @ mix).max() < 0.02


def test_a_mixture_of_policies_earns_the_mean_of_them() -> None:
    tree = mini_game("block_3").tree
    pure = [solve.policy_of(tree, name) for name in ("greedy_pip", "heuristic", "random")]
    shares = np.array([0.5, 0.2, 0.3])
    mixed = solve.mixture(tree, pure, shares)
    for opponent in pure:
        each = [solve.value(tree, policy, opponent) for policy in pure]
        assert solve.value(tree, mixed, opponent) == pytest.approx(shares @ each)
    for weights in ([1.0], [0.5, 0.5, -1.0], "much"):
        with pytest.raises(BadOption, match="mixture"):
            solve.mixture(tree, pure, weights)


def test_a_mixture_of_agents_stays_with_one_for_each_game() -> None:
    class Always:
        """Plays the legal action of one place."""

        name = "always"

        def __init__(self, place: int) -> None:
            self.place = place

        def act(self, batch: Any, lanes: Any) -> Any:
            return batch.legal[lanes, self.place * (batch.num_legal[lanes] - 1)].astype(np.int64)

    batch = arena_of("block_3", {}).batch(400)
    batch.reset(seed=0)
    mixture = Mixture([Always(0), Always(1)], np.array([0.25, 0.75]))
    drawn = []
    while (live := np.flatnonzero(batch.seat >= 0)).size:
        actions = mixture.act(batch, live)
        several = batch.num_legal[live] > 1
        drawn.append((live[several], (actions != batch.legal[live, 0])[several]))
        batch.step(actions, live)
    lanes, last = (np.concatenate(part) for part in zip(*drawn, strict=True))
    share = np.bincount(lanes, last) / np.maximum(np.bincount(lanes), 1)
    assert set(share[np.unique(lanes)]) == {0.0, 1.0}
    assert share[np.unique(lanes)].mean() == pytest.approx(0.75, abs=0.1)
