"""Training: what is learned from, that a run can be repeated and resumed, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env import agents
from domino_env.agents.heuristic import Heuristic
from domino_env.cli.main import main
from domino_env.config.loader import load
from domino_env.engine.seats import mate_of
from domino_env.errors import BadOption
from domino_env.evaluate.pairing import Pairing
from domino_env.evaluate.rollout import play_episodes
from domino_env.train.backend import UpdateSettings
from domino_env.train.decisions import Decisions
from domino_env.train.local_backend import LocalBackend
from domino_env.train.oracle_teacher import oracle_gains
from domino_env.train.runner import run
from domino_env.train.self_play import Opponent, SelfPlay, compute_gae, sample_rows
from domino_env.train.settings import HISTORIES, TrainSettings
from domino_env.train.training import Training

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
CONFIGS = ROOT / "configs" / "train"
SHORT = [
    *("threads=1", "rounds_per_iteration=64", "hidden_sizes=[16]", "checkpoint=1"),
    *("imitate.iterations=1", "distill.iterations=1", "ppo.iterations=2"),
    *("imitate.batch_size=128", "distill.batch_size=128", "ppo.batch_size=128"),
    *("pool.every=1", "evaluation.every=2", "evaluation.deals=20"),
]


def short(*changes: str) -> TrainSettings:
    return load(TrainSettings, None, [*SHORT, *changes])


def undecided(decisions: Decisions) -> Any:
    """A learner that likes all actions as well, and expects nothing."""
    return np.zeros(len(decisions.legal), np.float32), np.zeros(len(decisions), np.float32)


def self_play(game: str, players: int | None = None, lanes: int = 50) -> SelfPlay:
    return SelfPlay(game, players, lanes, reward_scale=1.0, gae_lambda=1.0)


# What is learned from ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "players"), [("block_draw", 2), ("all_fives", 3), ("bendomino_teams", 4)]
)
def test_a_decision_is_worth_all_that_its_seat_earns_from_then_on(game: str, players: int) -> None:
    each, noted = self_play(game, players), []
    paid, step = np.zeros((50, players)), each.batch.step

    def paying(actions: Any, lanes: Any) -> None:
        step(actions, lanes)
        paid[lanes] += each.batch.reward[lanes]

    def note(batch: Any, lanes: Any) -> Any:
        seats = batch.seat[lanes]
        noted.append(np.stack([lanes, seats, paid[lanes, seats]], 1))
        return batch.legal[lanes, 0]

    each.batch.step = paying  # type: ignore[method-assign, assignment]
    rollout = each.play(undecided, [], note, 7, np.random.default_rng(0))
    lanes, seats, before = np.concatenate(noted).T
    after = paid[lanes.astype(int), seats.astype(int)]
    assert rollout.returns == pytest.approx(after - before, abs=1e-4)
    assert len(rollout.actions) == len(before) > 100


def test_forced_decisions_are_no_part_of_it() -> None:
    rollout = self_play("block_draw").play(undecided, [], None, 0, np.random.default_rng(0))
    counts = rollout.decisions.counts
    assert counts.min() >= 2
    assert counts.sum() == len(rollout.decisions.legal)
    assert ((rollout.chosen >= 0) & (rollout.chosen < counts)).all()


@pytest.mark.parametrize(
    ("game", "players", "learners"), [("matador", 3, 1), ("bendomino_teams", 4, 2)]
)
def test_an_opponent_sits_against_the_learner(game: str, players: int, learners: int) -> None:
    each, asked = self_play(game, players), []

    class Watched(Heuristic):
        def act(self, batch: Any, lanes: Any) -> Any:
            asked.extend(zip(lanes.tolist(), batch.seat[lanes].tolist(), strict=True))
            return super().act(batch, lanes)

    each.play(undecided, [Opponent(Watched(), 0.4)], None, 0, np.random.default_rng(0))
    assert {lane for lane, _ in asked} <= {*range(30, 50)}
    for lane in range(30, 50):
        theirs = {seat for other, seat in asked if other == lane}
        assert len(theirs) <= players - learners
        assert lane % players not in theirs
        if learners == 2:
            assert mate_of(lane % players) not in theirs


def test_two_opponents_with_half_the_lanes_each_share_an_odd_number() -> None:
    each = self_play("block_draw", 2, lanes=51)
    who = each._seat([Opponent(Heuristic(), 0.5), Opponent(Heuristic(), 0.5)])
    assert [(who == number).any(1).sum() for number in range(2)] == [26, 25]


def test_advantages_are_those_of_the_textbook() -> None:
    chance = np.random.default_rng(0)
    trajectories = chance.integers(0, 3, 40)
    rewards, values = chance.normal(size=(2, 40)).astype(np.float32)
    found = np.empty(40, np.float32)
    compute_gae(trajectories, rewards, values, 0.9, np.zeros((2, 3)), found)
    for seat in range(3):
        steps = np.flatnonzero(trajectories == seat)
        expected = [*values[steps][1:], 0.0]
        deltas = rewards[steps] + expected - values[steps]
        for k, step in enumerate(steps):
            total = sum(0.9**j * delta for j, delta in enumerate(deltas[k:]))
            assert found[step] == pytest.approx(total, abs=1e-4)


def test_actions_are_sampled_from_the_softmax_of_their_logits() -> None:
    """The decisions have one, two and three rows, in turns."""
    counts = np.tile(np.array([1, 2, 3]), 20_000)
    logits = np.tile(np.log(np.array([4, 1, 3, 1, 3, 2], np.float32)), 20_000)
    chosen, logs = np.empty(60_000, np.int64), np.empty(60_000, np.float32)
    sample_rows(logits, counts, np.random.default_rng(0).random(60_000), chosen, logs)
    assert (chosen[::3] == 0).all()
    assert (chosen[1::3] == 1).mean() == pytest.approx(3 / 4, abs=0.01)
    assert np.bincount(chosen[2::3]) / 20_000 == pytest.approx([1 / 6, 1 / 2, 1 / 3], 0.05)
    assert np.exp(logs[2::3][chosen[2::3] == 1]) == pytest.approx(0.5, abs=1e-5)


def test_oracle_gains_are_what_the_round_really_comes_to() -> None:
    batch = domino_env.batch("all_fives", 20, 2, seed=3, autoreset=False)
    batch.reset()
    batch.step(batch.sample())
    gains_of, heuristic = oracle_gains(batch, np.arange(20)), Heuristic()
    compared = 0
    for lane in range(20):
        gains = {}
        seat = int(batch.seat[lane])
        for action in batch.legal[lane, : batch.num_legal[lane]]:
            trial = domino_env.batch("all_fives", 1, 2, autoreset=False)
            trial.reset()
            trial.restore(0, batch.save(lane))
            trial.step([int(action)])
            gains[int(action)] = (
                trial.reward[0, seat] + play_episodes(trial, [heuristic] * 2)[0, seat]
            )
        mean = np.mean([*gains.values()])
        for action, gain in gains.items():
            assert gains_of[lane, action] == pytest.approx(gain - mean, abs=1e-3)
            compared += 1
        assert np.count_nonzero(gains_of[lane]) <= len(gains)
    assert compared > 40


# Learning ----------------------------------------------------------------------------------------


def test_it_learns() -> None:
    """Seconds of supervision are far ahead of random play, and PPO does not unlearn them."""
    settings = load(
        TrainSettings,
        None,
        [
            *(
                "game=all_fives",
                "prior_weight=0",
                "threads=1",
                "rounds_per_iteration=512",
                "hidden_sizes=[64]",
            ),
            *("imitate.iterations=12", "imitate.batch_size=256"),
            *("distill.iterations=4", "distill.batch_size=512"),
            *("ppo.iterations=3", "ppo.batch_size=512"),
            *("evaluation.against=[random]", "evaluation.deals=400"),
        ],
    )
    training = Training(settings)
    for _ in range(16):
        training.iterate()
    taught, within = training.evaluate().margins["random"]
    assert taught - within > 5
    while not training.over:
        training.iterate()
    trained, _ = training.evaluate().margins["random"]
    assert trained > taught - 3
    assert [point.phase for point in training.curve] == ["distill", "ppo"]


@pytest.mark.parametrize(
    ("game", "players"),
    [("all_fives", 3), ("bendomino_teams", 4), ("blind", 5), ("fundomino", 4), ("five_up", 2)],
)
def test_every_kind_of_table_trains(game: str, players: int) -> None:
    training = Training(short(f"game={game}", f"num_players={players}", "pool.past=0.5"))
    while not training.over:
        training.iterate()
    point = training.evaluate()
    assert np.isfinite([*point.margins.values()]).all()
    batch = domino_env.batch(game, 8, players, seed=0)
    batch.reset()
    player = agents.make("ppo", policy=training.policy())
    for _ in range(20):
        batch.step(player.act(batch, np.arange(8)))


@pytest.mark.parametrize("kind", [[], *(["network=scorer", f"history={h}"] for h in HISTORIES)])
def test_the_same_seed_is_the_same_run_and_another_is_another(kind: list[str]) -> None:
    runs = [Training(short(f"seed={seed}", *kind)) for seed in (1, 1, 2)]
    for training in runs:
        while not training.over:
            training.iterate()
    first, second, third = (training.policy().to_bytes() for training in runs)
    assert first == second != third


@pytest.mark.parametrize(
    "kind",
    [
        ["prior_weight=0"],
        ["prior_weight=2"],
        ["prior_weight=0", "network=scorer", "critic=all_hands", "magnet_coef=0.1"],
        ["prior_weight=0", "network=scorer", "history=recurrent", "magnet_coef=0.1"],
        ["prior_weight=2", "network=scorer", "history=attention", "history_size=8"],
        ["prior_weight=0", "network=graph", "sees_observation=false", "distill_worlds=3"],
        ["prior_weight=0", "network=scorer", "averaging=0.9"],
    ],
)
def test_a_run_that_goes_on_from_a_state_is_the_run_that_never_stopped(kind: list[str]) -> None:
    changes = ("pool.past=0.5", *kind)
    whole, begun, resumed = (Training(short(*changes)) for _ in range(3))
    for _ in range(3):
        begun.iterate()
        begun.evaluate()
    resumed.restore(begun.state())
    for training in (whole, resumed):
        while not training.over:
            training.iterate()
            if training.iterations_done <= 3:
                training.evaluate()
    assert resumed.decisions == whole.decisions
    assert resumed.policy().to_bytes() == whole.policy().to_bytes()


def test_a_run_writes_a_policy_that_plays(tmp_path: Path) -> None:
    training = run(short(), tmp_path)
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"policy.npz", "checkpoint.pt", "curve.json", "curve.png", "tensorboard"}
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    curve = json.loads((tmp_path / "curve.json").read_text())
    assert [point["iteration"] for point in curve] == [2, 4]
    assert any((tmp_path / "tensorboard").iterdir())
    player = agents.make("ppo", file=tmp_path / "policy.npz")
    rules, greedy = training.rules, agents.make("greedy_pip")
    returns = play_episodes(domino_env_batch(rules), [player, greedy])
    assert np.isfinite(returns).all()


def domino_env_batch(rules: Any) -> Any:
    batch = domino_env.batch(rules, 20, seed=0, autoreset=False)
    batch.reset()
    return batch


# The prior ---------------------------------------------------------------------------------------


def test_a_policy_with_a_prior_begins_as_heuristic_does() -> None:
    changes = ("game=bendomino_all_five", "evaluation.deals=200", "evaluation.against=[greedy_pip]")
    with_prior, plain = (Training(short(*changes, f"prior_weight={weight}")) for weight in (2, 0))
    margin, within = with_prior.evaluate().margins["greedy_pip"]
    assert margin - within > 20
    margin, within = plain.evaluate().margins["greedy_pip"]
    assert margin + within < 0


def local(training: Training) -> LocalBackend:
    """The backend of a run in this process."""
    assert isinstance(training.backend, LocalBackend)
    return training.backend


def test_what_it_decides_by_in_training_is_what_it_plays_by() -> None:
    training = Training(short("game=five_up", "prior_weight=2"))
    while not training.over:
        training.iterate()
    policy, batch = training.policy(), domino_env.batch("five_up", 40, seed=2)
    batch.reset()
    lanes = np.arange(40)
    assert policy.prior is not None
    seen = SelfPlay("five_up", 2, 40, 1.0, 1.0, policy.prior)
    seen.batch = batch
    decisions = seen.look(lanes)
    logits, _ = local(training).learner.policy_value(decisions)
    assert policy.logits(batch, lanes) == pytest.approx(logits, abs=1e-4)
    assert abs(logits - decisions.prior).max() > 0.001, "its network has learned nothing"


@pytest.mark.parametrize("network", ["mlp", "scorer", "graph"])
@pytest.mark.parametrize("weight", [0, 2])
def test_ppo_finds_its_own_actions_as_likely_as_they_were(network: str, weight: int) -> None:
    training = Training(
        short("game=all_fives", f"prior_weight={weight}", f"network={network}", "threads=1")
    )
    training.iterate()
    backend = local(training)
    rollout = backend.self_play.play(
        backend.learner.policy_value, [], None, 5, np.random.default_rng(0)
    )
    update = UpdateSettings(learning_rate=0.0, ent_coef=0.0, batch_size=64, n_epochs=1)
    metrics = backend.learner.learn("ppo", rollout, update)
    assert metrics["approx_kl"] == pytest.approx(0, abs=1e-7)


# Refused ------------------------------------------------------------------------------------------


def test_a_run_of_another_engine_is_not_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LocalBackend, "engine", "ray")
    run(short(), tmp_path)
    monkeypatch.undo()
    with pytest.raises(BadOption, match="of a run with --engine ray: resume it as it was begun"):
        run(short(), tmp_path, resumed=True)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("game: blok_draw", "line 1: game must be one of"),
        ("game: block_draw\nnum_players: 5", "line 2: block_draw is for 2, 3, 4 players, not 5"),
        ("game: solitaire", "line 1: solitaire is for one player"),
        ("ppo: {learning_rat: 3}", "did you mean 'learning_rate'?"),
        ("ppo:\n  learning_rate: 3", "line 2: ppo.learning_rate must be a list"),
        (
            "pool:\n  opponents:\n    gredy: 0.1",
            "line 2: unknown agent 'gredy'; did you mean 'greedy_pip'?",
        ),
        ("pool: {opponents: {random: 0.9}, past: 0.2}", "add up to more than 1"),
        ("pool:\n  opponents: {optimal: 0.3}", "line 2: optimal does not play block_draw"),
        ("hidden_sizes: []", "line 1: hidden_sizes must name one layer or more"),
        ("graph_sizes: [8, 16]", "line 1: graph_sizes must be one number or more, all the same"),
        ("graph_sizes: []", "line 1: graph_sizes must be one number or more, all the same"),
        ("distill_worlds: -1", "line 1: distill_worlds must be a whole number from 0"),
        ("seed: 4294967296", "seed must be a whole number from 0 to 4294967295"),
        ("evaluation: {seed: 10000000000000000}", "seed must be a whole number from 0 to"),
        ("rounds_per_iteration: 1", "rounds_per_iteration must be a whole number from 8"),
        ("rules:\n  set: double_9\n  hand_siz: 7", "line 3: unknown setting 'rules.hand_siz'"),
        (
            "imitate: {iterations: 0}\ndistill: {iterations: 0}\nppo: {iterations: 0}",
            "there is nothing to do",
        ),
    ],
)
def test_configs_that_cannot_be_are_refused(
    text: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "config.yaml").write_text(text)
    out = tmp_path / "run"
    assert main(["train", str(tmp_path / "config.yaml"), "--out", str(out)]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert "config.yaml" in error
    assert not out.exists()


@pytest.mark.parametrize(
    "file",
    [*sorted(CONFIGS.glob("*.yaml")), *sorted((CONFIGS / "net").glob("*.yaml"))],
    ids=lambda file: f"{file.parent.name}-{file.stem}",
)
def test_shipped_configs_are_right(file: Path) -> None:
    settings = load(TrainSettings, file)
    assert domino_env.rules(settings.game)


def test_what_can_be_set_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "--settings"]) == 0
    listed = capsys.readouterr().out
    for name in ("ppo.learning_rate", "pool.past", "evaluation.deals"):
        assert name in listed


def test_a_learner_against_itself_is_even() -> None:
    training = Training(short())
    from domino_env.evaluate.entrants import Entrant

    one, other = (Entrant("ppo", name, {"policy": training.policy()}) for name in ("a", "b"))
    pairing = Pairing(training.rules, 2, one, other)
    pairing.play(10)
    assert not pairing.by_deal.any()


def test_errors_name_what_is_missing() -> None:
    with pytest.raises(BadOption, match="hidden_sizes"):
        load(TrainSettings, None, ["hidden_sizes=[0]"])
