"""The sizes of records, and how long lists of moves and logs can get."""

from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env import belief
from domino_env.batches import Batch
from domino_env.engine import log
from domino_env.engine.game_setup import Setup
from domino_env.engine.sizes import record_for
from domino_env.engine.state import GAME, GAMES, LARGE_GAME, MIDDLE_GAME, SIZES, SMALL_GAME
from domino_env.errors import BadSave
from domino_env.games import rules_of
from tests.games import AT_A_TABLE
from tests.test_states import batch_of, every_setting

LANES = 64


@pytest.mark.parametrize(
    ("variant", "players", "tile_set", "record"),
    [
        ("block_draw", 2, "double_6", SMALL_GAME),
        ("five_up", 2, "double_6", SMALL_GAME),
        ("block_draw", 3, "double_6", MIDDLE_GAME),
        ("block_draw", 2, "double_9", MIDDLE_GAME),
        ("five_up", 4, "double_9", MIDDLE_GAME),
        ("bendomino", 2, None, MIDDLE_GAME),
        ("fundomino", 4, None, MIDDLE_GAME),
        ("chickenfoot", 4, "double_9", MIDDLE_GAME),
        ("blind", 5, "double_6", LARGE_GAME),
        ("block_draw", 2, "double_12", LARGE_GAME),
        ("five_up", 4, "double_15", LARGE_GAME),
        ("mexican_train", 5, "double_15", LARGE_GAME),
        ("mexican_train", 6, "double_12", GAME),
        ("chickenfoot", 8, "double_9", GAME),
    ],
)
def test_a_game_takes_the_first_record_that_has_room_for_it(
    variant: str, players: int, tile_set: str | None, record: Any
) -> None:
    rules = domino_env.rules(variant, set=tile_set) if tile_set else variant
    assert Batch(rules, 1, players).games.dtype == record


def test_every_record_has_the_same_fields_and_the_last_has_room_for_every_game() -> None:
    for game in GAMES:
        assert game.names == GAME.names
        for name in GAME.names or ():
            assert game[name].base == GAME[name].base, f"{name} has one type in all sizes"
    assert all(np.less_equal(size, SIZES[-1]).all() for size in SIZES)
    sizes = [game.itemsize for game in GAMES]
    assert sizes[:-1] == [296, 664, 1040], "games take no more than they did"
    assert sizes == sorted(sizes)


def test_a_small_game_takes_less_than_a_kilobyte_and_a_half_in_all() -> None:
    batch = Batch("block_draw", 1)
    arrays = (batch.observation, batch.mask, batch.legal, batch.games, batch.events, batch.reward)
    assert batch.games.itemsize == 296
    assert sum(array.nbytes for array in arrays) < 1400


@pytest.mark.parametrize("game", GAMES, ids=["small", "middle", "large", "largest"])
def test_the_same_game_is_played_in_records_of_every_size(
    game: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Step by step, and so are worlds sampled from it."""
    usual = played("five_up")
    monkeypatch.setattr("domino_env.engines._Table.record_for", staticmethod(lambda setup: game))
    other = played("five_up")
    assert other[0].games.dtype == game
    for mine, its in zip(usual[1], other[1], strict=True):
        np.testing.assert_array_equal(mine, its)
    assert usual[0].position(3) == other[0].position(3)


def played(variant: str) -> tuple[Batch, list[Any]]:
    """A batch after some random steps, and what was seen of it and of worlds sampled from it."""
    batch, seen = Batch(variant, 8, seed=4), []
    batch.reset()
    for _ in range(60):
        batch.step(batch.sample())
        seen += [batch.observation.copy(), batch.mask.copy(), batch.reward.copy()]
    for lane in range(8):
        worlds = belief.sample(batch, lane, int(batch.seat[lane]), 5, seed=lane)
        seen += [worlds.observation, worlds.mask, worlds.games["hands"][:, :2, 0]]
    return batch, seen


@pytest.mark.slow
@pytest.mark.parametrize("variant", AT_A_TABLE)
def test_no_log_and_no_list_of_moves_is_longer_than_there_is_room_for(variant: str) -> None:
    for number, setting in enumerate(every_setting(variant)):
        batch = batch_of(setting, LANES, seed=100 * number)
        batch.reset()
        for _ in range(150):
            assert (batch.games["log_size"] <= batch.events.shape[1]).all(), setting
            assert (batch.num_legal < batch.legal.shape[1]).all(), setting
            batch.step(batch.sample())


@pytest.mark.parametrize("variant", AT_A_TABLE)
def test_passes_and_draws_of_a_round_are_not_more_than_the_log_has_room_for(variant: str) -> None:
    rules = rules_of(variant)
    for players in rules.players:
        draws = log.most_draws(rules, players)
        most = log.most_passes(rules, players, rules.num_tiles, draws)
        batch = Batch(rules, LANES, players, seed=9, autoreset=False)
        batch.reset()
        while (batch.seat >= 0).any():
            batch.step(batch.sample())
        for lane in range(LANES):
            kinds = [event.kind for event in batch.position(lane).events]
            assert kinds.count("draw") <= draws
            assert kinds.count("pass") <= most


def test_the_record_of_a_setup_depends_on_nothing_but_its_size() -> None:
    rules = rules_of("matador")
    for episode in ("round", "match"):
        for calls in ("automatic", "explicit"):
            assert record_for(Setup(rules, 2, episode, "margin", calls)) is SMALL_GAME


def test_settings_of_every_size_are_tried() -> None:
    games = ("block_draw", "bendomino", "blind", "chickenfoot")
    several = [setting for game in games for setting in every_setting(game)]
    assert {batch_of(setting, 1).games.dtype for setting in several} == set(GAMES)


def test_a_save_of_another_layout_of_the_record_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels look at no bounds: what was saved in another size must never reach them."""
    small = Batch("five_up", 1, seed=0)
    small.reset()
    monkeypatch.setattr("domino_env.engines._Table.record_for", staticmethod(lambda setup: GAME))
    large = Batch("five_up", 1, seed=0)
    large.reset()
    for batch, other in ((small, large), (large, small)):
        with pytest.raises(BadSave, match="saved by a batch of other"):
            batch.restore(0, other.save(0))
