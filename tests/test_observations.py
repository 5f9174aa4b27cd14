"""Observations: they say what is public and what is the seat's own, all of it, and nothing else."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import domino_env
from domino_env.actions import Tile, tile_number
from domino_env.batches import Batch
from domino_env.engine.book import extras
from domino_env.errors import BadDeal
from domino_env.position import Position
from tests.differential import Setting, settings

VARIANTS = domino_env.variants()


def batch_of(setting: Setting, num_games: int, seed: int = 0, **options: Any) -> Batch:
    """A batch that plays by a setting, reset."""
    rules = domino_env.rules(setting.variant, set=setting.set)
    batch = domino_env.batch(
        rules,
        num_games,
        setting.players,
        seed=seed,
        episode=setting.episode,
        calls=setting.calls,
        **options,
    )
    batch.reset()
    return batch


def every_setting(variant: str) -> list[Setting]:
    """Every seat count, set, way of calling and episode."""
    return [*settings(variant), *settings(variant, "match")]


def random_states(setting: Setting, lanes: int, looks: int, seed: int) -> Iterator[Batch]:
    """A batch at random moments of its games."""
    chance = random.Random(seed)
    batch = batch_of(setting, lanes, seed)
    for _ in range(looks):
        for _ in range(chance.randrange(1, 12)):
            batch.step(batch.sample())
        yield batch


# Nothing else ------------------------------------------------------------------------------------


def bits_of(tiles: list[int]) -> list[int]:
    """A set of tiles as three 64-bit words."""
    bits = sum(1 << tile for tile in tiles)
    return [bits >> 64 * w & 2**64 - 1 for w in range(3)]


def hidden_places(batch: Batch, position: Position, seat: int) -> list[tuple[int, int]]:
    """Where the tiles lie that a seat has not seen: (another seat, place) or (-1, place)."""
    seen: set[Tile] = set()
    if batch.rules.rows:  # all that has ever been turned up, by anybody
        seen = {event.tile for event in position.events if event.tile is not None}
    places = [(-1, place) for place in range(len(position.boneyard))]
    for owner, hand in enumerate(position.hands):
        if owner != seat or batch.rules.rows:
            places += [(owner, place) for place, tile in enumerate(hand) if tile not in seen]
    return places


def rewrite(batch: Batch, lane: int, hands: list[list[Tile]], boneyard: list[Tile]) -> None:
    """Puts other tiles into the hands and the boneyard of a lane, as many as there were."""
    record, rules = batch._games[lane], batch.rules
    size = rules.hand_size_for(batch.num_players)
    for seat, hand in enumerate(hands):
        numbers = [tile_number(rules, tile) for tile in hand]
        record["hands"][seat] = bits_of(numbers)
        if rules.rows:
            head = int(record["row_head"][seat])
            for place, number in enumerate(numbers):
                record["deck"][seat * size + (head + place) % size] = number
    numbers = [tile_number(rules, tile) for tile in boneyard]
    record["deck"][rules.num_tiles - len(numbers) : rules.num_tiles] = numbers


def permute_hidden(batch: Batch, lane: int, seat: int, chance: random.Random) -> int:
    """Shuffles all that a seat has not seen; tells how many tiles now lie elsewhere."""
    position = batch.position(lane)
    places = hidden_places(batch, position, seat)
    piles = [list(hand) for hand in position.hands] + [list(position.boneyard)]
    tiles = [piles[owner][place] for owner, place in places]
    mixed = chance.sample(tiles, len(tiles))
    for (owner, place), tile in zip(places, mixed, strict=True):
        piles[owner][place] = tile
    rewrite(batch, lane, piles[:-1], piles[-1])
    return sum(old != new for old, new in zip(tiles, mixed, strict=True))


@pytest.mark.parametrize("variant", VARIANTS)
def test_hidden_tiles_permuted_leave_the_observation_alone(variant: str) -> None:
    chance = random.Random(variant)
    moved = noticed = 0
    for setting in every_setting(variant):
        for batch in random_states(setting, 4, looks=6, seed=chance.randrange(2**32)):
            for lane in range(batch.num_games):
                kept = batch._games[lane : lane + 1].copy()
                for seat in range(batch.num_players):
                    before = [batch.observe(lane, who) for who in range(batch.num_players)]
                    moved += permute_hidden(batch, lane, seat, chance)
                    after = [batch.observe(lane, who) for who in range(batch.num_players)]
                    assert after[seat].tobytes() == before[seat].tobytes(), (
                        f"{setting}: seat {seat} sees hidden tiles in "
                        f"{differing(batch, before[seat], after[seat])}"
                    )
                    noticed += sum(map(np.any, np.array(before) != np.array(after)))
                    batch._games[lane : lane + 1] = kept
    assert moved > 1000
    # The others do see it, in all games but that in which nobody sees more than anybody else.
    assert (noticed == 0) == domino_env.rules(variant).rows


def differing(batch: Batch, one: Any, two: Any) -> list[str]:
    """The names of the fields in which two observations differ."""
    at, names = 0, []
    for field in batch.fields:
        if not np.array_equal(one[at : at + field.size], two[at : at + field.size]):
            names.append(field.name)
        at += field.size
    return names


def public_history(position: Position, seat: int) -> list[Any]:
    """All that a seat knows has happened: the events without the tiles that others drew, and whose
    turn it is now."""
    return [
        (event.kind, event.seat, None) if event.kind == "draw" and event.seat != seat else event
        for event in position.events
    ] + [position.turn, position.to_move]


def swap_in_deal(deal: dict[str, Any], one: Tile, two: Tile) -> dict[str, Any]:
    """The deal with two tiles exchanged."""
    change = {one: two, two: one}
    hands = [[change.get(tile, tile) for tile in hand] for hand in deal["hands"]]
    return {
        **deal,
        "hands": hands,
        "boneyard": [change.get(tile, tile) for tile in deal["boneyard"]],
    }


def replay(setting: Setting, deal: Any, actions: list[int]) -> Batch | None:
    """Plays moves from a deal; None if they cannot be played."""
    batch = batch_of(setting, 1, autoreset=False)
    try:
        batch.reset(options={"deal": deal})
    except BadDeal:
        return None
    for action in actions:
        if batch.seat[0] < 0 or not batch.mask[0, action]:
            return None
        batch.step([action])
    return batch


def part_of_a_game(setting: Setting, chance: random.Random) -> tuple[Batch, list[int]]:
    """A round played for a while at random, and the moves that led there."""
    batch = batch_of(setting, 1, chance.randrange(2**32), autoreset=False)
    deal, actions = batch.position().deal, []
    for _ in range(chance.randrange(4, 40)):
        action = int(batch.sample()[0])
        ahead = batch.clone()
        ahead.step([action])
        if ahead.done[0]:
            break
        batch = ahead
        actions.append(action)
    game = replay(setting, deal, actions)
    assert game is not None
    return game, actions


def looks_the_same(
    setting: Setting, game: Batch, actions: list[int], chance: random.Random
) -> bool:
    """Exchanges two tiles that a seat has not seen in the deal, and plays the same moves: if the
    seat sees the same happen, it must observe the same."""
    told, seat = game.position(), chance.randrange(setting.players)
    piles = [*told.hands, told.boneyard]
    tiles = [piles[owner][place] for owner, place in hidden_places(game, told, seat)]
    if len(tiles) < 2:
        return False
    other = replay(setting, swap_in_deal(told.deal, *chance.sample(tiles, 2)), actions)
    if other is None or public_history(other.position(), seat) != public_history(told, seat):
        return False
    one, two = game.observe(0, seat), other.observe(0, seat)
    assert one.tobytes() == two.tobytes(), (
        f"{setting}: seat {seat} sees hidden tiles in {differing(game, one, two)}\n"
        f"{told}\n{other.position()}\n" + "\n".join(map(str, told.events))
    )
    return True


@pytest.mark.parametrize("variant", VARIANTS)
def test_games_that_look_the_same_to_a_seat_give_it_the_same_observation(variant: str) -> None:
    """Not only the tiles of the moment are hidden: so is what they did on the way here."""
    chance = random.Random(variant)
    compared = 0
    for setting in settings(variant):
        for _ in range(6):
            game, actions = part_of_a_game(setting, chance)
            compared += sum(looks_the_same(setting, game, actions, chance) for _ in range(20))
    assert compared > 50


# All of it ---------------------------------------------------------------------------------------


def named(batch: Batch, observation: npt.NDArray[np.float32]) -> dict[str, Any]:
    """An observation by the names of its fields."""
    at, found = 0, {}
    for field in batch.fields:
        found[field.name] = observation[at : at + field.size]
        at += field.size
    return found


def moves_seen(batch: Batch, seen: dict[str, Any]) -> list[int]:
    """The legal actions of the seat to move, worked out from its observation alone."""
    rules, tiles = batch.rules, batch.rules.tile_set.faces
    names = extras(rules, batch.calls)
    first_extra = batch.num_actions - len(names)
    if "claim" in seen and seen["claim"] > 0:
        return [first_extra + names.index("call"), first_extra + names.index("silent")]
    found = []
    places = sum(name.endswith(".offered") for name in seen)
    for end in range(places):
        if not seen[f"end[{end}].offered"]:
            continue
        asks = seen[f"end[{end}].asks"].nonzero()[0].tolist()
        for tile in seen["hand"].nonzero()[0].tolist():
            for half in (0,) if tiles[tile][0] == tiles[tile][1] or not asks else (0, 1):
                if not asks or fits(rules, tiles[tile], half, asks[0]):
                    found.append((tile * places + end) * 2 + half)
    table = any(seen[name].any() for name in seen if name.startswith("played"))
    if "draw" in names and seen["boneyard"] > 0 and table:
        found.append(first_extra + names.index("draw"))
    if seen.get("may_stop"):
        found.append(first_extra + names.index("end_turn"))
    return found


def fits(rules: domino_env.Rules, tile: tuple[int, int], half: int, value: int) -> bool:
    """Does this half of a tile join an end that asks for the value?"""
    if rules.match.by == "same":
        return tile[half] == value
    seven = rules.max_pip + 1
    return tile[half] + value == seven or sum(tile) in (0, seven)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_legal_moves_can_be_told_from_the_observation(variant: str) -> None:
    for number, setting in enumerate(every_setting(variant)):
        for batch in random_states(setting, 4, looks=15, seed=number):
            for lane in range(batch.num_games):
                moves = moves_seen(batch, named(batch, batch.observation[lane]))
                assert sorted(moves) == batch.mask[lane].nonzero()[0].tolist(), (
                    f"{setting}\n{batch.position(lane)}"
                )


@pytest.mark.parametrize("variant", VARIANTS)
def test_equal_observations_have_equal_masks(variant: str) -> None:
    """Many games of a few deals: the same observation comes up again and again, as the moves are
    the same or come to the same."""
    met_again = 0
    for setting in every_setting(variant):
        batch, masks = batch_of(setting, 128, autoreset=False), defaultdict(set)
        deals = [batch.position(lane).deal for lane in range(4)]
        batch.reset(options={"deals": deals * 32})
        for _ in range(40):
            live = (batch.seat >= 0).nonzero()[0].tolist()
            if not live:
                break
            for lane in live:
                masks[batch.observation[lane].tobytes()].add(batch.mask[lane].tobytes())
            met_again += len(live)
            batch.step(batch.sample())
        met_again -= len(masks)
        assert {len(found) for found in masks.values()} == {1}, setting
    assert met_again > 1000


# Field by field ----------------------------------------------------------------------------------


def whole_set(batch: Batch, tiles: list[Tile]) -> list[float]:
    """A set of tiles as zeros and ones."""
    return [float(Tile(*tile) in tiles) for tile in batch.rules.tile_set.faces]


def one_hot(place: int | None, size: int) -> list[float]:
    """A number as zeros and one 1; None: all zeros."""
    return [float(index == place) for index in range(size)]


def latest_turn(position: Position, seat: int) -> list[str]:
    """What a seat did in its latest turn: the kinds of its events."""
    events = [event for event in position.events if event.kind not in ("call", "silent")]
    if seat == position.turn and events and events[-1].seat != seat:
        return []  # the turn has begun, and nothing has happened in it
    while events and events[-1].seat != seat:
        events.pop()
    kinds = []
    while events and events[-1].seat == seat:
        kinds.append(events.pop().kind)
    return kinds


def expected_table(batch: Batch, position: Position, seat: int) -> dict[str, Any]:
    """What a position says of tiles, ends and boneyard."""
    rules, last = batch.rules, position.events[-1] if position.events else None
    own = position.hands[seat]
    if rules.rows:
        own = (
            [last.tile] if last and last.kind == "flip" and last.tile and not position.over else []
        )
    expected: dict[str, Any] = {
        "hand": whole_set(batch, own),
        "round": [(position.round - 1) / (rules.rounds or 10)],
        "boneyard": [
            0 if rules.rows else (len(position.boneyard) - rules.draw.reserve) / rules.num_tiles
        ],
    }
    if rules.opening.tile == "from_boneyard":
        nobody = [tile for tile, owner in position.played if owner is None]
        expected["played[nobody]"] = whole_set(batch, nobody)
    for number in range(sum(field.name.endswith(".offered") for field in batch.fields)):
        end = position.ends[number] if number < len(position.ends) else None
        name = f"end[{number}]"
        expected[f"{name}.asks"] = one_hot(end.value if end else None, rules.max_pip + 1)
        expected[f"{name}.offered"] = [float(end is not None and end.offered)]
        if rules.scoring.plays != "nothing":
            expected[f"{name}.counts"] = [end.counts / (2 * rules.max_pip) if end else 0]
    return expected


def expected_seat(batch: Batch, position: Position, seat: int, name: str) -> dict[str, Any]:
    """What a position says of one seat, but for what it has shown to lack."""
    rules, did = batch.rules, latest_turn(position, seat)
    expected = {
        f"played[{name}]": whole_set(
            batch, [tile for tile, owner in position.played if owner == seat]
        ),
        f"{name}.tiles": [len(position.hands[seat]) / rules.num_tiles],
        f"{name}.score": [position.scores[seat] / (rules.target or 100)],
        f"{name}.drew": [did.count("draw") / rules.num_tiles],
        f"{name}.passed": [float("pass" in did)],
    }
    if rules.rows:
        known = {event.tile for event in position.events if event.kind == "back"}
        row, size = position.hands[seat], rules.hand_size_for(batch.num_players)
        expected[f"row[{name}]"] = [
            (row.index(Tile(*tile)) + 1) / size if tile in known and tile in row else 0
            for tile in rules.tile_set.faces
        ]
    return expected


def expected_stage(batch: Batch, position: Position, seat: int) -> dict[str, Any]:
    """What a position says of the decision."""
    expected: dict[str, Any] = {}
    kinds = {move.kind for move in position.legal}
    if "may_stop" in (field.name for field in batch.fields):
        expected["may_stop"] = [float("end_turn" in kinds)]
    if batch.calls == "explicit":
        expected["claim"] = [position.claim / (batch.rules.target or 100)]
        relative = (position.turn - seat) % batch.num_players
        expected["turn"] = one_hot(relative, batch.num_players)
    return expected


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_field_says_what_the_position_says(variant: str) -> None:
    for number, setting in enumerate(every_setting(variant)):
        for batch in random_states(setting, 2, looks=12, seed=number):
            for lane in range(batch.num_games):
                position = batch.position(lane)
                for seat in range(batch.num_players):
                    check_fields(batch, lane, position, seat)


def check_fields(batch: Batch, lane: int, position: Position, seat: int) -> None:
    """Compares every field of one seat's observation with the position."""
    seen = named(batch, batch.observe(lane, seat))
    expected = expected_table(batch, position, seat) | expected_stage(batch, position, seat)
    for step in range(batch.num_players):
        who, name = (seat + step) % batch.num_players, f"seat+{step}" if step else "own"
        expected |= expected_seat(batch, position, who, name)
        check_lacks(batch, position, who, seen, name)
        expected[f"{name}.lacks"] = seen[f"{name}.lacks"]
        expected[f"{name}.drawn_since"] = seen[f"{name}.drawn_since"]
    assert {*seen} == {*expected}
    wrong = [
        f"{name}: {seen[name]}, not {numbers}"
        for name, numbers in expected.items()
        if np.abs(seen[name] - np.array(numbers)).max() > 1e-6
    ]
    assert not wrong, f"seat {seat} sees {wrong}\n{position}"


