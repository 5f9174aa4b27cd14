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
from domino_env.engine.game_setup import extras
from domino_env.errors import BadDeal
from domino_env.position import Event, Position
from tests.differential import Setting, settings
from tests.games import AT_A_TABLE
from tests.witness import ANSWERS, Course, Curve, Face, across, far_edge, joins, matches

VARIANTS = AT_A_TABLE


def batch_of(setting: Setting, num_games: int, seed: int = 0, **options: Any) -> Batch:
    """A batch that plays by a setting, reset."""
    rules = domino_env.rules(setting.variant, set=setting.set, **dict(setting.changes))
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
    """Every seat count, set, way of calling, choice of twists and episode."""
    return [*settings(variant), *settings(variant, "match")]


def random_states(
    setting: Setting, lanes: int, looks: int, seed: int, **options: Any
) -> Iterator[Batch]:
    """A batch at random moments of its games."""
    chance = random.Random(seed)
    batch = batch_of(setting, lanes, seed, **options)
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
    seen = {event.tile for event in position.events if event.giver == seat}  # its own, taken away
    if batch.rules.rows:  # all that has ever been turned up, by anybody
        seen = {event.tile for event in position.events}
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
        record["hands"][seat] = bits_of(numbers)[: record["hands"].shape[1]]
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


@pytest.mark.slow
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


def is_witness(event: Event, seat: int) -> bool:
    """Has a seat seen the tile of an event? One drawn is seen by who draws it, one taken out of a
    hand by both."""
    if event.kind not in ("draw", "take"):
        return True
    return seat == event.seat or (event.giver is not None and seat == event.giver)


def public_history(position: Position, seat: int) -> list[Any]:
    """All that a seat knows has happened: the events, some without their tiles, and whose turn it
    is now."""
    return [
        event if is_witness(event, seat) else (event.kind, event.seat, event.giver)
        for event in position.events
    ] + [position.turn, position.to_move, position.question]


def swap_in_deal(deal: dict[str, Any], one: Tile, two: Tile) -> dict[str, Any]:
    """The deal with two tiles exchanged."""
    change = {one: two, two: one}
    hands = [[change.get(tile, tile) for tile in hand] for hand in deal["hands"]]
    return {
        **deal,
        "hands": hands,
        "boneyard": [change.get(tile, tile) for tile in deal["boneyard"]],
    }


def replay(setting: Setting, deal: Any, chances: int, actions: list[int]) -> Batch | None:
    """Plays moves from a deal, with a state of the game's own generator (it picks the tiles that
    are taken out of hands, G16); None if they cannot be played."""
    batch = batch_of(setting, 1, autoreset=False)
    try:
        batch.reset(options={"deal": deal})
    except BadDeal:
        return None
    batch._games["rng"] = chances
    for action in actions:
        if batch.seat[0] < 0 or not batch.mask[0, action]:
            return None
        batch.step([action])
    return batch


def part_of_a_game(setting: Setting, chance: random.Random) -> tuple[Batch, int, list[int]]:
    """A round played at random for a while, how its generator stood at first, and the moves."""
    batch = batch_of(setting, 1, chance.randrange(2**32), autoreset=False)
    deal, actions = batch.position().deal, []
    chances = int(batch.games["rng"][0])
    for _ in range(chance.randrange(4, 40)):
        action = int(batch.sample()[0])
        ahead = batch.clone()
        ahead.step([action])
        if ahead.done[0]:
            break
        batch = ahead
        actions.append(action)
    game = replay(setting, deal, chances, actions)
    assert game is not None
    return game, chances, actions


