"""Self-play by `domino train` on a cluster of two nodes, of which one is killed

A run must give the same bytes with any number of workers and learners, whichever of them die.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import ray
import torch
from ray.cluster_utils import Cluster
from ray.rllib.core.columns import Columns
from ray.rllib.core.learner.training_data import TrainingData
from ray.rllib.evaluation.postprocessing import Postprocessing

import domino_env
from domino_env import agents
from domino_env.cli.main import main
from domino_env.config.loader import load
from domino_env.errors import BadOption
from domino_env.execution.versions import versions
from domino_env.train.backend import Iteration, UpdateSettings
from domino_env.train.local_backend import LocalBackend
from domino_env.train.networks import MlpNetwork
from domino_env.train.rllib import algorithm, learner
from domino_env.train.rllib.algorithm import SelfPlayPPO, config_of
from domino_env.train.rllib.env_runner import as_batch
from domino_env.train.rllib.failures import WorkerFailure
from domino_env.train.rllib.messages import (
    LEARNER,
    IterationMessage,
    lanes_of_shards,
    num_groups,
)
from domino_env.train.rllib.ray_backend import RayBackend
from domino_env.train.runner import run
from domino_env.train.settings import TrainSettings
from domino_env.train.training import Training
from tests.clients.conftest import Record

SMALL = (
    *("rounds_per_iteration=1024", "hidden_sizes=[32]", "evaluation.every=100", "pool.every=2"),
    *("distill.iterations=1", "distill.batch_size=1024"),
    *("ppo.iterations=3", "ppo.batch_size=1024"),
)

PLAIN = learner.UpdatePlan(groups=1, steps=1, rows=1, mean=0.0, std=1.0)


def small(*changes: str) -> TrainSettings:
    """A run of seconds."""
    return load(TrainSettings, None, [*SMALL, *changes])


def trained(settings: TrainSettings, workers: int | None = None) -> tuple[bytes, int]:
    """What comes of a run, and of how many decisions."""
    training = Training(settings, partial(RayBackend, workers=workers))
    try:
        while not training.over:
            training.iterate()
        return training.policy().to_bytes(), training.decisions
    finally:
        training.close()


def backend_of(training: Training) -> RayBackend:
    assert isinstance(training.backend, RayBackend)
    return training.backend


@pytest.fixture
def pair(nodes: Cluster) -> list[Any]:
    """Two nodes that work."""
    return [next(iter(nodes.worker_nodes)), nodes.add_node(num_cpus=1)]


# The same, whoever works --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "changes",
    [
        ("game=block_draw",),
        ("game=all_fives", "num_players=4", "rounds_per_iteration=1000"),
        ("game=bendomino", "prior_weight=0", "imitate.iterations=2", "imitate.batch_size=1024"),
        ("game=five_up", "distill_worlds=2", "ppo.iterations=1"),
    ],
    ids=lambda changes: changes[0],
)
def test_a_run_is_the_same_however_many_work_on_it(
    nodes: Cluster, changes: tuple[str, ...]
) -> None:
    nodes.add_node(num_cpus=3)
    settings = small(*changes)
    alone = trained(settings, 1)
    assert trained(settings, 2) == alone
    assert trained(settings) == alone
    assert trained(small(*changes, "seed=1"), 2) != alone


@pytest.mark.parametrize("while_they", ["_rollout", "_update"])
def test_a_run_is_the_same_though_a_node_is_killed(
    nodes: Cluster,
    pair: list[Any],
    while_they: str,
    monkeypatch: pytest.MonkeyPatch,
    record_figure: Record,
) -> None:
    """And goes on with a new node, when there is one."""
    settings = small("game=block_draw", "rounds_per_iteration=2048", "ppo.iterations=4")
    alone = trained(settings, 2)
    usual: Callable[..., Any] = getattr(SelfPlayPPO, while_they)
    calls: list[int] = []

    def killing(self: SelfPlayPPO, message: Any) -> Any:
        calls.append(1)
        if len(calls) == 2:
            remove = partial(nodes.remove_node, pair[1], allow_graceful=False)
            threading.Timer(0.05, remove).start()
        return usual(self, message)

    monkeypatch.setattr(SelfPlayPPO, while_they, killing)
    monkeypatch.setattr(algorithm, "PROBE_EVERY", 0.0)
    training = Training(settings, RayBackend)
    runners = backend_of(training).algorithm.env_runner_group
    began = time.monotonic()
    while not training.over:
        training.iterate()
        if training.iterations_done == 2:
            record_figure(
                f"seconds of two iterations, a node killed in {while_they}",
                time.monotonic() - began,
            )
            assert len(runners.healthy_env_runner_ids()) == 1
            nodes.add_node(num_cpus=1)
            end = time.monotonic() + 60
            while len(runners.healthy_env_runner_ids()) < 2 and time.monotonic() < end:
                backend_of(training).algorithm.restore_env_runners(runners)
    assert len(runners.healthy_env_runner_ids()) == 2
    assert (training.policy().to_bytes(), training.decisions) == alone
    training.close()


def test_a_run_that_was_left_goes_on_as_if_it_had_not_been(nodes: Cluster, tmp_path: Path) -> None:
    """With other workers than before."""
    nodes.add_node(num_cpus=1)
    settings = small("game=block_draw", "checkpoint=1")
    run(settings, tmp_path / "whole", partial(RayBackend, workers=1))

    class Left(Exception):
        pass

    class Leaving(RayBackend):
        def run(self, iteration: Any, rng: Any) -> int:
            if iteration.phase == "ppo" and iteration.update.learning_rate < 2.5e-4:
                raise Left
            return super().run(iteration, rng)

    with pytest.raises(Left):
        run(settings, tmp_path / "left", partial(Leaving, workers=1))
    run(settings, tmp_path / "left", partial(RayBackend, workers=2), resumed=True)
    for name in ("policy.npz", "checkpoint.pt", "curve.json"):
        whole, left = ((tmp_path / folder / name).read_bytes() for folder in ("whole", "left"))
        assert whole == left, name


def test_players_that_die_before_anybody_has_learned_change_nothing(
    nodes: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their rows are lost for some of the learners, and others wait for these."""
    nodes.add_node(num_cpus=2)
    settings = small("game=block_draw", "ppo.iterations=2")
    alone = trained(settings, 1)
    usual, calls = SelfPlayPPO._update, []

    def killing(self: SelfPlayPPO, message: Any) -> Any:
        calls.append(1)
        if len(calls) == 2:
            pids = self.env_runner_group.foreach_env_runner(
                lambda runner: os.getpid(), local_env_runner=False
            )
            for pid in pids:
                os.kill(pid, signal.SIGKILL)
            time.sleep(1.0)
        return usual(self, message)

    monkeypatch.setattr(SelfPlayPPO, "_update", killing)
    began = time.monotonic()
    assert trained(settings) == alone
    assert len(calls) == settings.iterations + 1
    assert time.monotonic() - began < 90


