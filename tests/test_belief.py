"""Beliefs: worlds that agree with all that a seat has seen, each as likely, and nothing else."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations_with_replacement, product
from math import factorial
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env import belief
from domino_env.batches import Batch
from domino_env.engine.events import packed
from domino_env.engine.state import TOOK
from domino_env.errors import BadOption, BadRules, GameOver, NotReset, TooUncertain
from domino_env.ruleset import LISTED, MINI_SETS, Rules
from tests.beliefs import Witness, events_of, key_of, play_some, replays
from tests.drawn_rules import Lot
from tests.games import AT_A_TABLE

pytestmark = pytest.mark.slow

NUMBERS = ("0|0", "0|1", "0|2", "1|1", "1|2", "2|2", "0|3", "1|3")
SYMBOLS = ("1|1", "2|2", "3|3", "1|2", "2|3", ">1|2", "+2|3", "+3|1", "*|1")
MOST_DEALS = 720
EMPTY_BONEYARD = (
    541,
    897,
    759,
    453,
    470,
    550,
    590,
    886,
    537,
    810,
    830,
    708,
    728,
    231,
    466,
    516,
    805,
    205,
    184,
    130,
    210,
    153,
    565,
    846,
    820,
    850,
    870,
    584,
    697,
    241,
    172,
    784,
    636,
    686,
    190,
    730,
    671,
    867,
    291,
    141,
    435,
    107,
    220,
    444,
    126,
    329,
    288,
    331,
    250,
    310,
    711,
    571,
    389,
    115,
    368,
    418,
    34,
    265,
    659,
    25,
    648,
    94,
    748,
    775,
    764,
    85,
    54,
    349,
    278,
    620,
    602,
    614,
    523,
    502,
    351,
    300,
    71,
    0,
    40,
    480,
    61,
    792,
)  # actions of a round


def num_deals(rules: Rules, players: int) -> int:
    """How many deals there are in which a seat has its own hand."""
    if rules.rows:
        return factorial(rules.num_tiles)
    size = rules.hand_size_for(players)
    return factorial(rules.num_tiles - size) // factorial(size) ** (players - 1)


def small_versions(variant: str) -> list[tuple[int, Rules]]:
    """A game with so few tiles that every deal can be tried, for each number of players."""
    rules = domino_env.rules(variant)
    found = []
    lists = [SYMBOLS] if rules.tiles else [NUMBERS[:size] for size in (8, 7)]
    sets: list[dict[str, Any]] = [{"set": LISTED, "sets": (LISTED,), "tiles": t} for t in lists]
    if rules.layout.tiles == "straight":
        sets += [{"set": name} for name in MINI_SETS]
    for players, size, changes in product(rules.players, (1, 2, 3, 4), sets):
        try:
            version = domino_env.rules(variant, **changes, hand_size=size, players=(players,))
        except BadRules:
            continue
        if num_deals(version, players) <= MOST_DEALS:
            found.append((players, version))
    return found


def excess(counted: Counter[Any], expected: Counter[Any]) -> float:
    """How far counts are from what is expected, in standard deviations of chi-square."""
    total, weight = sum(counted.values()), sum(expected.values())
    shares = {key: total * each / weight for key, each in expected.items()}
    squares = sum((counted[key] - share) ** 2 / share for key, share in shares.items())
    free = len(expected) - 1
    # Wilson and Hilferty: the cube root of chi-square over its freedom is nearly normal.
    middle = 1 - 2 / (9 * free)
    return ((squares / free) ** (1 / 3) - middle) / (2 / (9 * free)) ** 0.5


def agrees_with_every_deal(batch: Batch, viewer: int, seed: int, ordered: bool = False) -> None:
    """All deals that agree are drawn and no other, each as often as any."""
    expected = Witness(batch, 0, viewer).all_worlds(ordered)
    worlds = belief.sample(batch, 0, viewer, 40 * len(expected), seed=seed)
    counted = Counter(key_of(worlds, lane) for lane in range(worlds.num_games))
    assert set(counted) == set(expected)
    if len(expected) > 1:
        assert excess(counted, expected) < 4.5


@pytest.mark.parametrize("variant", AT_A_TABLE)
def test_every_deal_that_agrees_is_as_likely(variant: str) -> None:
    versions = small_versions(variant)
    assert versions
    for place, (players, rules) in enumerate(versions):
        for calls in ("automatic", "explicit") if rules.has_calls else ("automatic",):
            batch = Batch(rules, 1, players, seed=place, calls=calls, autoreset=False)
            batch.reset()
            for _ in range(3):
                play_some(batch, 3)
                agrees_with_every_deal(batch, (place + len(events_of(batch, 0))) % players, place)


@pytest.mark.parametrize("lead", [False, "team"])
def test_a_free_lead_shows_nothing_of_higher_doubles(lead: Any) -> None:
    """A forced opening shows that nobody holds a better one; the winner's lead may be any tile."""
    rules = domino_env.rules(
        "jamaican_partner",
        lead=lead,
        set=LISTED,
        sets=(LISTED,),
        tiles=NUMBERS,
        hand_size=2,
    )
    hands = [["0|1", "2|2"], ["1|1", "0|2"], ["1|2", "0|0"], ["0|3", "1|3"]]
    batch = Batch(rules, 1, autoreset=False)
    for starter, viewer in ((0, 1), (0, 3), (2, 0)):
        batch.reset(options={"deal": {"hands": hands, "boneyard": [], "starter": starter}})
        if lead:
            assert batch.position().question == "lead"
            agrees_with_every_deal(batch, viewer, starter)
            batch.step([batch.legal[0, 1]])  # YIELD
        agrees_with_every_deal(batch, viewer, starter)
        batch.step([batch.legal[0, 0]])  # no double
        if not batch.done[0]:
            agrees_with_every_deal(batch, viewer, starter)