def looks_the_same(
    setting: Setting, game: Batch, chances: int, actions: list[int], chance: random.Random
) -> bool:
    """Exchanges two tiles that a seat has not seen in the deal, and plays the same moves: if the
    seat sees the same happen, it must observe the same."""
    told, seat = game.position(), chance.randrange(setting.players)
    piles = [*told.hands, told.boneyard]
    tiles = [piles[owner][place] for owner, place in hidden_places(game, told, seat)]
    if len(tiles) < 2:
        return False
    deal = swap_in_deal(told.deal, *chance.sample(tiles, 2))
    other = replay(setting, deal, chances, actions)
    if other is None or public_history(other.position(), seat) != public_history(told, seat):
        return False
    one, two = game.observe(0, seat), other.observe(0, seat)
    assert one.tobytes() == two.tobytes(), (
        f"{setting}: seat {seat} sees hidden tiles in {differing(game, one, two)}\n"
        f"{told}\n{other.position()}\n" + "\n".join(map(str, told.events))
    )
    return True


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_games_that_look_the_same_to_a_seat_give_it_the_same_observation(variant: str) -> None:
    """Not only the tiles of the moment are hidden: so is what they did on the way here."""
    chance, found = random.Random(variant), settings(variant)
    compared = 0
    for setting in found:
        for _ in range(6 if len(found) <= 24 else 3):
            part = part_of_a_game(setting, chance)
            compared += sum(looks_the_same(setting, *part, chance) for _ in range(20))
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
    names, first_extra = extras(batch.rules, batch.calls), batch.num_actions
    first_extra -= len(names)
    for field, words in QUESTIONS.items():
        if field in seen and seen[field] > 0:
            return [first_extra + names.index(word) for word in words]
    found = plays_seen(batch, seen)
    for name, may in (
        ("draw", may_draw_seen(batch, seen)),
        ("pass", bool(seen.get("may_pass", 0))),
        ("end_turn", bool(seen.get("may_stop", 0))),
    ):
        if may:
            found.append(first_extra + names.index(name))
    return found


QUESTIONS = {
    "claim": ANSWERS["points"],
    **{f"asks[{words[0]}]": words for question, words in ANSWERS.items() if question != "points"},
}
"""The fields that tell that something is asked, and what may be answered."""


def may_draw_seen(batch: Batch, seen: dict[str, Any]) -> bool:
    """May the mover draw, as far as its observation tells?"""
    draw, table = batch.rules.draw, any(seen[name].any() for name in seen if "played" in name)
    if not draw.voluntary or not table or not seen["boneyard"] > 0:
        return False
    return draw.voluntary_then == "play" or not seen["own.drew"]


def plays_seen(batch: Batch, seen: dict[str, Any]) -> list[int]:
    """The plays among the legal actions."""
    faces, values = batch.rules.tile_set.faces, batch.rules.tile_set.values
    ends = sum(name.endswith(".asks") for name in seen)
    found = []
    for end in range(ends):
        asks = seen[f"end[{end}].asks"].nonzero()[0].tolist()
        for tile in seen["hand"].nonzero()[0].tolist():
            for half in (0, 1):
                shown = values[asks[0]].asks if asks else None
                lies = lies_so(batch, seen, end, half, Tile(*faces[tile]))
                if lies and joins(batch, Tile(*faces[tile]), half, shown):
                    found.append((tile * ends + end) * 2 + half)
    return found