# What is learned ----------------------------------------------------------------------------------


def test_a_plain_network_learns_to_beat_greedy_pip(nodes: Cluster, record_figure: Record) -> None:
    settings = load(
        TrainSettings,
        None,
        [
            *("game=block_draw", "rules.hand_size=7", "prior_weight=0", "hidden_sizes=[128, 128]"),
            *("distill.iterations=40", "ppo.iterations=10"),
        ],
    )
    training = Training(settings, RayBackend)
    before, within = training.evaluate().margins["greedy_pip"]
    assert before + within < 0
    while not training.over:
        training.iterate()
    margin, within = training.evaluate().margins["greedy_pip"]
    record_figure("decisions", training.decisions)
    record_figure("margin against greedy_pip", f"{margin:.1f} ± {within:.1f}")
    assert margin - within > 3
    training.close()


def test_what_it_judges_by_in_training_is_what_it_plays_by(nodes: Cluster, tmp_path: Path) -> None:
    training = Training(small("game=five_up"), RayBackend)
    while not training.over:
        training.iterate()
    file = tmp_path / "policy.npz"
    file.write_bytes(training.policy().to_bytes())
    batch = domino_env.batch("five_up", 40, seed=2)
    batch.reset()
    lanes = np.arange(40)
    policy = training.policy()
    assert policy.prior is not None
    network = backend_of(training).algorithm.config.rl_module_spec.rl_module_specs[LEARNER].build()
    network.set_state(backend_of(training).algorithm.network)
    prior = policy.prior.logits(batch, lanes)
    with torch.no_grad():
        logits = network.logits(torch.as_tensor(np.hstack([batch.observation, prior]))).numpy()
    assert policy.network_logits(batch.observation) + prior == pytest.approx(logits, abs=1e-4)
    rows, listed = np.nonzero(np.arange(batch.legal.shape[1]) < batch.num_legal[:, None])
    of_legal = logits[rows, batch.legal[rows, listed]]
    assert policy.logits(batch, lanes) == pytest.approx(of_legal, abs=1e-4)
    assert abs(logits - prior).max() > 0.001, "its network has learned nothing"
    actions = agents.make("ppo", file=str(file)).act(batch, lanes)
    likely = np.where(batch.mask[lanes] == 1, logits, -np.inf)
    assert (likely[lanes, actions] >= likely.max(1) - 0.05).all()
    training.close()


