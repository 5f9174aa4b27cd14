"""Who holds what: guesses by counting, the positions they are scored in, and trained networks."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env import belief
from domino_env.agents.networks.belief_network import (
    BeliefNetwork,
    belief_network,
    belief_networks,
    read_belief_network,
)
from domino_env.batches import Batch
from domino_env.belief import holdings_file
from domino_env.belief.guesses import hidden_tiles, holders, places_of
from domino_env.belief.holdings_file import unpacked
from domino_env.data import HoldingsDataset
from domino_env.errors import BadOption, GameOver, TooUncertain
from domino_env.evaluate import score_guess, score_play_aware
from domino_env.evaluate.belief_benchmark import log_losses
from domino_env.evaluate.mixed_play import MixedPlay, usual_players
from domino_env.games import DEFAULT_GAME, mark_of
from domino_env.train.belief_learner import BeliefSettings, learn_beliefs
from tests.games import AT_A_TABLE
from tools import belief_scores
from tools import holdings as maker

SHORT = BeliefSettings(iterations=40, games=200, batch_size=256)


def some_way_on(game: str, lanes: int = 12) -> tuple[Batch, Any]:
    """Games in which some has been played at random, and the lanes that are not over."""
    batch = domino_env.batch(game, lanes, seed=5, autoreset=False)
    batch.reset()
    for lane in range(lanes):
        for _ in range(lane):
            if batch.seat[lane] >= 0:
                batch.step(batch.sample()[[lane]], np.array([lane]))
    return batch, np.flatnonzero(batch.seat >= 0)


# Guesses -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", AT_A_TABLE)
def test_what_is_hidden_has_a_holder_and_all_places_are_filled(game: str) -> None:
    batch, lanes = some_way_on(game)
    hidden, where = hidden_tiles(batch, lanes), holders(batch, lanes)
    assert np.array_equal(hidden, where >= 0)
    places = places_of(batch, lanes, hidden)
    for column in range(batch.num_players + 1):
        assert (where == column).sum(1) == pytest.approx(places[:, column])


@pytest.mark.parametrize("game", AT_A_TABLE)
def test_guesses_are_shares_of_what_is_hidden_and_of_nothing_else(game: str) -> None:
    batch, lanes = some_way_on(game)
    hidden = hidden_tiles(batch, lanes)
    for guess in (belief.counting, belief.shown_lacks):
        shares = guess(batch, lanes)
        assert shares.shape == (len(lanes), batch.rules.num_tiles, batch.num_players + 1)
        assert shares.min() >= 0
        assert shares.sum(2) == pytest.approx(hidden.astype(float))
    counted = belief.counting(batch, lanes).sum(1)
    assert counted == pytest.approx(places_of(batch, lanes, hidden))


@pytest.mark.slow
@pytest.mark.parametrize("game", AT_A_TABLE)
def test_exact_shares_fill_the_same_places(game: str) -> None:
    batch, lanes = some_way_on(game)
    for lane in lanes:
        try:
            shares = belief.exact(batch, np.array([lane]))
        except TooUncertain:
            continue
        hidden = hidden_tiles(batch, np.array([lane]))
        assert shares.sum(2) == pytest.approx(hidden.astype(float))
        assert shares.sum(1) == pytest.approx(places_of(batch, np.array([lane]), hidden))
        assert np.isfinite(log_losses(shares, holders(batch, np.array([lane])))).all()


def test_before_anything_is_shown_counting_is_exact() -> None:
    rules = domino_env.rules(DEFAULT_GAME)
    by_lot = replace(rules, opening=replace(rules.opening, starter="lot", tile="any"))
    batch = Batch(by_lot, 4, seed=1)
    batch.reset()
    lanes = np.arange(4)
    exact = belief.exact(batch, lanes)
    assert belief.counting(batch, lanes) == pytest.approx(exact)
    assert belief.shown_lacks(batch, lanes) == pytest.approx(exact)


def test_who_passed_has_none_of_the_numbers_asked_for() -> None:
    batch = domino_env.batch("partnership_block", 200, seed=2, autoreset=False)
    batch.reset()
    seen = 0
    for _ in range(25):
        lanes = np.flatnonzero(batch.seat >= 0)
        if not len(lanes):
            break
        shares = belief.shown_lacks(batch, lanes)
        for row, lane in enumerate(lanes):
            for column in (1, 2, 3):
                other = (batch.seat[lane] + column) % 4
                lacks = int(batch.games["lacks"][lane, other])
                for tile in range(28):
                    halves = batch.rule_table["half"][0][:, tile]
                    if any(lacks >> int(half) & 1 for half in halves):
                        assert shares[row, tile, column] == 0
                        seen += 1
        batch.step(batch.sample())
    assert seen > 100


def test_what_cannot_be_guessed_is_refused() -> None:
    batch, lanes = some_way_on(DEFAULT_GAME)
    for guess in (belief.exact, belief.counting, belief.shown_lacks, belief_network(DEFAULT_GAME)):
        assert len(guess(batch, lanes[:0])) == 0
        with pytest.raises(BadOption, match="lanes are 0 to 11"):
            guess(batch, np.array([12]))
    while (batch.seat >= 0).any():
        batch.step(batch.sample())
    with pytest.raises(GameOver, match="nothing left to guess"):
        belief.counting(batch, lanes)
    alone = domino_env.batch("solitaire", 1, seed=0)
    alone.reset()
    with pytest.raises(BadOption, match="has one player"):
        belief.counting(alone, np.zeros(1, np.int64))


# Positions ---------------------------------------------------------------------------------------


def test_every_game_for_two_or_more_has_positions() -> None:
    assert belief.holdings_names() == sorted(maker.collections())
    paths = [holdings_file.path_of(name) for name in belief.holdings_names()]
    assert sum(path.stat().st_size for path in paths) < 1_000_000


@pytest.mark.parametrize("game", holdings_file.names())
def test_positions_are_what_they_were(game: str) -> None:
    some = belief.holdings(game)
    assert len(some) >= 50
    assert some.shares.sum(2) == pytest.approx(some.hidden.astype(float))
    for lane in (0, len(some) - 1):
        exact = belief.exact(some.batch, np.array([lane]))[0]
        assert some.shares[lane] == pytest.approx(exact, abs=2e-6)
        likely = belief.log_likelihood(some.batch, lane, int(some.batch.seat[lane]))
        assert some.log_likelihoods[lane] == pytest.approx(likely, abs=1e-4)
    kept = holdings_file.path_of(game).read_bytes()
    assert gzip.decompress(unpacked(kept).packed()) == gzip.decompress(kept)


def test_positions_that_are_not_there_are_refused() -> None:
    with pytest.raises(BadOption, match=f"did you mean '{DEFAULT_GAME}'"):
        belief.holdings(DEFAULT_GAME[:-1])
    for wrong in (None, ["matador"], 3):
        with pytest.raises(BadOption, match="there are no positions"):
            belief.holdings(wrong)  # type: ignore[arg-type]
    with pytest.raises(BadOption, match="come from a file"):
        belief.Holdings("matador")  # type: ignore[arg-type]


def test_they_are_read_by_pytorch() -> None:
    from torch.utils.data import DataLoader

    some, loader = belief.holdings(DEFAULT_GAME), DataLoader(HoldingsDataset(DEFAULT_GAME), 32)
    first = next(iter(loader))
    assert first["observation"].numpy() == pytest.approx(some.observations[:32])
    assert first["shares"].numpy() == pytest.approx(some.shares[:32], abs=1e-6)
    assert np.array_equal(first["holders"].numpy(), some.holders[:32])
    assert sum(len(each["hidden"]) for each in loader) == len(some)


@pytest.mark.slow
def test_making_them_can_be_stopped_and_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(holdings_file, "FOLDER", tmp_path)
    assert maker.main([DEFAULT_GAME, "--positions", "6"]) == 0
    whole = holdings_file.path_of(DEFAULT_GAME).read_bytes()
    holdings_file.path_of(DEFAULT_GAME).unlink()
    for most in ("2", "6"):
        assert maker.main([DEFAULT_GAME, "--positions", most]) == 0
    assert holdings_file.path_of(DEFAULT_GAME).read_bytes() == whole


# Scores ------------------------------------------------------------------------------------------


def test_an_exact_counter_is_behind_nobody_and_counting_is() -> None:
    exact = score_guess(belief.exact, DEFAULT_GAME)
    assert exact.gap == pytest.approx(0, abs=1e-5)
    assert exact.divergence == pytest.approx(0, abs=1e-4)
    heuristic = score_guess(belief.shown_lacks, DEFAULT_GAME)
    counting = score_guess(belief.counting, DEFAULT_GAME)
    assert 0 < heuristic.divergence < counting.divergence
    assert counting.gap > counting.within


def test_who_sees_all_tiles_loses_nothing() -> None:
    def seeing(batch: Batch, lanes: Any) -> Any:
        return holders(batch, lanes)[:, :, None] == np.arange(batch.num_players + 1)

    score = score_guess(seeing, DEFAULT_GAME)
    assert score.loss == pytest.approx(0, abs=1e-4)
    assert score.gap < -0.1


def test_what_is_no_guess_is_refused() -> None:
    with pytest.raises(BadOption, match="tiles by columns"):
        score_guess(lambda batch, lanes: np.zeros((len(lanes), 3)), DEFAULT_GAME)
    with pytest.raises(BadOption, match="tiles by columns"):
        score_guess(lambda batch, lanes: belief.counting(batch, lanes) * np.nan, DEFAULT_GAME)


def test_who_knows_how_others_play_knows_more() -> None:
    score = score_play_aware(DEFAULT_GAME)
    assert score.positions > 50
    assert score.gap < 0


def test_the_table_of_the_docs_is_of_these_positions() -> None:
    for game, scores in belief_scores.kept().items():
        for guess in (belief.counting, belief.shown_lacks):
            name = "counting" if guess is belief.counting else "heuristic"
            found = score_guess(guess, game)
            assert scores[name]["gap"] == pytest.approx(found.gap, abs=1e-3)


# Networks ----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_network_learns_to_guess_better_than_it_counts(tmp_path: Path) -> None:
    losses: list[float] = []
    network = learn_beliefs(SHORT, lambda done, loss: losses.append(loss))
    assert np.mean(losses[-10:]) < np.mean(losses[:10])
    heuristic = score_guess(belief.shown_lacks, DEFAULT_GAME)
    assert score_guess(network, DEFAULT_GAME).loss < heuristic.loss
    file = tmp_path / "mine.npz"
    file.write_bytes(network.to_bytes())
    batch, lanes = some_way_on(DEFAULT_GAME)
    again = read_belief_network(file)
    assert again(batch, lanes) == pytest.approx(network(batch, lanes), abs=1e-2)
    assert again.to_bytes() == network.to_bytes()
    assert learn_beliefs(SHORT).to_bytes() == network.to_bytes()


@pytest.mark.parametrize("game", belief_networks())
def test_those_that_come_with_the_package_are_ahead_of_counting(game: str) -> None:
    network = belief_network(game)
    assert network.game == game
    heuristic = score_guess(belief.shown_lacks, game)
    assert score_guess(network, game).loss < heuristic.loss
    batch, lanes = some_way_on(game)
    assert network(batch, lanes).sum(2) == pytest.approx(
        hidden_tiles(batch, lanes).astype(float), abs=1e-6
    )


def test_a_network_of_another_game_is_refused() -> None:
    batch, lanes = some_way_on("matador")
    with pytest.raises(BadOption, match="was trained for"):
        belief_network(DEFAULT_GAME)(batch, lanes)
    with pytest.raises(BadOption, match="did you mean"):
        belief_network(DEFAULT_GAME + "s")


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "mine.npz"
    rules = domino_env.rules(DEFAULT_GAME)
    layer = (np.zeros((3, 2), np.float32), np.zeros(2, np.float32))
    content = BeliefNetwork(rules.id, mark_of(rules), 2, [layer]).to_bytes()
    for damaged in (b"", content[:-30], content.replace(b"about", b"abouT")):
        file.write_bytes(damaged)
        with pytest.raises(BadOption, match="is damaged"):
            read_belief_network(file)
    with pytest.raises(BadOption, match="cannot be read"):
        read_belief_network(tmp_path / "none.npz")


# Play --------------------------------------------------------------------------------------------


def test_mixed_play_is_the_same_from_the_same_generator() -> None:
    def played(seed: int, share: float = 0.1) -> list[list[int]]:
        rules = domino_env.rules(DEFAULT_GAME)
        play = MixedPlay(usual_players(rules), share)
        batch = Batch(rules, 20, autoreset=False)
        batch.reset(seed=list(range(20)))
        rng = np.random.default_rng(seed)
        seating, done = play.seats(batch, rng), []
        while (batch.seat >= 0).any():
            done.append(play.actions(batch, seating, rng).tolist())
            batch.step(done[-1])
        return done

    assert played(1) == played(1)
    assert played(1) != played(2)
    assert played(1, 1.0) != played(1, 0.0)
