"""`domino export`: trained policies as ONNX files that give the same logits."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from domino_env.adapters.onnx_export import inputs_of, logits_of_legal, to_onnx
from domino_env.agents.networks.heuristic_prior import HeuristicPrior
from domino_env.agents.networks.history_encoder import vocabulary_of
from domino_env.agents.networks.policy import Policy
from domino_env.batches import Batch
from domino_env.cli.main import main
from domino_env.games import mark_of
from tests.test_graph_policies import some_graph_policy
from tests.test_net import begun

onnx = pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")


def some_policy(game: str, scores_moves: bool, with_prior: bool) -> tuple[Policy, Batch]:
    """A policy that has learned nothing, and games for it."""
    chance, batch = np.random.default_rng(0), Batch(game, 9, seed=3)
    batch.reset()
    for _ in range(4):
        batch.step(batch.sample())
    sizes = (batch.num_features, 8, 6, 1 if scores_moves else batch.num_actions)
    layers = [
        (chance.normal(size=(a, b)).astype(np.float32) / 4, np.full(b, 0.1, np.float32))
        for a, b in pairwise(sizes)
    ]
    moves = chance.normal(size=(len(batch.move_fields), 8)).astype(np.float32)
    prior = HeuristicPrior({"pips": 1.0, "next_stuck": 2.0}, 3.0) if with_prior else None
    policy = Policy(game, {}, mark_of(batch.rules), batch.num_players, layers, {"seed": 0}, prior)
    return replace(policy, move_weights=moves if scores_moves else None), batch


def run(content: bytes, inputs: dict[str, Any]) -> Any:
    session = onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])
    return session.run(None, inputs)[0]


@pytest.mark.parametrize("scores_moves", [True, False])
@pytest.mark.parametrize("with_prior", [True, False])
@pytest.mark.parametrize("game", ["five_up", "bendomino_teams"])
def test_the_file_gives_the_logits_that_the_policy_gives(
    game: str, scores_moves: bool, with_prior: bool
) -> None:
    policy, batch = some_policy(game, scores_moves, with_prior)
    for lanes in (np.arange(9), np.array([4]), np.array([7, 2, 3])):
        found = run(to_onnx(policy), inputs_of(policy, batch, lanes))
        theirs = logits_of_legal(policy, found, batch, lanes)
        assert theirs == pytest.approx(policy.logits(batch, lanes), abs=1e-4)


@pytest.mark.parametrize("kind", ["recurrent", "attention"])
@pytest.mark.parametrize("with_prior", [True, False])
@pytest.mark.parametrize("game", ["five_up", "bendomino_teams", "blind"])
def test_it_does_so_where_histories_are_read(game: str, with_prior: bool, kind: str) -> None:
    from tests.test_history_policies import some_encoder

    policy, batch = some_policy(game, True, with_prior)
    batch.restart(5)  # in one game little has happened yet
    encoder = some_encoder(kind, vocabulary_of(batch), batch.num_features, 8)
    policy = replace(policy, history=encoder)
    content = to_onnx(policy)
    onnx.checker.check_model(onnx.load_from_string(content), full_check=True)
    for lanes in (np.arange(9), np.array([5]), np.array([7, 2, 3])):
        found = run(content, inputs_of(policy, batch, lanes))
        assert found == pytest.approx(policy.logits(batch, lanes), abs=1e-4)


@pytest.mark.parametrize("kind", ["recurrent", "attention"])
def test_a_history_may_be_empty(kind: str) -> None:
    from tests.test_history_policies import some_encoder

    policy, batch = some_policy("five_up", True, False)
    encoder = some_encoder(kind, vocabulary_of(batch), batch.num_features, 8)
    policy = replace(policy, history=encoder)
    inputs = inputs_of(policy, batch, np.arange(9))
    inputs["history"][3] = 0
    rows = inputs["owners"] == 3
    silent = replace(policy, history=None).logits(batch, np.arange(9))
    found = run(to_onnx(policy), inputs)
    assert found[rows] == pytest.approx(silent[rows], abs=1e-4)
    assert np.abs(found - silent)[~rows].max() > 0.01


@pytest.mark.parametrize("rounds", [0, 2])
@pytest.mark.parametrize("sees", [True, False])
@pytest.mark.parametrize("game", ["block_draw", "bendomino"])
def test_the_file_of_a_network_on_graphs_does_so_too(game: str, sees: bool, rounds: int) -> None:
    policy = some_graph_policy(game, sees=sees, rounds=rounds)
    batch = begun(game, 9)
    content = to_onnx(policy)
    onnx.checker.check_model(onnx.load_from_string(content), full_check=True)
    for lanes in (np.arange(9), np.array([4]), np.array([7, 2, 3])):
        found = run(content, inputs_of(policy, batch, lanes))
        theirs = logits_of_legal(policy, found, batch, lanes)
        assert theirs == pytest.approx(policy.logits(batch, lanes), abs=1e-3, rel=1e-4)


def test_the_file_says_what_it_is_for_and_is_valid() -> None:
    policy, _ = some_policy("five_up", True, False)
    model = onnx.load_from_string(to_onnx(policy))
    onnx.checker.check_model(model, full_check=True)
    told = {each.key: each.value for each in model.metadata_props}
    assert (told["game"], told["players"]) == ("five_up", "2")
    assert told["mark"] == policy.mark
    assert [each.name for each in model.graph.input] == ["observation", "moves", "owners"]


def test_the_command_exports_files_and_what_comes_with_agents(tmp_path: Path, capsys: Any) -> None:
    policy, _ = some_policy("five_up", False, True)
    (tmp_path / "policy.npz").write_bytes(policy.to_bytes())
    out = tmp_path / "new" / "mine.onnx"
    assert main(["export", str(tmp_path / "policy.npz"), "--out", str(out)]) == 0
    assert "its logits are ours" in capsys.readouterr().out
    assert onnx.load(str(out)).metadata_props
    shipped = tmp_path / "net.onnx"
    words = ["export", "net", "--game", "block_draw", "--hand-size", "7", "--out", str(shipped)]
    assert main(words) == 0
    assert "owners" in [each.name for each in onnx.load(str(shipped)).graph.input]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["net"], "--game"),
        (["net", "--game", "solitaire"], "no policy"),
        (["nothing.npz"], "cannot be read"),
    ],
)
def test_what_cannot_be_exported_is_told(words: list[str], told: str, capsys: Any) -> None:
    assert main(["export", *words]) == 2
    assert told in capsys.readouterr().err


def test_a_file_that_plays_otherwise_is_not_written(
    tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy, _ = some_policy("five_up", True, False)
    (tmp_path / "policy.npz").write_bytes(policy.to_bytes())
    weights, biases = policy.layers[-1]
    other = replace(policy, layers=[*policy.layers[:-1], (weights * 1.1, biases)])
    from domino_env.adapters import onnx_export

    monkeypatch.setattr(onnx_export, "to_onnx", lambda _: to_onnx(other))
    assert main(["export", str(tmp_path / "policy.npz"), "--out", str(tmp_path / "x.onnx")]) == 2
    assert "nothing is written" in capsys.readouterr().err
    assert not (tmp_path / "x.onnx").exists()