def check_lacks(
    batch: Batch, position: Position, seat: int, seen: dict[str, Any], name: str
) -> None:
    """What a seat has shown to lack is true but for tiles that it has drawn since, and for the tile
    that it has drawn because it lacks those, and must play now; and a seat that has just passed
    lacks whatever is asked for."""
    lacks = {*seen[f"{name}.lacks"].nonzero()[0].tolist()}
    since = round(float(seen[f"{name}.drawn_since"][0]) * batch.rules.num_tiles)
    surprises = [
        tile
        for tile in position.hands[seat]
        if any(fits(batch.rules, tile, half, value) for half in (0, 1) for value in lacks)
    ]
    assert 0 <= since <= batch.rules.num_tiles
    drawing = seat == position.turn and latest_turn(position, seat)[:1] == ["draw"]
    assert len(surprises) <= since + drawing, f"seat {seat} lacks {lacks}\n{position}"
    quiet = [event for event in position.events if event.kind in ("play", "pass")]
    if quiet and quiet[-1].kind == "pass" and quiet[-1].seat == seat and not batch.rules.rows:
        assert {end.value for end in position.ends if end.offered} <= lacks


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_fields_describe_the_whole_observation(variant: str) -> None:
    for setting in every_setting(variant):
        batch = batch_of(setting, 1)
        names = [field.name for field in batch.fields]
        assert sum(field.size for field in batch.fields) == batch.num_features
        assert batch.observation.shape == (1, batch.num_features)
        assert len({*names}) == len(names)
        assert all(field.size > 0 and field.meaning for field in batch.fields)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_mover_observes_what_the_batch_shows(variant: str) -> None:
    for number, setting in enumerate(every_setting(variant)):
        for batch in random_states(setting, 4, looks=10, seed=number):
            for lane, seat in enumerate(batch.seat.tolist()):
                assert batch.observe(lane, seat).tobytes() == batch.observation[lane].tobytes()