def test_ppo_finds_its_own_actions_as_likely_as_they_were(nodes: Cluster) -> None:
    training = Training(small("game=all_fives", "distill.iterations=0"), RayBackend)
    network = backend_of(training).algorithm.config.rl_module_spec.rl_module_specs[LEARNER].build()
    training.iterate()
    played = backend_of(training).algorithm.shards
    assert sum(each.decisions for each in played) == training.decisions
    for each in played:
        rows = ray.get(each.rollout)[LEARNER]
        batch = learner._rows([ray.get(each.rollout)], PLAIN)
        scores = network.forward_train(batch)[Columns.ACTION_DIST_INPUTS]
        logs = torch.log_softmax(scores, 1)
        likely = logs.gather(1, batch[Columns.ACTIONS][:, None])[:, 0]
        assert torch.allclose(likely, batch[Columns.ACTION_LOGP], atol=1e-5)
        assert rows[Postprocessing.ADVANTAGES].sum() == pytest.approx(each.advantages[0], abs=1e-2)
    training.close()


@pytest.mark.parametrize("phase", ["imitate", "distill", "ppo"])
def test_a_step_is_that_of_the_learner_of_one_machine(nodes: Cluster, phase: str) -> None:
    """Both learn from the same rounds, one in four groups: their gradients are the same."""
    settings = small("game=matador", "rounds_per_iteration=256", "prior_weight=0")
    training = Training(settings)
    backend, context = training.backend, training._context
    assert isinstance(backend, LocalBackend)
    rollout = backend.self_play.play(
        backend.learner.policy_value, [], context.teacher(phase, 7), 7, np.random.default_rng(3)
    )
    count = len(rollout.chosen) // 4 * 4
    rollout = rollout.some(np.arange(count))
    normal = (rollout.advantages - rollout.advantages.mean()) / rollout.advantages.std()
    rollout = replace(rollout, advantages=normal)

    theirs = config_of(context, 1, 1)
    ray_learner = learner.SelfPlayLearner(
        config=theirs, module_spec=theirs.get_multi_rl_module_spec(spaces={LEARNER: (None, None)})
    )
    ray_learner.build()
    network: Any = ray_learner.module[LEARNER]
    own = backend.learner.network
    assert isinstance(own, MlpNetwork)
    pairs = [
        *zip(network.policy_net, own.policy, strict=True),
        *zip(network.value_net, own.critic, strict=True),
    ]
    layers = [each for each in pairs if isinstance(each[0], torch.nn.Linear)]
    for theirs_layer, ours in layers:
        theirs_layer.load_state_dict(ours.state_dict())

    update = UpdateSettings(learning_rate=1e-3, ent_coef=0.05, batch_size=count, n_epochs=1)
    backend.learner.learn(phase, rollout, update)
    message = IterationMessage(Iteration(phase, update, [], 0, 0), 1, {}, versions())
    plan = learner.UpdatePlan(groups=4, steps=1, rows=count // 4, mean=0.0, std=1.0)
    actions = backend.self_play.batch.num_actions
    quarters = [
        as_batch(rollout.some(np.arange(k, count, 4)), actions, with_prior=False) for k in range(4)
    ]
    data = TrainingData(batches=quarters)
    answer = ray_learner.update(training_data=data, message=message, plan=plan)
    assert not isinstance(answer, WorkerFailure), answer.error
    for theirs_layer, ours in layers:
        for mine, its in zip(ours.parameters(), theirs_layer.parameters(), strict=True):
            assert mine.grad is not None
            assert mine.grad.abs().max() > 1e-6
            assert torch.allclose(mine.grad, its.grad, rtol=0.02, atol=2e-5)
            assert torch.allclose(mine, its, atol=2e-4)
    training.close()


def test_sums_are_the_same_wherever_the_halves_are_added_up() -> None:
    chance = np.random.default_rng(0)
    parts = [torch.as_tensor(chance.normal(size=100).astype(np.float32)) for _ in range(16)]
    whole = learner.pairwise_sum(parts)
    for learners in (1, 2, 4, 8, 16):
        each = 16 // learners
        sums = [learner.pairwise_sum(parts[first : first + each]) for first in range(0, 16, each)]
        assert torch.equal(learner.pairwise_sum(sums), whole)
    assert torch.allclose(whole, torch.stack(parts).sum(0), atol=1e-5)


@pytest.mark.parametrize("rounds", [8, 100, 1000, 4096, 100_000])
def test_all_rounds_are_divided_and_groups_have_equally_many_shards(rounds: int) -> None:
    settings = load(TrainSettings, None, [f"rounds_per_iteration={rounds}"])
    lanes, groups = lanes_of_shards(settings), num_groups(settings)
    assert sum(lanes) == rounds
    assert min(lanes) > 0
    assert max(lanes) - min(lanes) <= 1
    assert len(lanes) % groups == 0
    assert groups & (groups - 1) == 0


# Refused ------------------------------------------------------------------------------------------


def test_a_checkpoint_of_another_engine_is_refused(nodes: Cluster, tmp_path: Path) -> None:
    settings = small("game=block_draw", "ppo.iterations=0")
    run(settings, tmp_path / "here")
    with pytest.raises(BadOption, match="of a run with --engine threads"):
        run(settings, tmp_path / "here", RayBackend, resumed=True)


def test_other_versions_on_a_node_are_refused(
    nodes: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    training = Training(small("game=block_draw"), RayBackend)
    monkeypatch.setattr(
        "domino_env.train.rllib.ray_backend.versions", lambda *more: {"domino-env": "9.9"}
    )
    with pytest.raises(BadOption, match=r"domino-env is 9\.9 here and .* on the node"):
        training.iterate()
    training.close()


def test_more_workers_than_cores_are_refused(nodes: Cluster) -> None:
    with pytest.raises(BadOption, match="no room for 3 workers: the cluster has 1 cores"):
        Training(small("game=block_draw"), partial(RayBackend, workers=3))


def test_a_core_that_others_work_on_is_not_waited_for(
    nodes: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("domino_env.train.rllib.ray_backend.CORES_TIMEOUT", 3.0)
    first = Training(small("game=block_draw"), RayBackend)
    with pytest.raises(BadOption, match="no room for any workers: 0 of the cluster's 1 cores"):
        Training(small("game=block_draw"), RayBackend)
    first.close()


def test_an_error_of_a_learner_is_told_at_once(nodes: Cluster) -> None:
    training = Training(small("game=block_draw"), RayBackend)
    backend = backend_of(training)
    backend.algorithm.learner_group.foreach_learner(
        lambda learner: learner.module[LEARNER].policy_net[0].bias.data.fill_(np.nan).sum().item()
    )
    with pytest.raises(BadOption, match="the training has diverged"):
        training.iterate()
    training.close()


def test_workers_that_always_die_are_given_up(
    nodes: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(algorithm, "TRIES", 2)
    training = Training(small("game=block_draw"), RayBackend)
    runners = backend_of(training).algorithm.env_runner_group
    usual = runners.foreach_env_runner

    def killing(what: Any, **options: Any) -> Any:
        if what == "sample":
            what, options["kwargs"] = lambda runner: os._exit(1), None
        return usual(what, **options)

    monkeypatch.setattr(runners, "foreach_env_runner", killing)
    with pytest.raises(BadOption, match="have died 2 times during the rollout"):
        training.iterate()
    training.close()


def test_the_command_trains_on_the_cluster_that_it_is_told(
    nodes: Cluster, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    address = nodes.address
    ray.shutdown()  # as a shell of its own has it
    words = ["train", *(word for setting in SMALL for word in ("--set", setting))]
    words += ["--engine", "ray", "--address", address, "--out", str(tmp_path / "run")]
    assert main(words) == 0
    assert "rollouts:" in capsys.readouterr().out
    assert not ray.is_initialized()
    batch = domino_env.batch("block_draw", 8, seed=1)
    batch.reset()
    agents.make("ppo", file=str(tmp_path / "run" / "policy.npz")).act(batch, np.arange(8))
    assert main([*words, "--resume", "--workers", "0"]) == 2
    assert "--workers must be 1 or more" in capsys.readouterr().err


def test_a_cluster_that_does_not_answer_is_refused_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["train", "--engine", "ray", "--address", "127.0.0.1:1", "--out", str(tmp_path)]
    assert main(words) == 2
    assert "no Ray cluster answers at 127.0.0.1:1" in capsys.readouterr().err
    assert main(["train", "--workers", "2", "--out", str(tmp_path)]) == 2
    assert "it needs --engine ray" in capsys.readouterr().err
