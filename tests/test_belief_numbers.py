"""Beliefs as numbers, beside all deals there are: who holds what, how likely the hands are."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations
from math import exp, log
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env import agents, belief
from domino_env.batches import Batch
from domino_env.belief.weighing import Weighted
from domino_env.errors import BadOption, GameOver, TooUncertain
from tests.beliefs import Witness, deals, events_of, play_some
from tests.games import AT_A_TABLE
from tests.test_belief import drawn_by_lot, small_versions

Hands = tuple[tuple[int, ...], ...]


def hands_of(batch: Batch, lane: int = 0) -> Hands:
    """Who holds what now."""
    held = batch.games["hands"][lane, : batch.num_players, 0].tolist()
    tiles = range(batch.rules.num_tiles)
    return tuple(tuple(tile for tile in tiles if word >> tile & 1) for word in held)


def all_hands(batch: Batch, viewer: int, ordered: bool) -> Counter[Hands]:
    """Who can hold what, each with the number of deals in which it is so."""
    witness, found = Witness(batch, 0, viewer), Counter[Hands]()
    for deck in deals(batch, 0, viewer, ordered):
        for _ in witness.plays_of(deck):
            found[hands_of(witness.other)] += 1
    return found


def shares_in(found: Counter[Hands], batch: Batch) -> Any:
    """The share of the deals in which a tile is in a hand."""
    shares = np.zeros((batch.rules.num_tiles, batch.num_players))
    for hands, number in found.items():
        for seat, hand in enumerate(hands):
            shares[list(hand), seat] += number
    return shares / sum(found.values())


def says_what_all_deals_say(batch: Batch, viewer: int, ordered: bool = False) -> None:
    """Marginals and log-likelihood of a lane, counted by hand."""
    found = all_hands(batch, viewer, ordered)
    shares = belief.marginals(batch, 0, viewer)
    assert shares[:, :-1] == pytest.approx(shares_in(found, batch), abs=1e-9)
    likely = found[hands_of(batch)] / sum(found.values())
    assert belief.log_likelihood(batch, 0, viewer) == pytest.approx(log(likely), abs=1e-9)


@pytest.mark.parametrize("variant", AT_A_TABLE)
@pytest.mark.slow
def test_who_holds_what_is_what_all_deals_say(variant: str) -> None:
    for place, (players, rules) in enumerate(small_versions(variant)[::3]):
        calls = "explicit" if rules.has_calls and place % 2 else "automatic"
        batch = Batch(rules, 1, players, seed=place, calls=calls, autoreset=False)
        batch.reset()
        for _ in range(2):
            play_some(batch, 4)
            says_what_all_deals_say(batch, (place + len(events_of(batch, 0))) % players)


@pytest.mark.parametrize("seed", range(0, 72, 12))
@pytest.mark.slow
def test_whatever_the_rules(seed: int) -> None:
    for each in range(seed, seed + 12):
        players, rules = drawn_by_lot(each)
        batch = Batch(rules, 1, players, seed=each, autoreset=False)
        batch.reset()
        play_some(batch, each % 14)
        says_what_all_deals_say(batch, each % players)


@pytest.mark.slow
def test_openers_that_are_as_good() -> None:
    tiles = ("*|1", ">1|2", "+2|1", ">2|3", "+3|2", "+1|3", "*|2")
    rules = domino_env.rules("fundomino", tiles=tiles, hand_size=2, players=(2,))
    for seed in range(12):
        batch = Batch(rules, 1, 2, seed=seed, autoreset=False)
        batch.reset()
        for viewer in range(2):
            says_what_all_deals_say(batch, viewer, ordered=True)


def some_way_in(game: str, decisions: int, seed: int = 0, players: int = 2) -> Batch:
    batch = domino_env.batch(game, 1, players, seed=seed, autoreset=False)
    batch.reset()
    play_some(batch, decisions)
    return batch


@pytest.mark.parametrize("game", ["block_draw", "bendomino", "fundomino", "partnership_block"])
def test_worlds_that_are_drawn_come_near_it(game: str) -> None:
    players = domino_env.rules(game).players[-1]
    batch = some_way_in(game, 8, 3, players)
    shares = belief.marginals(batch, 0, 1)
    worlds = belief.sample(batch, 0, 1, 4000, seed=1)
    drawn = np.zeros_like(shares[:, :-1])
    for world in range(worlds.num_games):
        for seat, hand in enumerate(hands_of(worlds, world)):
            drawn[list(hand), seat] += 1 / worlds.num_games
    assert drawn == pytest.approx(shares[:, :-1], abs=4.5 * 0.5 / 4000**0.5)


def test_every_tile_is_somewhere() -> None:
    batch = some_way_in("block_draw", 6, 2)
    shares = belief.marginals(batch, 0, 0)
    table = {tile for tile, _ in batch.position().played}
    tiles = batch.rules.tile_set.tiles
    for number, tile in enumerate(tiles):
        assert shares[number].sum() == pytest.approx(0 if tuple(tile) in table else 1)
    sizes = [len(hand) for hand in batch.position().hands]
    assert shares.sum(0) == pytest.approx([*sizes, len(batch.position().boneyard)])


def test_what_everybody_knows() -> None:
    """An onlooker has seen no hand; and a seat knows what it knows, and its own tiles."""
    batch = some_way_in("block_draw", 4, 1)
    state = belief.public_state(batch, 0)
    assert all(tile is None for hand in state.position.hands for tile in hand)
    sizes = [len(hand) for hand in batch.position().hands]
    assert state.marginals.sum(0)[:-1] == pytest.approx(sizes)
    assert (state.marginals[:, :-1] < 1).all()
    # The onlooker's are the mean of what the seat would think, by how likely its hand is.
    small = domino_env.rules("block_draw", set="double_2", hand_size=2, players=(2,))
    batch = Batch(small, 1, 2, seed=4, autoreset=False)
    batch.reset()
    play_some(batch, 2)
    worlds = Counter[Hands]()
    mean = np.zeros((small.num_tiles, 3))
    for hands, number in all_hands_for_nobody(batch).items():
        worlds[hands] += number
        for seat, hand in enumerate(hands):
            mean[list(hand), seat] += number
    shares = belief.public_state(batch, 0).marginals
    assert shares[:, :2] == pytest.approx(mean[:, :2] / worlds.total())


def all_hands_for_nobody(batch: Batch) -> Counter[Hands]:
    """The same as `all_hands`, for an onlooker: any hand of seat 0 may be the real one."""
    size, found = batch.rules.hand_size_for(2), Counter[Hands]()
    deck = batch.events[0, : batch.rules.num_tiles].tolist()
    witness = Witness(batch, 0, -1)
    for own in combinations(sorted(deck), size):
        rest = [tile for tile in deck if tile not in own]
        for other in combinations(rest, size):
            boneyard = [tile for tile in rest if tile not in other]
            for order in permutations(boneyard):
                for _ in witness.plays_of([*own, *other, *order]):
                    found[hands_of(witness.other)] += 1
    return found


# Weighed by how others play -----------------------------------------------------------------------


def chance_of_what_others_did(worlds: Batch, world: int, seat: int) -> float:
    """Of uniform play, in a world replayed step by step by its own record."""
    position = worlds.position(world)
    batch = Batch(worlds.rules, 1, worlds.num_players, 0, autoreset=False)
    batch.reset(options={"deal": position.deal})
    total = 1.0
    while len(events_of(batch, 0)) < len(events_of(worlds, world)):
        action = Witness(batch, 0, seat)  # its `other` is a table of the same kind
        action.other = batch
        chosen = action.action_of(events_of(worlds, world)[len(events_of(batch, 0))])
        assert chosen is not None
        if batch.seat[0] != seat:
            total /= batch.num_legal[0]
        batch.step([chosen])
    return total


@pytest.mark.parametrize("game", ["block_draw", "matador", "cross"])
def test_weights_are_the_chances_of_what_the_others_did(game: str) -> None:
    batch = some_way_in(game, 8, 5)
    found = belief.weighted(batch, 0, 1, agents.make("random"), 40, seed=2)
    assert isinstance(found, Weighted)
    for world in range(0, 40, 3):
        expected = chance_of_what_others_did(found.worlds, world, 1)
        assert exp(found.log_likelihoods[world]) == pytest.approx(expected)
    assert found.weights.sum() == pytest.approx(1)
    assert 1 <= found.effective_sample_size <= 40


@pytest.mark.parametrize("game", AT_A_TABLE)
@pytest.mark.slow
def test_worlds_of_every_game_can_be_weighed(game: str) -> None:
    players = domino_env.rules(game).players[0]
    batch = some_way_in(game, 9, 5, players)
    seat = int(batch.seat[0])
    found = belief.weighted(batch, 0, seat, agents.make("random"), 16, seed=2)
    assert np.isfinite(found.log_likelihoods).all()


def test_those_who_play_well_are_believed_to_hold_what_fits_that() -> None:
    """Worlds in which `heuristic` would have done something else are ruled out, or less likely."""
    batch = some_way_in("block_draw", 0, 3)
    player = agents.make("heuristic")
    for _ in range(6):
        batch.step(player.act(batch, np.arange(1)))
    known = belief.weighted(batch, 0, 0, player, 400, seed=1)
    assert 0 < (known.weights > 0).sum() < 400
    loosely = belief.weighted(batch, 0, 0, player, 400, seed=1, random_share=0.1)
    assert (loosely.weights > 0).all()
    assert loosely.effective_sample_size > known.effective_sample_size


def test_what_cannot_be_believed() -> None:
    batch = some_way_in("block_draw", 8, 5)
    with pytest.raises(BadOption, match="policy is an agent"):
        belief.weighted(batch, 0, 0, "heuristic")
    with pytest.raises(BadOption, match="one for each of 2"):
        belief.weighted(batch, 0, 0, [agents.make("random")])
    with pytest.raises(BadOption, match="random_share"):
        belief.weighted(batch, 0, 0, agents.make("random"), random_share=2)
    with pytest.raises(BadOption, match="lanes are"):
        belief.marginals(batch, 1, 0)
    with pytest.raises(BadOption, match="seats are"):
        belief.log_likelihood(batch, 0, 2)
    solo = domino_env.batch("solitaire", 1, seed=0)
    solo.reset()
    with pytest.raises(BadOption, match="one player"):
        belief.public_state(solo, 0)
    with pytest.raises(TooUncertain, match="random_share"):
        belief.weighted(batch, 0, 1, _Never(), 10, seed=0)
    while batch.seat[0] >= 0:
        batch.step(batch.sample())
    with pytest.raises(GameOver, match="lane 0 is over"):
        belief.marginals(batch, 0, 0)


class _Never:
    """Would never have done what it has."""

    def probabilities(self, batch: Batch, lanes: Any) -> Any:
        return np.zeros((len(lanes), batch.num_actions))
