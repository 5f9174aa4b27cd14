"""Self-play by `domino train` on a cluster of two nodes, of which one is killed

A run must come out the same, to the byte, however many play and learn, and whoever dies on the way.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
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
from domino_env.train.backend import Lesson, Step
from domino_env.train.local_backend import Alone
from domino_env.train.rllib import algorithm, learner
from domino_env.train.rllib.algorithm import SelfPlayPPO, config_of
from domino_env.train.rllib.env_runner import as_batch
from domino_env.train.rllib.failures import Failed
from domino_env.train.rllib.messages import LEARNER, Order, lanes_of_tables, num_groups
from domino_env.train.rllib.ray_backend import ClusterSchool
from domino_env.train.runner import run
from domino_env.train.self_play import Rounds
from domino_env.train.settings import TrainSettings
from domino_env.train.training import Training
from tests.clients.conftest import Record

SMALL = (
    *("deals=1024", "widths=[32]", "evaluation.every=100", "pool.every=2"),
    *("foresee.iterations=1", "foresee.minibatch=1024"),
    *("reinforce.iterations=3", "reinforce.minibatch=1024"),
)

PLAIN = learner.Plan(groups=1, steps=1, rows=1, centre=0.0, spread=1.0)


def small(*changes: str) -> TrainSettings:
    """A run of seconds."""
    return load(TrainSettings, None, [*SMALL, *changes])


def trained(settings: TrainSettings, workers: int | None = None) -> tuple[bytes, int]:
    """What comes of a run, and of how many decisions."""
    training = Training(settings, partial(ClusterSchool, workers=workers))
    try:
        while not training.over:
            training.iterate()
        return training.policy().to_bytes(), training.decisions
    finally:
        training.close()


def school_of(training: Training) -> ClusterSchool:
    assert isinstance(training.school, ClusterSchool)
    return training.school


@pytest.fixture
def pair(nodes: Cluster) -> list[Any]:
    """Two nodes that work."""
    return [next(iter(nodes.worker_nodes)), nodes.add_node(num_cpus=1)]


# The same, whoever works --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "changes",
    [
        ("game=block_draw",),
        ("game=all_fives", "num_players=4", "deals=1000"),
        ("game=bendomino", "lean=0", "imitate.iterations=2", "imitate.minibatch=1024"),
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


@pytest.mark.parametrize("while_they", ["_play", "_learn"])
def test_a_run_is_the_same_though_a_node_is_killed(
    nodes: Cluster,
    pair: list[Any],
    while_they: str,
    monkeypatch: pytest.MonkeyPatch,
    record_figure: Record,
) -> None:
    """And goes on with a new node, when there is one."""
    settings = small("game=block_draw", "deals=2048", "reinforce.iterations=4")
    alone = trained(settings, 2)
    usual: Callable[..., Any] = getattr(SelfPlayPPO, while_they)
    calls: list[int] = []

    def killing(self: SelfPlayPPO, order: Any) -> Any:
        calls.append(1)
        if len(calls) == 2:
            remove = partial(nodes.remove_node, pair[1], allow_graceful=False)
            threading.Timer(0.05, remove).start()
        return usual(self, order)

    monkeypatch.setattr(SelfPlayPPO, while_they, killing)
    monkeypatch.setattr(algorithm, "PAUSE", 0.0)
    training = Training(settings, ClusterSchool)
    runners = school_of(training).algorithm.env_runner_group
    began = time.monotonic()
    while not training.over:
        training.iterate()
        if training.iteration == 2:
            record_figure(
                f"seconds of two iterations, a node killed in {while_they}",
                time.monotonic() - began,
            )
            assert len(runners.healthy_env_runner_ids()) == 1
            nodes.add_node(num_cpus=1)
            end = time.monotonic() + 60
            while len(runners.healthy_env_runner_ids()) < 2 and time.monotonic() < end:
                school_of(training).algorithm.restore_env_runners(runners)
    assert len(runners.healthy_env_runner_ids()) == 2
    assert (training.policy().to_bytes(), training.decisions) == alone
    training.close()


def test_a_run_that_was_left_goes_on_as_if_it_had_not_been(nodes: Cluster, tmp_path: Path) -> None:
    """With other workers than before."""
    nodes.add_node(num_cpus=1)
    settings = small("game=block_draw", "checkpoint=1")
    run(settings, tmp_path / "whole", partial(ClusterSchool, workers=1))

    class Left(Exception):
        pass

    class Leaving(ClusterSchool):
        def take(self, lesson: Any, chance: Any) -> int:
            if lesson.part == "reinforce" and lesson.step.rate < 2.5e-4:
                raise Left
            return super().take(lesson, chance)

    with pytest.raises(Left):
        run(settings, tmp_path / "left", partial(Leaving, workers=1))
    run(settings, tmp_path / "left", partial(ClusterSchool, workers=2), resumed=True)
    for name in ("policy.npz", "checkpoint.pt", "curve.json"):
        whole, left = ((tmp_path / folder / name).read_bytes() for folder in ("whole", "left"))
        assert whole == left, name


def test_players_that_die_before_anybody_has_learned_change_nothing(
    nodes: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their rows are lost for some of the learners, and others wait for these."""
    nodes.add_node(num_cpus=2)
    settings = small("game=block_draw", "reinforce.iterations=2")
    alone = trained(settings, 1)
    usual, calls = SelfPlayPPO._learn, []

    def killing(self: SelfPlayPPO, order: Any) -> Any:
        calls.append(1)
        if len(calls) == 2:
            pids = self.env_runner_group.foreach_env_runner(
                lambda runner: os.getpid(), local_env_runner=False
            )
            for pid in pids:
                os.kill(pid, signal.SIGKILL)
            time.sleep(1.0)
        return usual(self, order)

    monkeypatch.setattr(SelfPlayPPO, "_learn", killing)
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
            *("game=block_draw", "rules.hand_size=7", "lean=0", "widths=[128, 128]"),
            *("foresee.iterations=40", "reinforce.iterations=10"),
        ],
    )
    training = Training(settings, ClusterSchool)
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
    training = Training(small("game=five_up"), ClusterSchool)
    while not training.over:
        training.iterate()
    file = tmp_path / "policy.npz"
    file.write_bytes(training.policy().to_bytes())
    batch = domino_env.batch("five_up", 40, seed=2)
    batch.reset()
    lanes = np.arange(40)
    policy = training.policy()
    assert policy.leans is not None
    network = school_of(training).algorithm.config.rl_module_spec.rl_module_specs[LEARNER].build()
    network.set_state(school_of(training).algorithm.network)
    leant = policy.leans.scores(batch, lanes)
    with torch.no_grad():
        scores = network.score(torch.as_tensor(np.hstack([batch.observation, leant]))).numpy()
    assert policy.scores(batch, lanes) == pytest.approx(scores, abs=1e-4)
    assert abs(scores - leant).max() > 0.001, "its network has learned nothing"
    actions = agents.make("ppo", file=str(file)).act(batch, lanes)
    likely = np.where(batch.mask[lanes] == 1, scores, -np.inf)
    assert (likely[lanes, actions] >= likely.max(1) - 0.05).all()
    training.close()