def drawn_by_lot(seed: int) -> tuple[int, Rules]:
    """Any rules, with few tiles."""
    lot, chance = Lot(seed), random.Random(seed)
    while True:
        game = lot.game()
        players = chance.choice(game["players"])
        faces = chance.sample(["0", "1", "2", "3"], 3)
        faces += chance.sample(["*", ">1", "+2", "+3", ">2"], chance.choice([0, 0, 1, 2]))
        pairs = list(combinations_with_replacement(faces, 2))
        chance.shuffle(pairs)
        listed = tuple("|".join(pair) for pair in pairs[: chance.randint(6, 8)])
        name = chance.choice([*MINI_SETS, LISTED, LISTED])
        game |= {"set": name, "sets": (name,), "tiles": listed if name == LISTED else ()}
        game |= {"players": (players,)}
        game["hand_size"] = "all" if game["rows"] else chance.choice([1, 2, 2, 3, 3, 4])
        try:
            rules = Rules(**game)
        except BadRules:
            continue
        if num_deals(rules, players) <= MOST_DEALS:
            return players, rules


@pytest.mark.parametrize("seed", range(0, 72, 12))
def test_whatever_the_rules(seed: int) -> None:
    """Draws that may have been by force or by choice, passes that may, tiles taken unseen ..."""
    for each in range(seed, seed + 12):
        players, rules = drawn_by_lot(each)
        chance = random.Random(each)
        calls = "explicit" if rules.has_calls and each % 2 else "automatic"
        batch = Batch(rules, 1, players, seed=each, calls=calls, autoreset=False)
        batch.reset()
        play_some(batch, chance.randint(0, 14))
        agrees_with_every_deal(batch, chance.randrange(players), each)


def test_openers_that_are_as_good() -> None:
    """Of two in one hand the one dealt first opens: so hands in some orders do not agree."""
    tiles = ("*|1", ">1|2", "+2|1", ">2|3", "+3|2", "+1|3", "*|2")
    rules = domino_env.rules("fundomino", tiles=tiles, hand_size=2, players=(2,))
    ranks = rules.tile_set.opening_ranks(lowest=False)
    assert len({*ranks}) < len(ranks)
    for seed in range(12):
        batch = Batch(rules, 1, 2, seed=seed, autoreset=False)
        batch.reset()
        for viewer in range(2):
            agrees_with_every_deal(batch, viewer, seed, ordered=True)


def games_in_full() -> list[tuple[str, str, int, str]]:
    found = []
    for variant in AT_A_TABLE:
        rules = domino_env.rules(variant)
        for name in {rules.set, *[name for name in rules.sets if name == "double_9"]}:
            seats = domino_env.rules(variant, set=name).players
            ways = ("automatic", "explicit") if rules.has_calls else ("automatic",)
            for players, calls in product({min(seats), max(seats)}, ways):
                found.append((variant, name, players, calls))
    return sorted(found)


@pytest.mark.parametrize(("variant", "name", "players", "calls"), games_in_full())
def test_a_world_replays_to_what_the_seat_has_seen(
    variant: str, name: str, players: int, calls: str
) -> None:
    rules = domino_env.rules(variant, set=name)
    batch = Batch(rules, 4, players, seed=8, calls=calls, autoreset=False)
    batch.reset()
    beliefs, looked = belief.Belief(batch, seed=3), 0
    worlds, again = beliefs.new_worlds(8), beliefs.new_worlds(8)
    while (batch.seat >= 0).any():
        live = np.flatnonzero(batch.seat >= 0)
        lane, viewer = int(live[0]), (looked + int(batch.seat[live[0]])) % players
        beliefs.fill(worlds, [lane], [viewer])
        looked += 1
        for world in range(0, 8, 7):
            assert replays(worlds, world, viewer, batch, lane)
        seen = batch.observe(lane, viewer)
        assert all(np.array_equal(worlds.observe(world, viewer), seen) for world in range(8))
        # A world suspects what the game itself does: nothing is known that was not seen.
        first = belief.Belief(batch, seed=looked)
        first.fill(worlds, [lane], [viewer])
        belief.Belief(worlds, seed=looked).fill(again, [5], [viewer])
        assert worlds.state().tobytes() == again.state().tobytes()
        assert all(events_of(worlds, w) == events_of(again, w) for w in range(8))
        for _ in range(7):
            if (batch.seat >= 0).any():
                batch.step(np.where(batch.seat >= 0, batch.sample(), -1))
    assert looked


