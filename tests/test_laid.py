"""What the engine says that each tile has opened is what lies on the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

import domino_env
from domino_env.laid import Laid
from domino_env.position import Position
from domino_env.ruleset import Layout
from tests.games import AT_A_TABLE

HOUSE = [
    replace(domino_env.rules("block_draw"), layout=Layout(arms=arms, doubles=doubles))
    for arms in ("one", "two", "four")
    for doubles in ("through", "spinner", "fork")
]
EVERY_TABLE = [*map(domino_env.rules, AT_A_TABLE), *HOUSE]
named = [f"{r.id}-{r.layout.arms}-{r.layout.doubles}" for r in EVERY_TABLE]
every_table = pytest.mark.parametrize("rules", EVERY_TABLE, ids=named)


def positions(rules: domino_env.Rules, games: int = 6) -> Iterator[Position]:
    batch = domino_env.batch(rules, games, seed=4, autoreset=False)
    batch.reset()
    while (batch.seat >= 0).any():
        yield from (batch.position(lane) for lane in range(games))
        batch.step(batch.sample())
    yield from (batch.position(lane) for lane in range(games))


def joined(position: Position) -> list[tuple[domino_env.Tile, Laid, domino_env.Tile | None]]:
    """Each tile with what it did, and the tile that it was laid against."""
    found = []
    on: dict[int, domino_env.Tile] = {}
    for number, ((tile, _), laid) in enumerate(zip(position.played, position.laid, strict=True)):
        host = None if number < position.rules.opening.tiles else on[laid.end]
        found.append((tile, laid, host))
        on |= {opened.end: tile for opened in laid.shows}
        if host is not None:
            on |= {opened.end: host for opened in laid.uncovers}
    return found


@every_table
def test_the_ends_that_tiles_opened_are_the_ends_of_the_table(rules: domino_env.Rules) -> None:
    for position in positions(rules):
        on: dict[int, domino_env.Tile] = {}
        for tile, laid, host in joined(position):
            on |= {opened.end: tile for opened in laid.shows}
            if host is not None:
                on |= {opened.end: host for opened in laid.uncovers}
        if position.played:
            assert {end.number: end.tile for end in position.ends}.items() <= on.items()
            if rules.layout.tiles == "straight":  # only curved ends meet, and are gone
                assert len(on) == len(position.ends)


@every_table
def test_a_tile_shows_the_ends_that_its_layout_gives_it(rules: domino_env.Rules) -> None:
    arms = {"one": 1, "two": 2, "four": 4, "six": 6}
    for position in positions(rules, games=3):
        sides = arms.get(rules.layout.arms, 1 + len(position.scores))  # or a train for each
        for number, (tile, laid, _) in enumerate(joined(position)):
            kinds = {opened.kind for opened in laid.shows}
            if number < rules.opening.tiles:
                assert len(laid.shows) == sides
                continue
            if rules.layout.tiles == "curved":
                assert kinds <= {"half"}, "a meeting leaves none (B5)"
            elif not tile.is_double:
                assert [opened.end for opened in laid.shows] == [laid.end]
                assert kinds == {"half"}
            elif rules.layout.doubles in ("fork", "foot"):  # FR2, CF3
                assert laid.shows[0].end == laid.end
                several = 2 if rules.layout.doubles == "fork" else 3
                assert [opened.kind for opened in laid.shows] == ["side"] * several
            else:
                assert [opened.end for opened in laid.shows] == [laid.end]
                assert kinds == {"double"}


@every_table
def test_sides_are_opened_by_whoever_covers_an_end_that_promised_them(
    rules: domino_env.Rules,
) -> None:
    """FU1, AS2: twice for no double, and of no other layout. A lone first spinner takes two."""
    both_sides = rules.layout.doubles == "first_spinner"
    uncovered = 0
    for position in positions(rules):
        promised: dict[int, bool] = {}
        opened_already = set()
        first_side = both_sides and bool(position.laid) and position.laid[0].double
        for _, laid, host in joined(position):
            promise = promised.get(laid.end, False) and host not in opened_already
            if first_side and host == position.played[0][0]:
                promise, first_side = False, False
            assert [opened.kind for opened in laid.uncovers] == ["side", "side"] * promise
            if laid.uncovers:
                opened_already.add(host)
                uncovered += 1
            promised |= {opened.end: opened.opens_sides for opened in laid.shows}
            promised |= {opened.end: opened.opens_sides for opened in laid.uncovers}
    assert (uncovered > 0) == (rules.layout.doubles in ("spinner", "first_spinner"))


@every_table
def test_tiles_are_laid_as_the_events_say(rules: domino_env.Rules) -> None:
    for position in positions(rules, games=2):
        plays = [event for event in position.events if event.kind in ("play", "start")]
        assert len(plays) == len(position.laid)
        for event, laid in zip(plays, position.laid, strict=True):
            assert (event.end or 0, event.half or 0) == (laid.end, laid.half)
            assert event.tile is not None
            assert event.tile.is_double == laid.double
        curved = rules.layout.tiles == "curved"
        assert all((laid.arc is not None) == curved for laid in position.laid)
        ends = {end.number for end in position.ends} if position.played and curved else set()
        assert {*position.mouths} == ends
