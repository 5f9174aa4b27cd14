"""The learner: ragged minibatches, its networks and losses, and what it leaves alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import domino_env
from domino_env import agents
from domino_env.agents.networks.history_encoder import Vocabulary
from domino_env.batches import Histories
from domino_env.config.loader import load
from domino_env.config.shipped import find
from domino_env.engine.move_graphs.graph_fields import NUM_NODE
from domino_env.errors import BadOption
from domino_env.games import mark_of
from domino_env.train.backend import UpdateSettings
from domino_env.train.decisions import Decisions, joined
from domino_env.train.encoders import EncoderSettings
from domino_env.train.graph_network import GraphNetwork
from domino_env.train.local_backend import LocalBackend, torch_threads
from domino_env.train.local_learner import as_minibatch
from domino_env.train.losses import (
    GAIN_LOGIT,
    divergence,
    entropy,
    expected_gain,
    gain_error,
    log_softmax,
    ppo_loss,
)
from domino_env.train.metric_log import MetricLog
from domino_env.train.networks import MlpNetwork, ScorerNetwork, as_inputs
from domino_env.train.self_play import Rollout
from domino_env.train.settings import TrainSettings
from domino_env.train.training import Training

VOCABULARY_OF_EVENTS = (25, 4, 8, 3, 3)  # numbers that each column of an event can have
VOCABULARY = Vocabulary(25, 4, 15, 3, 6)


def some_decisions(
    number: int = 7, features: int = 5, moves: int = 3, histories: bool = False
) -> Decisions:
    chance = np.random.default_rng(number)
    counts = chance.integers(1, 5, number)
    rows = int(counts.sum())
    lengths = np.array([0, *chance.integers(1, 9, number - 1)])  # in some games nothing is dealt
    events = chance.integers(0, VOCABULARY_OF_EVENTS, (int(lengths.sum()), 5)).astype(np.uint8)
    seen = chance.normal(size=(number, features)).astype(np.float32)
    return Decisions(
        seen,
        seen,
        counts,
        np.concatenate([chance.permutation(9)[:count] for count in counts]),
        chance.normal(size=(rows, moves)).astype(np.float32),
        chance.normal(size=rows).astype(np.float32),
        some_graphs(rows, chance),
        Histories(events, lengths) if histories else None,
    )


def some_graphs(rows: int, chance: Any, numbers: int = 4) -> Any:
    return chance.integers(0, 3, (rows, numbers, NUM_NODE + 2 * numbers)).astype(np.int8)


# Ragged minibatches -------------------------------------------------------------------------------


def test_some_decisions_keep_their_rows() -> None:
    whole = some_decisions(histories=True)
    parts = [whole.some(np.array([place])) for place in (4, 0, 6)]
    some, apart = whole.some(np.array([4, 0, 6])), joined(parts)
    for name in ("observations", "counts", "legal", "moves", "prior"):
        assert np.array_equal(getattr(some, name), getattr(apart, name)), name
    first = int(whole.firsts[4])
    assert np.array_equal(some.moves[: whole.counts[4]], whole.moves[first:][: whole.counts[4]])
    assert len(whole.some(np.array([], np.int64)).legal) == 0


def test_some_decisions_keep_their_histories() -> None:
    whole = some_decisions(histories=True)
    assert whole.histories is not None
    each = np.split(whole.histories.events, np.cumsum(whole.histories.lengths)[:-1])
    chosen = np.array([4, 0, 6, 4])
    some, apart = whole.some(chosen), joined([whole.some(np.array([place])) for place in chosen])
    for found in (some, apart):
        assert found.histories is not None
        assert np.array_equal(found.histories.events, np.concatenate([each[p] for p in chosen]))
        assert found.histories.lengths.tolist() == [len(each[place]) for place in chosen]
    assert some_decisions().some(chosen).histories is None


def test_numbers_of_rows_become_columns() -> None:
    decisions = some_decisions()
    dense = decisions.dense(decisions.prior, 9)
    assert dense.shape == (7, 9)
    assert np.array_equal(dense[decisions.owners, decisions.legal], decisions.prior)
    assert np.count_nonzero(dense) == len(decisions.prior)


def test_a_rollout_keeps_targets_with_their_decisions() -> None:
    decisions = some_decisions()
    numbers = [np.arange(7, dtype=np.float32) + step for step in range(4)]
    places, gains = decisions.counts - 1, np.arange(len(decisions.legal), dtype=np.float32)
    for targets in (places, gains):
        earned, whose = np.zeros(7, np.float32), np.arange(7)
        rollout = Rollout(
            decisions, np.zeros(7, np.int64), *numbers, earned, whose, targets=targets
        )
        minibatch = as_minibatch(rollout.some(np.array([5, 2])))
        assert minibatch.targets is not None
        ends = decisions.firsts + decisions.counts
        if targets is gains:
            expected = [*range(decisions.firsts[5], ends[5]), *range(decisions.firsts[2], ends[2])]
        else:
            lengths = decisions.counts[[5, 2]]
            expected = [int(lengths[0]) - 1, int(lengths.sum()) - 1]
        assert minibatch.targets.tolist() == expected


# Losses -------------------------------------------------------------------------------------------


def test_the_softmax_is_taken_over_the_rows_of_each_decision() -> None:
    decisions = some_decisions()
    logits = torch.as_tensor(decisions.prior * 50).requires_grad_()
    owners = torch.as_tensor(decisions.owners)
    found = log_softmax(logits, owners, 7)
    parts = torch.split(logits, decisions.counts.tolist())
    expected = torch.cat([torch.log_softmax(part, 0) for part in parts])
    assert torch.allclose(found, expected, atol=1e-5)
    (ours,) = torch.autograd.grad((found * found).sum(), logits, retain_graph=True)
    (theirs,) = torch.autograd.grad((expected * expected).sum(), logits)
    assert torch.allclose(ours, theirs, rtol=1e-3, atol=1e-3)


def test_losses_are_those_of_the_textbook() -> None:
    log_probs = torch.tensor([0.5, 0.5, 0.2, 0.8]).log()
    gains = torch.tensor([1.0, 3.0, 0.0, 5.0])
    assert expected_gain(log_probs, gains, 2).item() == pytest.approx((2 + 4) / 2)
    entropies = [np.log(2), -0.2 * np.log(0.2) - 0.8 * np.log(0.8)]
    assert entropy(log_probs, 2).item() == pytest.approx(np.mean(entropies))
    assert divergence(log_probs, log_probs, 2).item() == 0
    uniform = torch.full((4,), 0.5).log()
    expected = np.log(2) - entropies[1]
    assert divergence(log_probs, uniform, 2).item() == pytest.approx(expected / 2, abs=1e-6)


def test_regression_is_done_when_logits_stand_for_the_gains() -> None:
    gains = torch.tensor([-0.5, 0.5, -0.25, 0.0, 0.25])
    owners = torch.tensor([0, 0, 1, 1, 1])
    of_each_decision = torch.tensor([3.0, 3.0, -1.0, -1.0, -1.0])
    right = GAIN_LOGIT * gains + of_each_decision
    assert gain_error(right, gains, owners, 2).item() == pytest.approx(0, abs=1e-6)
    assert gain_error(log_softmax(right, owners, 2), gains, owners, 2).item() < 1e-6
    wrong = (0.5 + 0.125) / 2 * GAIN_LOGIT  # the sum of squared gains, for logits that are alike
    assert gain_error(of_each_decision, gains, owners, 2).item() == pytest.approx(wrong)


def test_ppo_gains_nothing_beyond_the_clip_range() -> None:
    old, advantages = torch.zeros(2), torch.tensor([1.0, -1.0])
    far = ppo_loss(torch.tensor([1.0, -1.0]), old, advantages, 0.2)
    edge = ppo_loss(torch.tensor([1.2, 0.8]).log(), old, advantages, 0.2)
    assert far.loss.item() == pytest.approx(edge.loss.item(), abs=1e-6)
    assert far.clip_fraction == 1.0
    assert ppo_loss(old, old, advantages, 0.2).approx_kl == 0


# Networks -----------------------------------------------------------------------------------------


WITH_HISTORY = ("recurrent", "attention")
NETWORKS = ("mlp", "scorer", "graph", *WITH_HISTORY)


def new_network(kind: str) -> Any:
    rng = torch.Generator().manual_seed(3)
    if kind == "mlp":
        return MlpNetwork([5, 8, 9], [5, 8, 1], rng)
    if kind == "graph":
        return GraphNetwork([5, 8, 6], 3, [5, 8, 1], rng, sees=True, graph_sizes=(4, 4, 4))
    encoder = EncoderSettings(kind, 6, VOCABULARY) if kind in WITH_HISTORY else None
    return ScorerNetwork([5, 8, 6], 3, [5, 8, 1], rng, sees=kind != "blind", encoder=encoder)


def trained_network(kind: str) -> Any:
    """One in which nothing is zero any more, but for what is not seen."""
    network, rng = new_network(kind), torch.Generator().manual_seed(1)
    spread = 0.2 if kind == "graph" else 1.0  # what is passed on is added up again and again
    for name, weights in network.named_parameters():
        if kind != "blind" or not name.startswith("seen"):
            torch.nn.init.normal_(weights, 0.0, spread, generator=rng)
    return network


@pytest.mark.parametrize("kind", [*NETWORKS, "blind"])
def test_a_policy_scores_as_the_network_did(kind: str) -> None:
    from domino_env.agents.networks.policy import Policy

    network, decisions = trained_network(kind), some_decisions(histories=kind in WITH_HISTORY)
    weights = network.weights()
    policy = Policy(
        *("block_draw", {}, "", 2, weights.layers),
        move_weights=weights.moves,
        graph=weights.graph,
        history=weights.history,
    )
    if kind == "mlp":
        dense = policy.network_logits(decisions.observations)
        found = dense[decisions.owners, decisions.legal]
    else:
        seen, moves, counts = decisions.observations, decisions.moves, decisions.counts
        graphs, histories = decisions.graphs, decisions.histories
        found = policy.scorer_logits(seen, moves, counts, graphs, histories)
    logits, values = network(as_inputs(decisions))
    assert found + decisions.prior == pytest.approx(logits.detach().numpy(), abs=1e-4)
    assert np.ptp(found) > 0.1
    assert values.shape == (7,)


def test_a_scorer_begins_with_the_features_of_moves_alone() -> None:
    network, decisions = new_network("scorer"), some_decisions()
    inputs = as_inputs(decisions)
    blind = inputs._replace(observations=torch.zeros_like(inputs.observations))
    logits = network.logits(inputs)
    assert torch.equal(logits, network.logits(blind))
    logits.square().sum().backward()
    assert network.seen.weight.grad.abs().sum() > 0


@pytest.mark.parametrize("kind", WITH_HISTORY)
def test_a_history_begins_as_nothing_and_is_learned(kind: str) -> None:
    network, decisions = new_network(kind), some_decisions(histories=True)
    inputs = as_inputs(decisions)
    logits = network.logits(inputs)
    assert torch.equal(logits, new_network("scorer").logits(inputs))
    logits.square().sum().backward()
    assert network.encoder.joined.grad.abs().sum() > 0


@pytest.mark.parametrize("kind", WITH_HISTORY)
def test_decisions_do_not_see_the_histories_of_others(kind: str) -> None:
    network, decisions = trained_network(kind), some_decisions(20, histories=True)
    whole = network.logits(as_inputs(decisions)).detach()
    parts = [
        network.logits(as_inputs(decisions.some(np.array([place])))).detach() for place in range(20)
    ]
    assert torch.cat(parts) == pytest.approx(whole, abs=1e-4)


@pytest.mark.parametrize("kind", WITH_HISTORY)
def test_all_weights_of_an_encoder_are_learned(kind: str) -> None:
    network = trained_network(kind)
    network.logits(as_inputs(some_decisions(20, histories=True))).square().sum().backward()
    for name, weights in network.encoder.named_parameters():
        assert weights.grad.abs().sum() > 0, name


@pytest.mark.parametrize("kind", NETWORKS)
def test_making_one_leaves_the_generator_of_the_process_alone(kind: str) -> None:
    before = torch.get_rng_state()
    one, two = new_network(kind), new_network(kind)
    assert torch.equal(torch.get_rng_state(), before)
    for mine, its in zip(one.parameters(), two.parameters(), strict=True):
        assert torch.equal(mine, its)
        assert torch.isfinite(mine).all()


def test_threads_of_torch_are_as_before_afterwards() -> None:
    before = torch.get_num_threads()
    with torch_threads(before + 1):
        assert torch.get_num_threads() == before + 1
    assert torch.get_num_threads() == before


# Runs ---------------------------------------------------------------------------------------------

SHORT = [
    *("threads=1", "rounds_per_iteration=32", "hidden_sizes=[16]", "network=scorer"),
    *("prior_weight=0", "imitate.iterations=1", "distill.iterations=1", "ppo.iterations=1"),
    *("imitate.batch_size=64", "distill.batch_size=64", "ppo.batch_size=64", "pool.opponents={}"),
]


@pytest.mark.slow
@pytest.mark.parametrize("history", ["none", *WITH_HISTORY])
def test_a_scorer_is_trained_and_played(history: str, tmp_path: Path) -> None:
    changes = ["critic=all_hands", "magnet_coef=0.1", f"history={history}", "pool.past=0.2"]
    training = Training(load(TrainSettings, None, [*SHORT, *changes]))
    before = training.policy().to_bytes()
    while not training.over:
        training.iterate()
    policy = training.policy()
    assert policy.to_bytes() != before
    file = tmp_path / "policy.npz"
    file.write_bytes(policy.to_bytes())
    batch = domino_env.batch("block_draw", 8, seed=0)
    batch.reset()
    for name in ("net", "ppo"):
        chosen = agents.make(name, file=file).act(batch, np.arange(8))
        assert batch.mask[np.arange(8), chosen].all()


@pytest.mark.slow
@pytest.mark.parametrize("loss", ["expected_gain", "regression"])
def test_distillation_raises_the_gain(loss: str) -> None:
    changes = ["distill.iterations=2", "rounds_per_iteration=256", f"distill_loss={loss}"]
    training = Training(load(TrainSettings, None, [*SHORT, *changes]))
    backend = training.backend
    assert isinstance(backend, LocalBackend)
    rollout = backend.self_play.play(
        backend.learner.policy_value,
        [],
        training._context.teacher("distill", 0),
        0,
        np.random.default_rng(0),
    )
    update = UpdateSettings(1e-2, 0.0, 256, 4)
    first = backend.learner.learn("distill", rollout, update)["objective"]
    assert backend.learner.learn("distill", rollout, update)["objective"] > first + 0.01


@pytest.mark.slow
@pytest.mark.parametrize("vf_coef", [0, 0.5])
def test_a_critic_of_no_weight_is_left_alone(vf_coef: float) -> None:
    training = Training(load(TrainSettings, None, [*SHORT, f"vf_coef={vf_coef}"]))
    backend = training.backend
    assert isinstance(backend, LocalBackend)
    before = [weights.detach().clone() for weights in backend.learner.network.critic.parameters()]
    training.iterate()
    training.iterate()
    after = backend.learner.network.critic.parameters()
    same = [torch.equal(one, two) for one, two in zip(before, after, strict=True)]
    assert all(same) == (vf_coef == 0)
    assert any(same) == (vf_coef == 0)


@pytest.mark.slow
def test_the_magnet_is_where_ppo_began() -> None:
    settings = load(TrainSettings, None, [*SHORT, "magnet_coef=1000", "ppo.iterations=2"])
    free = load(TrainSettings, None, [*SHORT, "ppo.iterations=2"])
    ends = []
    for each in (settings, free):
        training = Training(each)
        for _ in range(2):
            training.iterate()
        begun = training.policy()
        training.iterate()
        moved = [
            float(np.abs(now[0] - then[0]).mean())
            for now, then in zip(training.policy().layers, begun.layers, strict=True)
        ]
        ends.append((training.backend.state()["magnet"] is None, moved))
    assert [without for without, _ in ends] == [False, True]
    assert ends[0][1] != ends[1][1]


def test_figures_are_kept_until_they_are_dumped() -> None:
    log = MetricLog()
    log.record("train/loss", np.float32(0.5))
    assert log.name_to_value == {"train/loss": 0.5}
    log.dump(1)
    assert log.name_to_value == {}


# The baseline -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_baseline_is_maskable_ppo_and_its_policy_plays(tmp_path: Path) -> None:
    from domino_env.cli.main import main

    out = tmp_path / "run"
    changes = ["total_timesteps=256", "num_envs=8", "n_steps=16", "batch_size=64"]
    words = [word for each in [*changes, "hidden_sizes=[16]"] for word in ("--set", each)]
    assert main(["train", "sb3/block_draw", "--out", str(out), *words]) == 0
    rules = domino_env.rules("block_draw", hand_size=7)
    batch = domino_env.batch(rules, 8, seed=0)
    batch.reset()
    player = agents.make("ppo", file=out / "policy.npz")
    chosen = player.act(batch, np.arange(8))
    assert batch.mask[np.arange(8), chosen].all()
    assert player._policy.mark == mark_of(rules)  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["all_fives", "block_draw"])
def test_its_configs_are_found_by_name_and_right(name: str) -> None:
    from domino_env.train.sb3_baseline import Sb3Settings

    file = find(f"sb3/{name}", "train")
    assert file.parent.name == "sb3"
    assert load(Sb3Settings, file).game == name
    assert find(f"net/{name}" if name == "block_draw" else name, "train").exists()


@pytest.mark.slow
def test_its_policy_scores_as_its_model_does() -> None:
    from domino_env.train.sb3_baseline import Sb3Settings, new_model, policy_of

    settings = Sb3Settings(num_envs=4, hidden_sizes=(16,))
    model = new_model(settings)
    seen = np.random.default_rng(0).random((5, 126)).astype(np.float32)
    with torch.no_grad():
        found: Any = model.policy.get_distribution(torch.as_tensor(seen)).distribution.logits
    ours = policy_of(model, settings).network_logits(seen)
    ours -= np.log(np.exp(ours).sum(1, keepdims=True))
    assert ours == pytest.approx(found.numpy(), abs=1e-4)


def test_histories_are_for_scorers() -> None:
    with pytest.raises(BadOption, match="history: attention is for network: scorer"):
        load(TrainSettings, None, ["history=attention"])
    with pytest.raises(BadOption, match="history"):
        load(TrainSettings, None, ["network=scorer", "history=transformer"])


def test_what_only_one_machine_does_is_refused_on_a_cluster() -> None:
    pytest.importorskip("ray")
    from domino_env.train.rllib.ray_backend import _must_train_here

    with pytest.raises(BadOption, match="network: scorer is not for --engine ray"):
        _must_train_here(load(TrainSettings, None, ["network=scorer"]))
    with pytest.raises(BadOption, match="not for --engine ray"):
        _must_train_here(load(TrainSettings, None, ["network=scorer", "history=recurrent"]))
    with pytest.raises(BadOption, match="distill_loss: regression is not for --engine ray"):
        _must_train_here(load(TrainSettings, None, ["distill_loss=regression"]))
    _must_train_here(load(TrainSettings, None, []))