def test_ppo_finds_its_own_actions_as_likely_as_they_were(nodes: Cluster) -> None:
    training = Training(small("game=all_fives", "foresee.iterations=0"), ClusterSchool)
    network = school_of(training).algorithm.config.rl_module_spec.rl_module_specs[LEARNER].build()
    training.iterate()
    played = school_of(training).algorithm.played
    assert sum(each.decisions for each in played) == training.decisions
    for each in played:
        rows = ray.get(each.rounds)[LEARNER]
        batch = learner._rows([ray.get(each.rounds)], PLAIN)
        scores = network.forward_train(batch)[Columns.ACTION_DIST_INPUTS]
        logs = torch.log_softmax(scores, 1)
        likely = logs.gather(1, batch[Columns.ACTIONS][:, None])[:, 0]
        assert torch.allclose(likely, batch[Columns.ACTION_LOGP], atol=1e-5)
        assert rows[Postprocessing.ADVANTAGES].sum() == pytest.approx(each.advantages[0], abs=1e-2)
    training.close()


@pytest.mark.parametrize("part", ["imitate", "foresee", "reinforce"])
def test_a_step_is_that_of_the_learner_of_one_machine(nodes: Cluster, part: str) -> None:
    """Both learn from the same rounds, one in four groups: their gradients are the same."""
    settings = small("game=matador", "deals=256", "lean=0")
    training = Training(settings)
    school, course = training.school, training._course
    assert isinstance(school, Alone)
    rounds = school.table.play(
        school.learner.judge, [], course.teacher(part), 7, np.random.default_rng(3)
    )
    count = len(rounds.actions) // 4 * 4
    rounds = Rounds(*(each if each is None else each[:count] for each in vars(rounds).values()))
    rounds.advantages = (rounds.advantages - rounds.advantages.mean()) / rounds.advantages.std()

    theirs = config_of(course, 1, 1)
    learner = learner.Student(
        config=theirs, module_spec=theirs.get_multi_rl_module_spec(spaces={LEARNER: (None, None)})
    )
    learner.build()
    network: Any = learner.module[LEARNER]
    policy: Any = school.learner._ppo.policy
    pairs = [
        *zip(network.scores, [*policy.mlp_extractor.policy_net, policy.action_net], strict=True),
        *zip(network.value, [*policy.mlp_extractor.value_net, policy.value_net], strict=True),
    ]
    layers = [each for each in pairs if isinstance(each[0], torch.nn.Linear)]
    for theirs_layer, ours in layers:
        theirs_layer.load_state_dict(ours.state_dict())

    step = Step(rate=1e-3, entropy=0.05, minibatch=count, epochs=1)
    getattr(school.learner, part)(rounds, step)
    order = Order(Lesson(part, step, [], 0, 0), 1, {}, versions())
    plan = learner.Plan(groups=4, steps=1, rows=count // 4, centre=0.0, spread=1.0)
    quarters = [
        as_batch(Rounds(*(each if each is None else each[k::4] for each in vars(rounds).values())))
        for k in range(4)
    ]
    told = learner.update(training_data=TrainingData(batches=quarters), order=order, plan=plan)
    assert not isinstance(told, Failed), told.error
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
    whole = learner.added(parts)
    for learners in (1, 2, 4, 8, 16):
        each = 16 // learners
        sums = [learner.added(parts[first : first + each]) for first in range(0, 16, each)]
        assert torch.equal(learner.added(sums), whole)
    assert torch.allclose(whole, torch.stack(parts).sum(0), atol=1e-5)


@pytest.mark.parametrize("deals", [8, 100, 1000, 4096, 100_000])
def test_all_rounds_are_dealt_to_the_tables_and_groups_have_as_many(deals: int) -> None:
    settings = load(TrainSettings, None, [f"deals={deals}"])
    lanes, groups = lanes_of_tables(settings), num_groups(settings)
    assert sum(lanes) == deals
    assert min(lanes) > 0
    assert max(lanes) - min(lanes) <= 1
    assert len(lanes) % groups == 0
    assert groups & (groups - 1) == 0


# Refused ------------------------------------------------------------------------------------------


def test_a_checkpoint_of_another_engine_is_refused(nodes: Cluster, tmp_path: Path) -> None:
    settings = small("game=block_draw", "reinforce.iterations=0")
    run(settings, tmp_path / "here")
    with pytest.raises(BadOption, match="of a run with --engine threads"):
        run(settings, tmp_path / "here", ClusterSchool, resumed=True)


def test_other_versions_on_a_node_are_refused(
    nodes: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    training = Training(small("game=block_draw"), ClusterSchool)
    monkeypatch.setattr(
        "domino_env.train.rllib.ray_backend.versions", lambda *more: {"domino-env": "9.9"}
    )
    with pytest.raises(BadOption, match=r"domino-env is 9\.9 here and .* on the node"):
        training.iterate()
    training.close()


def test_more_workers_than_cores_are_refused(nodes: Cluster) -> None:
    with pytest.raises(BadOption, match="no room for 3 workers: the cluster has 1 cores"):
        Training(small("game=block_draw"), partial(ClusterSchool, workers=3))


def test_a_core_that_others_work_on_is_not_waited_for(
    nodes: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("domino_env.train.rllib.ray_backend.CORE_FREE", 3.0)
    first = Training(small("game=block_draw"), ClusterSchool)
    with pytest.raises(BadOption, match="no room for any workers: 0 of the cluster's 1 cores"):
        Training(small("game=block_draw"), ClusterSchool)
    first.close()


def test_an_error_of_a_learner_is_told_at_once(nodes: Cluster) -> None:
    training = Training(small("game=block_draw"), ClusterSchool)
    school = school_of(training)
    school.algorithm.learner_group.foreach_learner(
        lambda learner: learner.module[LEARNER].scores[0].bias.data.fill_(np.nan).sum().item()
    )
    with pytest.raises(BadOption, match="the training has diverged"):
        training.iterate()
    training.close()


def test_workers_that_always_die_are_given_up(
    nodes: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(algorithm, "TRIES", 2)
    training = Training(small("game=block_draw"), ClusterSchool)
    runners = school_of(training).algorithm.env_runner_group
    usual = runners.foreach_env_runner

    def killing(what: Any, **options: Any) -> Any:
        if what == "sample":
            what, options["kwargs"] = lambda runner: os._exit(1), None
        return usual(what, **options)

    monkeypatch.setattr(runners, "foreach_env_runner", killing)
    with pytest.raises(BadOption, match="have died 2 times while they played"):
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
    assert "playing took" in capsys.readouterr().out
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
    assert "it goes with --engine ray" in capsys.readouterr().err