def lies_so(batch: Batch, seen: dict[str, Any], end: int, half: int, tile: Tile) -> bool:
    """Can a tile lie at an end, joined by this half, whatever that shows?"""
    if batch.rules.layout.tiles == "straight":
        return bool(seen[f"end[{end}].offered"]) and not (tile.is_double and half)
    turn = f"end[{end}].{('right', 'left')[half]}"
    met = seen[f"{turn}_meets"].nonzero()[0].tolist()
    if not seen[turn] or not met:
        return bool(seen[turn])
    value = batch.rules.tile_set.values[met[0]]
    return batch.rules.layout.meeting == "allowed" and matches(tile[1 - half], value.face)


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_legal_moves_can_be_told_from_the_observation(variant: str) -> None:
    for number, setting in enumerate(every_setting(variant)):
        for batch in random_states(setting, 4, looks=15, seed=number):
            for lane in range(batch.num_games):
                moves = moves_seen(batch, named(batch, batch.observation[lane]))
                assert sorted(moves) == batch.mask[lane].nonzero()[0].tolist(), (
                    f"{setting}\n{batch.position(lane)}"
                )


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_equal_observations_have_equal_masks(variant: str) -> None:
    """Many games of a few deals: the same observation comes up again and again, as the moves are
    the same or come to the same. It takes more of them where there are few ways to play."""
    met_again, found = 0, every_setting(variant)
    lanes = max(128, 1024 // len(found) // 4 * 4)
    for setting in found:
        batch, masks = batch_of(setting, lanes, autoreset=False), defaultdict(set)
        deals = [batch.position(lane).deal for lane in range(4)]
        batch.reset(options={"deals": deals * (lanes // 4)})
        for _ in range(40):
            live = (batch.seat >= 0).nonzero()[0].tolist()
            if not live:
                break
            for lane in live:
                masks[batch.observation[lane].tobytes()].add(batch.mask[lane].tobytes())
            met_again += len(live)
            batch.step(batch.sample())
        met_again -= len(masks)
        assert {*map(len, masks.values())} == {1}, setting
    assert met_again > 1000


# Field by field ----------------------------------------------------------------------------------


def whole_set(batch: Batch, tiles: list[Tile]) -> list[float]:
    """A set of tiles as zeros and ones."""
    return [float(Tile(*tile) in tiles) for tile in batch.rules.tile_set.faces]


def one_hot(place: int | None, size: int) -> list[float]:
    """A number as zeros and one 1; None: all zeros."""
    return [float(index == place) for index in range(size)]


def expected_table(batch: Batch, position: Position, seat: int) -> dict[str, Any]:
    """What a position says of tiles and boneyard."""
    rules, last = batch.rules, position.events[-1] if position.events else None
    own = position.hands[seat]
    if rules.rows:
        own = (
            [last.tile] if last and last.kind == "flip" and last.tile and not position.over else []
        )
    drawable = rules.draws and not rules.rows
    expected: dict[str, Any] = {
        "hand": whole_set(batch, own),
        "round": [(position.round - 1) / (rules.most_rounds or 10)],
        "boneyard": [drawable * (len(position.boneyard) - rules.draw.reserve) / rules.num_tiles],
    }
    if rules.opening.tile in ("from_boneyard", "two_from_boneyard", "middle"):
        nobody = [tile for tile, owner in position.played if owner is None]
        expected["played[nobody]"] = whole_set(batch, nobody)
    return expected


def expected_ends(batch: Batch, position: Position, curve: Curve, seat: int) -> dict[str, Any]:
    """What a position says of the ends."""
    rules, expected = batch.rules, {}
    ends = {end.number: end for end in position.ends}
    most = 2 * max(value.pips for value in rules.tile_set.values)
    for number in range(sum(field.name.endswith(".asks") for field in batch.fields)):
        end, name = ends.get(number), f"end[{number}]"
        shows = None if end is None else curve.shows.get(number, end.value)
        expected[f"{name}.asks"] = one_face(batch, shows)
        if rules.layout.tiles == "curved":
            expected |= expected_turns(batch, curve, number)
        else:
            expected[f"{name}.offered"] = [float(end is not None and end.offered)]
        if rules.layout.arms == "own":
            owner = None if number == 0 else (number - 1 - seat) % batch.num_players
            expected[f"{name}.owner"] = one_hot(owner, batch.num_players)
        if rules.scores_in_play:
            expected[f"{name}.counts"] = [end.counts / most if end else 0]
    return expected


def one_face(batch: Batch, face: Face | None) -> list[float]:
    """What a half shows as zeros and one 1; None: all zeros."""
    return [float(value.face == face) for value in batch.rules.tile_set.values]


def expected_turns(batch: Batch, curve: Curve, end: int) -> dict[str, Any]:
    """What can be seen at the end of a curved line; nothing where it has met another."""
    found: dict[str, Any] = {f"end[{end}].around": [0.0] * 42}
    for half, turn in enumerate(("right", "left")):
        fits = end in curve.waits and curve.fits(end, half)
        met = curve.meets(end, half) if fits else None
        meets = one_face(batch, None if met is None else curve.shows[met])
        if batch.rules.layout.meeting == "forbidden":
            meets = [float(met is not None)]
        found |= {f"end[{end}].{turn}": [float(fits)], f"end[{end}].{turn}_meets": meets}
    if end in curve.waits:
        found[f"end[{end}].around"] = around(curve, end)
    return found


def around(curve: Curve, end: int) -> list[float]:
    """The corners of the cells that two more tiles could reach, here first, then after a right
    turn, after a left one, after two right ones ...; each clockwise from the edge one comes in by.
    """
    here = curve.waits[end]
    cells, beyond = [here], [here]
    for _ in range(2):
        beyond = [across(far_edge(wait, half)) for wait in beyond for half in (0, 1)]
        cells += beyond
    return [
        float((q, r, (edge + step) % 6) in curve.taken) for q, r, edge in cells for step in range(6)
    ]


def expected_seat(
    batch: Batch, position: Position, course: Course, seat: int, name: str
) -> dict[str, Any]:
    """What a position says of one seat, but for what it has shown to lack."""
    rules = batch.rules
    drawn = course.in_turn(seat, "draw", "take")
    expected = {
        f"played[{name}]": whole_set(
            batch, [tile for tile, owner in position.played if owner == seat]
        ),
        f"{name}.tiles": [len(position.hands[seat]) / rules.num_tiles],
        f"{name}.score": [position.scores[seat] / (rules.target or 100)],
        f"{name}.drew": [len(drawn) / rules.num_tiles],
        f"{name}.passed": [float(bool(course.in_turn(seat, "pass")))],
    }
    if rules.layout.arms == "own":
        expected[f"{name}.marker"] = [float(seat in course.markers)]
    if rules.turn.until == "one_left":
        place = course.out.index(seat) + 1 if seat in course.out else 0
        expected[f"{name}.place"] = [place / batch.num_players]
    if rules.rows:
        known = {event.tile for event in position.events if event.kind == "back"}
        row, size = position.hands[seat], rules.hand_size_for(batch.num_players)
        expected[f"row[{name}]"] = [
            (row.index(Tile(*tile)) + 1) / size if tile in known and tile in row else 0
            for tile in rules.tile_set.faces
        ]
    return expected


def expected_stage(
    batch: Batch, position: Position, course: Course, seat: int
) -> dict[str, list[float]]:
    """What a position says of the decision, and of the course of the round."""
    kinds = {move.kind for move in position.legal}
    asked, layout = position.question, batch.rules.layout
    told: dict[str, Any] = {
        "may_stop": [float("end_turn" in kinds)],
        "may_pass": [float("pass" in kinds and seat == position.to_move)],
        "claim": [position.claim / (batch.rules.target or 100)],
        "turn": one_hot((position.turn - seat) % batch.num_players, batch.num_players),
        "direction": [course.reversals % 2],
        "stakes": [position.stakes - 1],
        "due": [course.due_left / max(1, layout.opening_first, layout.doubles_first)],
        "draws": [asked is not None and course.symbol == "+"],
        "plays_again": [asked is not None and course.symbol == ">"],
        "asks[call]": [asked == "domino"],
    }
    told |= {
        f"asks[{words[0]}]": [asked == question]
        for question, words in ANSWERS.items()
        if words[0] != "call"
    }
    names = {field.name for field in batch.fields}
    return {name: numbers for name, numbers in told.items() if name in names}


@pytest.mark.slow
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
    seen, course = named(batch, batch.observe(lane, seat)), Course(batch, position)
    expected = {
        **expected_table(batch, position, seat),
        **expected_ends(batch, position, course.curve, seat),
        **expected_stage(batch, position, course, seat),
        **expected_round_facts(batch, lane, position, seat),
    }
    for step in range(batch.num_players):
        who, name = (seat + step) % batch.num_players, f"seat+{step}" if step else "own"
        expected |= expected_seat(batch, position, course, who, name)
        check_lacks(batch, position, course, who, seen, name)
        expected[f"{name}.lacks"] = seen[f"{name}.lacks"]
        expected[f"{name}.drawn_since"] = seen[f"{name}.drawn_since"]
    assert {*seen} == {*expected}
    wrong = [
        f"{name}: {seen[name]}, not {numbers}"
        for name, numbers in expected.items()
        if np.abs(seen[name] - np.array(numbers, float)).max() > 1e-6
    ]
    assert not wrong, f"seat {seat} sees {wrong}\n{position}"


def expected_round_facts(batch: Batch, lane: int, position: Position, seat: int) -> dict[str, Any]:
    """The spinner, who led, who laid the last tile, and what the round is worth more."""
    rules, found = batch.rules, dict[str, Any]()
    names = {field.name for field in batch.fields}
    players = [event.seat for event in position.events if event.kind == "play"]
    if rules.layout.doubles == "first_spinner":
        spinners = [tile for tile, _ in position.played if tile.is_double][:1]
        ends = [end for end in position.ends[:2] if end.tile in spinners]
        if len(position.played) < 2:
            ends = []  # it opens nothing before it has a neighbour
        found["spinner"] = one_hot(
            next((int(tile[0]) for tile in spinners), None), len(rules.tile_set.values)
        )
        found["spinner_end"] = one_hot(next((end.number for end in ends), None), 2)
    if "started" in names:
        turns = ("play", "draw", "pass")  # who leads may not be able to play
        leaders = [event.seat for event in position.events if event.kind in turns]
        leader = leaders[0] if leaders else position.turn
        found["started"] = one_hot(((leader or 0) - seat) % batch.num_players, batch.num_players)
    if "laid_last" in names:
        last = [(who - seat) % batch.num_players for who in players[-1:] if who is not None]
        found["laid_last"] = one_hot(next(iter(last), None), batch.num_players)
    if "bonus" in names:
        won, more = int(batch.games["rounds_won"][lane]), rules.bonuses.by_round
        found["bonus"] = [(more[won] if won < len(more) else 0) / (rules.target or 100)]
    return found


Half = tuple[Face, int | None]
"""What an end asks for, and which half must join it; None: either, of straight tiles."""


def lacked(batch: Batch, numbers: Any) -> set[Half]:
    """What a seat has shown to lack."""
    values, places = batch.rules.tile_set.values, numbers.nonzero()[0].tolist()
    if batch.rules.layout.tiles == "straight":
        return {(values[place].asks, None) for place in places}
    return {(values[place // 2].asks, place % 2) for place in places}


def asked_for(batch: Batch, position: Position, curve: Curve) -> set[Half]:
    """What could be joined now, but for two ends at once."""
    offered = [end for end in position.ends if end.offered and end.value is not None]
    if batch.rules.layout.tiles == "straight":
        return {(end.value, None) for end in offered if end.value is not None}
    return {
        (end.value, half)
        for end in offered
        for half in (0, 1)
        if end.value is not None
        if curve.fits(end.number, half) and curve.meets(end.number, half) is None
    }


def check_lacks(
    batch: Batch, position: Position, course: Course, seat: int, seen: dict[str, Any], name: str
) -> None:
    """What a seat has shown to lack is true but for tiles that it has drawn since, and for the tile
    that it has drawn because it lacks those, and must play now; and a seat that has just passed
    lacks whatever is asked for."""
    lacks = lacked(batch, seen[f"{name}.lacks"])
    since = round(float(seen[f"{name}.drawn_since"][0]) * batch.rules.num_tiles)
    surprises = [tile for tile in position.hands[seat] if any_joins(batch, tile, lacks)]
    assert 0 <= since <= batch.rules.num_tiles
    did = course.did[seat]
    drawing = seat == position.turn and bool(did) and did[-1].kind == "draw"
    assert len(surprises) <= since + drawing, f"seat {seat} lacks {lacks}\n{position}"
    quiet = [event for event in position.events if event.kind in ("play", "pass")]
    if quiet and quiet[-1].kind == "pass" and quiet[-1].seat == seat and not batch.rules.rows:
        asked = asked_for(batch, position, course.curve)
        if batch.rules.layout.arms == "own" and course.due is None:
            open_to = {0, seat + 1, *(marked + 1 for marked in course.markers)}
            asked = {(position.ends[end].value, None) for end in open_to}  # type: ignore[misc]
        assert asked <= lacks


def any_joins(batch: Batch, tile: Tile, lacks: set[Half]) -> bool:
    """Could a tile join where its holder has shown to have nothing?"""
    return any(
        joins(batch, tile, half, value)
        for value, only in lacks
        for half in ((0, 1) if only is None else (only,))
    )


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
