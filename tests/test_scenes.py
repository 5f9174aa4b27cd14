"""Scenes: everything lies where it belongs, and what is hidden from the viewer is not in them.

python -m tests.test_scenes --positions 5000 --jobs 2     # of every game, beyond the ordinary run
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import chain, combinations, cycle, islice
from math import cos, dist, hypot, radians, sin

import pytest

import domino_env
from domino_env.errors import BadOption
from domino_env.laid import Laid, Opened
from domino_env.position import Position
from domino_env.render import straight_layout
from domino_env.render.compose import compose, room_of
from domino_env.render.fold import fold_of
from domino_env.render.scene import INNER, MIDDLE, OUTER, SPREAD, Box, Label, Piece, Scene, box_of
from domino_env.render.straight_layout import StraightLayout, lay_straight
from domino_env.render.straight_room import LayoutOptions
from domino_env.render.table_layout import fold_for, table_of
from tests.games import AT_A_TABLE

EVERY_GAME = domino_env.variants()
STRAIGHT = [name for name in AT_A_TABLE if domino_env.rules(name).layout.tiles == "straight"]
CURVED = [name for name in AT_A_TABLE if name not in STRAIGHT]
NEARLY = 1e-6
ASPECTS = (1.5, 0.6, 2.5, 1.0)  # a picture, a phone, a wide window, a square
EDGES = 2.8  # halves round the table, both sides together


def positions(
    game: object, players: int | None = None, games: int = 1, seed: int = 0
) -> Iterator[Position]:
    """Every position of some games that are played at random."""
    batch = domino_env.batch(game, games, num_players=players, seed=seed, autoreset=False)
    batch.reset()
    while (batch.seat >= 0).any():
        for lane in range(games):
            if batch.seat[lane] >= 0:
                yield batch.position(lane)
        batch.step(batch.sample())
    for lane in range(games):
        yield batch.position(lane)


def last_positions(game: object, players: int | None, games: int) -> Iterator[Position]:
    """How some games that are played at random end: with all that was ever laid."""
    batch = domino_env.batch(game, games, num_players=players, seed=1, autoreset=False)
    batch.reset()
    while (batch.seat >= 0).any():
        batch.step(batch.sample())
    for lane in range(games):
        yield batch.position(lane)


# Nothing lies on anything else --------------------------------------------------------------------


def overlap(one: Box, other: Box) -> bool:
    return (
        min(one[2], other[2]) - max(one[0], other[0]) > NEARLY
        and min(one[3], other[3]) - max(one[1], other[1]) > NEARLY
    )


def box_of_label(label: Label) -> Box:
    left = label.x - {"start": 0.0, "middle": 0.5, "end": 1.0}[label.anchor] * label.width
    half = label.height / 2
    return left, label.y - half, left + label.width, label.y + half


def points_in(piece: Piece) -> list[tuple[float, float]]:
    """Points all over a curved tile, the outermost just inside its edge."""
    spots = []
    for out in (INNER + 0.02, MIDDLE - 0.25, MIDDLE, MIDDLE + 0.25, OUTER - 0.02):
        for turn in range(-SPREAD + 2, SPREAD - 1, 4):
            angle = radians(piece.angle + turn)
            far = piece.size * out
            spots.append((piece.x + far * cos(angle), piece.y + far * sin(angle)))
    return spots


def is_in(piece: Piece, x: float, y: float) -> bool:
    """Is a point on a curved tile? By the ring, and not by the polygon that is drawn."""
    far = hypot(x - piece.x, y - piece.y) / piece.size
    if not INNER + 0.01 < far < OUTER - 0.01:
        return False
    angle = radians(piece.angle)
    along = ((x - piece.x) * cos(angle) + (y - piece.y) * sin(angle)) / piece.size / far
    return along > cos(radians(SPREAD - 0.5))


def lie_on_each_other(one: Piece, other: Piece) -> bool:
    if not overlap(one.box(), other.box()):
        return False
    if not one.curved:
        return True  # straight tiles fill their boxes
    return any(is_in(other, x, y) for x, y in points_in(one))


def check(scene: Scene) -> None:
    for one, other in combinations(scene.pieces, 2):
        if abs(one.x - other.x) < 4 and abs(one.y - other.y) < 4:
            assert not lie_on_each_other(one, other), (one, other)
    labels = [box_of_label(label) for label in scene.labels]
    for box, other_box in combinations(labels, 2):
        assert not overlap(box, other_box), (scene.labels, box, other_box)
    for piece in scene.pieces:
        box = piece.box()
        assert not any(overlap(box, label) for label in labels), piece
        assert overlap(box, scene.box)
        inside = zip(scene.box[:2], box[:2], box[2:], scene.box[2:], strict=True)
        assert all(low <= near and far <= high for low, near, far, high in inside), piece


@pytest.mark.slow
@pytest.mark.parametrize("game", EVERY_GAME)
def test_no_shape_overlaps_another(game: str) -> None:
    for players in domino_env.rules(game).players:
        for number, position in enumerate(positions(game, players, games=3)):
            viewer = ("all", "nobody", number % players)[number % 3]
            check(compose(position, viewer, aspect=ASPECTS[number // 3 % len(ASPECTS)]))


@pytest.mark.slow
@pytest.mark.parametrize("game", AT_A_TABLE)
def test_nor_in_the_fullest_games(game: str) -> None:
    rules = domino_env.rules(game)
    for name in rules.sets:
        full = domino_env.rules(game, set=name)
        for number, position in enumerate(last_positions(full, full.players[-1], 12)):
            check(compose(position, "all", aspect=ASPECTS[number % len(ASPECTS)]))


# Tiles are as large as they can be ----------------------------------------------------------------


def largest(tiles: int, aspect: float, width: int) -> float:
    """Pixels of a half if a line filled the picture: each of its tiles takes two halves by two,
    because lines with doubles across lie two halves apart."""
    low, high = 1.0, 200.0
    for _ in range(50):
        half = (low + high) / 2
        across, down = width / half - EDGES, width / aspect / half - EDGES
        fits = across > 0 and down > 0 and across * down >= 4 * tiles
        low, high = (half, high) if fits else (low, half)
    return low


@pytest.mark.parametrize("aspect", ASPECTS)
@pytest.mark.parametrize("game", ["block_draw", "all_fives", "one_arm_joe", "fours"])
def test_tiles_of_a_long_line_come_out_large(game: str, aspect: float) -> None:
    """At least two thirds of what fits at all, and four fifths of it on average."""
    rules = domino_env.rules(game, set="double_15")
    shares = []
    for position in positions(rules, rules.players[-1], seed=2):
        scene = compose(position, 0, parts="table", aspect=aspect)
        width = round((240_000 * aspect) ** 0.5)
        half = min(width / (scene.width + 0.8), width / aspect / (scene.height + 0.8))
        if len(position.played) > 30:
            shares.append(half / largest(len(position.played), aspect, width))
    assert min(shares) > 0.66
    assert sum(shares) / len(shares) > 0.8


@pytest.mark.parametrize("aspect", ASPECTS)
@pytest.mark.parametrize("parts", ["all", "table"])
@pytest.mark.parametrize("game", AT_A_TABLE)
def test_a_scene_has_the_shape_of_its_picture(game: str, parts: str, aspect: float) -> None:
    """Never narrower, and with little on the table, no wider either."""
    for position in islice(positions(game, seed=2), 4):
        scene = compose(position, 0, parts=parts, aspect=aspect)
        assert abs((scene.width + 0.8) / (scene.height + 0.8) - aspect) < 0.15 * aspect


@pytest.mark.parametrize("aspect", [0, -1, float("nan"), float("inf"), "wide", None])
def test_a_picture_without_a_shape_is_refused(aspect: object) -> None:
    with pytest.raises(BadOption, match="aspect must be a width by a height"):
        compose(next(positions("block_draw")), aspect=aspect)  # type: ignore[arg-type]


@pytest.mark.parametrize("game", ["block_draw", "one_arm_joe", "five_up", "knock_out"])
def test_no_line_is_longer_than_it_may_be(game: str) -> None:
    """A tree may reach out by one tile, to where it has room."""
    rules = domino_env.rules(game)
    rules = domino_env.rules(game, set="double_15") if rules.has_opponents else rules
    for position in last_positions(rules, None, 4):
        pieces = compose(position, 0, parts="table", aspect=3, widest=20).pieces
        left, _, right, _ = box_of(pieces)
        assert right - left <= 20 + NEARLY + (2 if game == "five_up" else 0)


def test_in_a_film_nothing_moves() -> None:
    rules = domino_env.rules("block_draw", set="double_12")
    frames = [position for position in positions(rules, 3) if position.played]
    room = room_of(frames)
    assert len({fold_for(position, table_only=False) for position in frames}) > 1
    before: list[tuple[object, ...]] = []
    for position in frames:
        pieces = compose(position, parts="table", room=room).pieces
        places = [(piece.face, piece.x, piece.y) for piece in pieces]
        assert places[: len(before)] == before
        before = places


# Everything lies where it belongs -----------------------------------------------------------------


@pytest.mark.parametrize("game", STRAIGHT)
def test_every_end_is_on_the_tile_that_it_is_said_to_be_on(game: str) -> None:
    seen = 0
    for position in positions(game, games=6):
        table = table_of(position)
        on = {
            str(piece.face[0]) + str(piece.face[1]): piece for piece in table.pieces if piece.face
        }
        values = {end.number: end for end in position.ends}
        for spot in table.spots if table.pieces else []:
            tile = values[spot.end].tile
            assert tile is not None
            piece = on[f"{tile.first}{tile.second}"]
            if values[spot.end].owner is not None or spot.end == 0:
                if piece.opener and domino_env.rules(game).layout.arms == "own":
                    continue  # a train that has not begun is to begin round the middle
            turn = radians(spot.angle)
            back = (spot.x - cos(turn), spot.y - sin(turn))
            shown = min(
                zip(piece.middles(), piece.face or (), strict=True), key=lambda m: dist(m[0], back)
            )
            assert dist(shown[0], back) <= 0.5 + NEARLY, (spot, piece)  # crosswise: in the middle
            assert shown[1] == spot.value
            seen += 1
    assert seen > 20


@pytest.mark.parametrize("game", CURVED)
def test_every_curved_end_is_where_a_tile_ends(game: str) -> None:
    seen = 0
    for position in positions(game, games=6):
        table = table_of(position)
        values = {end.number: end for end in position.ends}
        for spot in table.spots if table.pieces else []:
            tile = values[spot.end].tile
            piece = next(piece for piece in table.pieces if piece.face == tile)
            turn = radians(spot.angle)
            mouth = (spot.x - 0.45 * cos(turn), spot.y - 0.45 * sin(turn))
            tips = [
                (
                    piece.x + MIDDLE * cos(radians(piece.angle + side)),
                    piece.y + MIDDLE * sin(radians(piece.angle + side)),
                )
                for side in (-SPREAD, SPREAD)
            ]
            assert min(dist(tip, mouth) for tip in tips) < NEARLY, (spot, piece)
            seen += 1
    assert seen > 20


@pytest.mark.parametrize("game", STRAIGHT)
def test_each_straight_tile_touches_the_one_that_it_joined(game: str) -> None:
    """Half to half, and the halves are those that join."""
    rules = domino_env.rules(game)
    by_sum, ring = rules.match.by == "sum", rules.layout.arms == "own"
    for position in last_positions(game, None, 12):
        pieces = table_of(position).pieces
        begun = set[int]()
        for piece in pieces[1:]:
            end, first = position.laid[piece.number].end, len(begun)
            begun.add(end)
            if ring and len(begun) > first:  # trains begin round the middle, not at it
                assert 1.2 < dist((0, 0), (piece.x, piece.y)) < 10
                continue
            near = [
                (half, other_half)
                for other in pieces[: piece.number]
                for half, middle in zip(piece.face or (), piece.middles(), strict=True)
                for other_half, place in zip(other.face or (), other.middles(), strict=True)
                if dist(middle, place) < 1.2  # 1, and a half aside where a double lies crosswise
            ]
            assert near, piece
            assert by_sum or any(half == other for half, other in near), (piece, near)


LINES = ["block_draw", "all_fives", "matador", "one_arm_joe", "cross"]


@pytest.mark.parametrize("game", LINES)
def test_tiles_of_a_line_stay_where_they_lie(game: str) -> None:
    """Until it needs a wider table; only where an arm of a tree is shut in, which no line is, is it
    laid anew in the same."""
    for tiles in ("double_6", "double_15"):
        if tiles not in domino_env.rules(game).sets:
            continue
        before: list[tuple[object, ...]] = []
        fold = None
        for position in positions(domino_env.rules(game, set=tiles)):
            pieces = table_of(position).pieces
            places = [(piece.face, piece.x, piece.y, piece.angle) for piece in pieces]
            if fold_for(position) == fold:
                assert places[: len(before)] == before[: len(places)]
            before, fold = places, fold_for(position)


@pytest.mark.parametrize("aspect", ASPECTS)
@pytest.mark.parametrize("parts", ["all", "table"])
@pytest.mark.parametrize("game", [*LINES, "five_up", "fruitominoes"])
def test_a_table_grows_in_a_few_steps_and_never_back(game: str, parts: str, aspect: float) -> None:
    """By the tiles that lie on it and by nothing else that a move changes."""
    rules = domino_env.rules(game, set=domino_env.rules(game).sets[-1])
    folds = [
        fold_of(rules, rules.players[-1], laid, aspect, parts == "table")
        for laid in range(rules.num_tiles + 1)
    ]
    widths = [fold.right for fold in folds]
    assert widths == sorted(widths)
    assert len({*folds}) <= 1 + rules.num_tiles // 10


def opening(opens_sides: bool = False) -> Laid:
    """A double that opens two arms."""
    return Laid(0, 0, True, tuple(Opened(end, "lone", opens_sides) for end in range(2)))


def joins(end: int, half: int = 0, double: bool = False) -> Laid:
    """A tile of a line."""
    return Laid(end, half, double, (Opened(end, "double" if double else "half"),))


def test_a_line_folds_at_the_edge_of_the_table() -> None:
    options = LayoutOptions(False, 20, 200)
    plays = (opening(), *(joins(1) for _ in range(24)))
    placements = lay_straight(options, plays).placements
    assert (
        max(placement.x for placement in placements) <= 20
    )  # 24 tiles in a line would reach to 97
    assert len({placement.y for placement in placements}) >= 3


def test_doubles_lie_crosswise_and_other_tiles_along_the_line() -> None:
    options = LayoutOptions(False, 20, 200)
    plays = (opening(), joins(1), joins(1, double=True), joins(0, half=1))
    placements = lay_straight(options, plays).placements
    assert [placement.way.y != 0 for placement in placements] == [True, False, True, False]
    assert [(placement.x, placement.y) for placement in placements] == [
        (0, 0),
        (3, 0),
        (6, 0),
        (-3, 0),
    ]


def test_a_tile_that_has_no_place_lies_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    joined = straight_layout._join

    def no_room(
        layout: StraightLayout, play: Laid, later: frozenset[int] | None = None
    ) -> StraightLayout:
        if len(layout.placements) == 2:
            raise straight_layout.NoRoom
        return joined(layout, play, later)

    monkeypatch.setattr(straight_layout, "_join", no_room)
    lay_straight.cache_clear()
    plays = (
        opening(opens_sides=True),
        joins(1)._replace(uncovers=(Opened(2, "side"), Opened(3, "side"))),
        joins(1),
        Laid(1, 0, True, (Opened(1, "double", opens_sides=True),)),
    )
    placements = lay_straight(LayoutOptions(True, 26, 16), plays).placements
    lay_straight.cache_clear()
    assert len(placements) == 4
    assert (
        min(placement.y for placement in placements[2:])
        > max(placement.y for placement in placements[:2]) + 4
    )


# What is marked, and for whom ---------------------------------------------------------------------


@pytest.mark.parametrize("game", AT_A_TABLE)
def test_what_is_hidden_is_not_in_the_scene(game: str) -> None:
    for position in positions(game, games=3, seed=5):
        for viewer in ("nobody", *range(position.num_players)):
            if position.over:
                continue
            public = {tile for tile, _ in position.played}
            public |= {event.tile for event in position.events if event.kind == "flip"}
            if isinstance(viewer, int) and not position.rules.rows:
                public |= set(position.hands[viewer])
            for piece in compose(position, viewer).pieces:
                assert piece.face is None or piece.face in public, (viewer, piece)
                assert not piece.lit or viewer == position.to_move


@pytest.mark.parametrize("game", AT_A_TABLE)
def test_the_last_tile_and_the_legal_moves_are_marked(game: str) -> None:
    marked = 0
    for position in positions(game, games=3, seed=6):
        scene = compose(position)
        laid = [piece for piece in scene.pieces if piece.where == "table"]
        assert [piece.last for piece in laid] == [piece is laid[-1] for piece in laid]
        plays = [move for move in position.legal if move.kind == "play"]
        assert {spot.end for spot in scene.spots if spot.lit} == {move.end for move in plays}
        lit = {piece.face for piece in scene.pieces if piece.lit}
        assert lit == {move.tile for move in plays}
        marked += len(lit)
    assert marked


def test_face_down_tiles_of_solitaire_are_not_in_the_scene() -> None:
    for position in positions("solitaire", games=2):
        down = sum(
            len(column) - up
            for column, up in zip(position.columns, position.face_up, strict=True)  # type: ignore[attr-defined]
        )
        assert sum(piece.face is None for piece in compose(position, 0).pieces) == down
        assert all(piece.face is not None for piece in compose(position, "all").pieces)


def test_the_table_alone_has_no_hands_and_no_labels() -> None:
    for position in positions("five_up", games=1):
        scene = compose(position, 0, parts="table")
        assert len(scene.pieces) == len(position.played)
        assert not scene.labels


def test_seats_are_called_by_their_names() -> None:
    position = next(positions("block_draw"))
    texts = " ".join(label.text for label in compose(position, 1, names=["Ann", "Bo"]).labels)
    assert "Ann" in texts
    assert "Bo" in texts


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_position_shows_itself_in_a_notebook(game: str) -> None:
    for position in positions(game, seed=9):
        drawing = position.seen_by(0)._repr_svg_()
        assert drawing.startswith("<svg ")
        assert position.title.replace("&", "&amp;") in drawing


# Many more positions, by hand ---------------------------------------------------------------------


def check_many(game: str, wanted: int) -> str:
    """Looks for overlaps in so many positions, of all seats, sets and shapes in turn."""
    rules = domino_env.rules(game)
    sets = [rules]
    if rules.has_opponents:
        sets = [domino_env.rules(game, set=name) for name in rules.sets]
    tables = cycle([(players, each) for players in rules.players for each in sets])
    rounds = (positions(each, players, seed=seed) for seed, (players, each) in enumerate(tables))
    found = chain.from_iterable(rounds)
    for number, position in enumerate(islice(found, wanted)):
        viewer = ("all", "nobody", number % position.num_players)[number % 3]
        check(compose(position, viewer, aspect=ASPECTS[number // 3 % len(ASPECTS)]))
    return f"{game}: {wanted} positions, and nothing lies on anything else"


def main() -> int:
    parser = argparse.ArgumentParser(description=check_many.__doc__)
    parser.add_argument("--positions", type=int, default=2000, help="of each game (default 2000)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default 2)")
    options = parser.parse_args()
    with ProcessPoolExecutor(options.jobs) as pool:
        for told in pool.map(partial(check_many, wanted=options.positions), EVERY_GAME):
            print(told, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