def test_worlds_can_be_played_on_and_know_no_chance() -> None:
    batch = domino_env.batch("fundomino", 8, 3, seed=1, autoreset=False)
    batch.reset()
    worlds = belief.sample(batch, 2, 1, 300, seed=4)
    assert len({*worlds.games["rng"].tolist(), int(batch.games["rng"][2])}) == 301
    while (worlds.seat >= 0).any():
        worlds.step(np.where(worlds.seat >= 0, worlds.sample(), -1))
    assert len(np.unique(worlds.reward, axis=0)) > 1


def test_several_lanes_at_once_and_seeds() -> None:
    batch = domino_env.batch("block_draw", 6, 2, seed=1, autoreset=False)
    batch.reset()
    worlds = belief.Belief(batch, seed=2).new_worlds(12)
    belief.Belief(batch, seed=2).fill(worlds, [1, 4], [0, 1])
    for world in range(12):
        lane, viewer = (1, 0) if world < 6 else (4, 1)
        assert np.array_equal(worlds.observe(world, viewer), batch.observe(lane, viewer))
    one, same = (belief.sample(batch, 3, 0, 5, seed=7) for _ in range(2))
    other = belief.sample(batch, 3, 0, 5, seed=8)
    assert one.state().tobytes() == same.state().tobytes() != other.state().tobytes()


def test_what_cannot_be_believed() -> None:
    batch = domino_env.batch("bergen", 2, 2, seed=1, autoreset=False)
    with pytest.raises(NotReset, match="reset"):
        belief.sample(batch, 0, 0)
    batch.reset()
    beliefs = belief.Belief(batch)
    with pytest.raises(BadOption, match="lanes are 0 to 1"):
        belief.sample(batch, 2, 0)
    with pytest.raises(BadOption, match="from 0 to 1"):
        belief.sample(batch, 0, 2)
    with pytest.raises(BadOption, match="one for each"):
        beliefs.fill(beliefs.new_worlds(2), [0, 1], [0])
    with pytest.raises(BadOption, match="the same number of worlds"):
        beliefs.fill(beliefs.new_worlds(3), [0, 1], [0, 1])
    with pytest.raises(BadOption, match="cannot be kept"):
        beliefs.fill(domino_env.batch("block_draw", 2), [0, 1], [0, 1])
    with pytest.raises(BadOption, match="one player"):
        belief.Belief(domino_env.batch("solitaire", 1))
    with pytest.raises(BadOption, match="seed"):
        belief.Belief(batch, seed=-1)
    while batch.seat[0] >= 0:
        batch.step(np.where(batch.seat >= 0, batch.sample(), -1))
    with pytest.raises(GameOver, match="lane 0 is over"):
        belief.sample(batch, 0, 0)


def test_too_many_unseen_takes_are_said() -> None:
    """A record that is read must be one that can be: this one has a take after the other."""
    rules = replace(domino_env.rules("fundomino_caribbean"))
    batch = Batch(rules, 1, 4, seed=0, autoreset=False)
    batch.reset()
    log = batch._logs[0]
    for _ in range(13):
        log[batch.games["log_size"][0]] = packed(TOOK, 2, 0, 1, 0)
        batch._games["log_size"][0] += 1
    with pytest.raises(TooUncertain, match="went unseen"):
        belief.sample(batch, 0, 0)


def test_worlds_that_are_hardly_ever_drawn_are_given_up() -> None:
    """Late in a round of Mexican Train, with the boneyard drawn empty: any of a hand's draws may
    have been any of many tiles, and of a million ways that are drawn hardly one agrees. One world
    may be worth a second, a thousand are not worth an hour."""
    batch = Batch("mexican_train", 1, 4)
    batch.reset(seed=1269)
    for action in EMPTY_BONEYARD:
        batch.step([action])
    seat = int(batch.seat[0])
    assert belief.sample(batch, 0, seat, 1, seed=0).num_games == 1
    with pytest.raises(TooUncertain, match="hardly any deal agrees"):
        belief.sample(batch, 0, seat, 1000, seed=0)
