"""Painters show what is in a scene, all of it, where it is, and nothing else."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from html import unescape
from io import BytesIO
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import numpy as np
import pytest
from PIL import Image

import domino_env
from domino_env.errors import DominoError
from domino_env.position import Position
from domino_env.render import ansi, film, raster, svg, theme
from domino_env.render.compose import compose
from domino_env.render.scene import Face, Label, Piece, Scene, Spot
from domino_env.render.text_canvas import DOWN, JUNCTIONS, LEFT, RIGHT, UP
from tests.test_scenes import CURVED, EVERY_GAME, LINES, STRAIGHT, last_positions, positions

SVG = "{http://www.w3.org/2000/svg}"
BOX = (-4.0, -3.0, 4.0, 3.0)


def some_scenes(game: str, every: int = 7) -> list[Scene]:
    return [compose(position) for position in [*positions(game, seed=5)][::every]]


def one_piece(face: Face | None, **options: Any) -> Scene:
    return Scene("a tile", BOX, (Piece(face, 0, 0, **options),))


def classed(root: Element, name: str) -> list[Element]:
    return [part for part in root.iter() if name in part.get("class", "").split()]


def drawn(scene: Scene, **options: Any) -> Element:
    return ElementTree.fromstring(svg.paint(scene, **options))


# SVG ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", EVERY_GAME)
def test_an_svg_has_every_piece_and_every_open_end_of_its_scene(game: str) -> None:
    for scene in some_scenes(game):
        root = drawn(scene)
        said = [
            (part.get("data-where"), part.get("data-number"), part.get("data-tile"))
            for part in classed(root, "piece")
        ]
        assert said == [
            (p.where, str(p.number), None if p.face is None else f"{p.face[0]}|{p.face[1]}")
            for p in scene.pieces
        ]
        assert [int(part.get("data-end", "")) for part in classed(root, "spot")] == [
            spot.end for spot in scene.spots
        ]
        for name, things in (("last", scene.pieces), ("lit", (*scene.pieces, *scene.spots))):
            marked = [part for part in classed(root, name) if part.tag == f"{SVG}g"]
            assert len(marked) == sum(getattr(thing, name, False) for thing in things)


@pytest.mark.parametrize("curved", [False, True])
@pytest.mark.parametrize("highest", [6, 9])
def test_a_half_has_as_many_pips_as_it_counts(highest: int, curved: bool) -> None:
    for first in range(highest + 1):
        root = drawn(replace(one_piece((first, highest), curved=curved), highest=highest))
        halves = classed(root, "half")
        assert [len(classed(half, "pip")) for half in halves] == [first, highest]
        spots = {(pip.get("cx"), pip.get("cy")) for pip in classed(root, "pip")}
        assert len(spots) == first + highest


@pytest.mark.parametrize("curved", [False, True])
def test_pips_lie_on_their_half_and_apart_from_each_other(curved: bool) -> None:
    piece = Piece((9, 9), 0, 0, curved=curved)
    for marks, (x, y) in zip(theme.marks((9, 9), curved, 9), piece.middles(), strict=True):
        for mark in marks:
            assert np.hypot(mark.x - x, mark.y - y) + theme.PIP < 0.5
        for mark, other in pairwise(marks):
            assert np.hypot(mark.x - other.x, mark.y - other.y) > 2 * theme.PIP


@pytest.mark.parametrize("angle", [0, 60, 90, 180, 270])
def test_above_nine_halves_show_numerals_that_stand_upright(angle: int) -> None:
    root = drawn(replace(one_piece((12, 7), angle=angle), highest=15))
    assert not classed(root, "pip")
    numbers = classed(root, "number")
    assert ["".join(number.itertext()) for number in numbers] == ["12", "7"]
    (piece,) = classed(root, "piece")
    for number in numbers:
        turns = re.findall(r"rotate\((-?\d+)\)", piece.get("transform", "") + str(number.attrib))
        assert sum(map(int, turns)) == 0


def test_symbols_have_a_shape_of_their_own_and_the_number_of_their_colour() -> None:
    root = drawn(one_piece((">4", "+3"), curved=True))
    assert ["".join(part.itertext()) for part in classed(root, "again")] == ["4"]
    assert ["".join(part.itertext()) for part in classed(root, "draw")] == ["3"]
    star = drawn(one_piece(("*", 4), curved=True))
    assert ["".join(part.itertext()) for part in classed(star, "star")] == [""]
    colours = {half.get("fill") for half in classed(star, "half")}
    assert colours == {theme.INK, theme.colour_of(4)}


def test_whatever_is_written_is_escaped() -> None:
    bad = "<b>\"&'</b>"
    label, spot = Label(bad, 0, 0), Spot(1, 0, 0, 0, bad, note=bad)
    scene = Scene(bad, BOX, (Piece((bad, ">4"), 0, 0),), (spot,), (label,))
    root = drawn(scene, words=bad)
    assert root.findtext(f"{SVG}title") == bad == root.findtext(f"{SVG}desc")
    assert [part.get("data-tile") for part in classed(root, "piece")] == [f"{bad}|>4"]
    assert [part.text for part in classed(root, "label")] == [bad]
    assert not [part for part in root.iter() if part.tag == f"{SVG}b"]


def test_a_width_is_kept_and_the_height_follows_the_scene() -> None:
    root = drawn(Scene("wide", (0, 0, 19.2, 9.2)), width=400)
    assert (root.get("width"), root.get("height")) == ("400", "200")
    assert drawn(Scene("wide", (0, 0, 19.2, 9.2))).get("width") is None


@pytest.mark.parametrize("angle", [0, 90])
def test_a_tile_alone_is_an_svg_of_its_size(angle: int) -> None:
    root = ElementTree.fromstring(svg.tile((3, 5), angle=angle))
    assert root.get("viewBox") == {0: "-1 -0.5 2 1", 90: "-0.5 -1 1 2"}[angle]
    assert len(classed(root, "pip")) == 8
    assert root.findtext(f"{SVG}title") == "[3|5]"


# What is hidden -----------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["all_fives", "fundomino"])
def test_no_painter_tells_hidden_tiles_apart(game: str) -> None:
    painters: list[Callable[[Scene], Any]] = [
        svg.paint,
        ansi.paint,
        lambda scene: raster.paint(scene).tobytes(),
        lambda scene: film.html([scene]),
        lambda scene: film.gif([scene]),
    ]
    position = next(p for p in positions(game) if len(p.played) == 3)
    own, other = position.hands
    swapped = replace(position, hands=[own, position.boneyard], boneyard=other)
    swapped = replace(swapped, hands=[own, swapped.hands[1][: len(other)]])
    swapped = replace(swapped, boneyard=[*position.boneyard[len(other) :], *other])
    for paint in painters:
        assert paint(compose(position, 0)) == paint(compose(swapped, 0))
        assert paint(compose(position)) != paint(compose(swapped))


def test_a_tile_face_down_shows_its_back_alone() -> None:
    scene = one_piece(None, where="hand", seat=1)
    (piece,) = classed(drawn(scene), "piece")
    assert "data-tile" not in piece.attrib
    assert not classed(piece, "half")
    assert piece.findtext(f"{SVG}title") == "face down"
    assert ansi.paint(scene, colour=False) == "[?|?]"
    assert classed(ElementTree.fromstring(svg.tile(None)), "back")


# Pixels -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", EVERY_GAME)
def test_pixels_are_an_array_of_the_size_that_was_asked_for(game: str) -> None:
    for scene in some_scenes(game, every=15):
        pixels = raster.paint(scene, 300, 200)
        assert pixels.shape == (200, 300, 3)
        assert pixels.dtype == np.uint8
        assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 50
        assert (pixels == raster.paint(scene, 300, 200)).all()


def test_pixels_are_a_fresh_array_that_may_be_written_into() -> None:
    scene = one_piece((0, 0))
    raster.paint(scene)[:] = 0
    assert raster.paint(scene).any()


@pytest.mark.parametrize("angle", [0, 90, 180, 270])
def test_a_tile_is_painted_where_it_lies(angle: int) -> None:
    """On the whole of its two squares, and nowhere else: the scene's middle is the picture's."""
    for face, colour in (((0, 0), theme.IVORY), (None, theme.BACK)):
        pixels = raster.paint(one_piece(face, angle=angle), 600, 400)
        unit = 600 / (8 + 2 * theme.MARGIN) // 1
        across, down = (1, 0.5) if angle % 180 == 0 else (0.5, 1)
        for x, y, on in ((0.7, 0.7, True), (-0.7, 0.7, True), (1.2, 0, False), (0, 1.3, False)):
            pixel = pixels[round(200 + unit * y * down), round(300 + unit * x * across)]
            assert (tuple(pixel) == raster.rgb(colour)) == on, (face, x, y)


def test_a_number_is_painted_in_its_half() -> None:
    """The same tile turned round has its pips on the other side."""
    pixels = raster.paint(one_piece((6, 0)))
    turned = raster.paint(one_piece((6, 0), angle=180))
    ink = raster.rgb(theme.INK)
    left, right = ((shown == ink).all(axis=2).nonzero()[1] for shown in (pixels, turned))
    assert left.max() < 300 < right.min()


@pytest.mark.parametrize("size", [(1, 1), (40, 30), (30, 900)])
def test_any_size_of_picture_will_do(size: tuple[int, int]) -> None:
    scene = some_scenes("block_draw")[-1]
    assert raster.paint(scene, *size).shape == (size[1], size[0], 3)


def test_a_picture_without_pixels_is_refused() -> None:
    with pytest.raises(DominoError, match="at least 1 pixel"):
        raster.paint(one_piece((0, 0)), 0, 400)


# Text ---------------------------------------------------------------------------------------------


def table_alone(scene: Scene) -> Scene:
    """Without ends and words: the first line is the top of the highest tile."""
    pieces = tuple(piece for piece in scene.pieces if piece.where == "table")
    return replace(scene, pieces=pieces, spots=(), labels=())


@pytest.mark.parametrize("game", STRAIGHT)
def test_numbers_stand_in_the_middle_of_their_halves(game: str) -> None:
    for scene in map(table_alone, some_scenes(game)):
        lines = [line[2:] for line in ansi.paint(scene, colour=False).splitlines()]
        left = min((piece.box()[0] for piece in scene.pieces), default=0)
        top = min((piece.box()[1] for piece in scene.pieces), default=0)
        for piece in scene.pieces:
            assert piece.face is not None
            for (x, y), half in zip(piece.middles(), piece.face, strict=True):
                row, column = round(2 * (y - top)), round(4 * (x - left))
                assert lines[row][column - 1 : column + 2].strip() == str(half)


ARMS = {letter: arms for arms, letter in JUNCTIONS.items()}


def test_junctions_are_what_they_look_like() -> None:
    drawn = {(0, 1, 1, 0): "┌", (1, 1, 1, 1): "┼", (2, 0, 2, 0): "┃", (1, 0, 1, 2): "┥"}
    assert {arms: JUNCTIONS[arms] for arms in drawn} == drawn
    assert len(JUNCTIONS) == 3**4 - 1  # light, heavy or nothing, but not nothing everywhere


@pytest.mark.parametrize("game", [*STRAIGHT, "solitaire"])
def test_lines_of_frames_go_on_in_the_letters_beside_them(game: str) -> None:
    for scene in some_scenes(game):
        lines = ansi.paint(scene, colour=False).splitlines()
        width = max(map(len, lines))
        grid = [[ARMS.get(letter, (0,) * 4) for letter in f"{line:{width}}"] for line in lines]
        for row in grid:
            assert all(one[RIGHT] == other[LEFT] for one, other in pairwise(row))
        for upper, lower in pairwise(grid):
            assert all(one[DOWN] == other[UP] for one, other in zip(upper, lower, strict=True))


@pytest.mark.parametrize("game", CURVED)
def test_curved_tiles_show_all_their_halves(game: str) -> None:
    for scene in map(table_alone, some_scenes(game)):
        text = re.sub(r"[\u2800-\u28ff◆]", " ", ansi.paint(scene, colour=False))
        shown = sorted(str(half) for piece in scene.pieces for half in piece.face or ())
        assert sorted(text.split()) == shown


@pytest.mark.parametrize("game", EVERY_GAME)
def test_text_has_every_hand_and_every_label_and_each_end(game: str) -> None:
    for scene in some_scenes(game):
        text = ansi.paint(scene, colour=False)
        assert all(label.text in text for label in scene.labels)
        hands = [piece for piece in scene.pieces if piece.where not in ("table", "column")]
        assert all(f"[{p.face[0]}|{p.face[1]}]" in text for p in hands if p.face is not None)
        for spot in scene.spots:
            assert (f"[{spot.end}]" if spot.lit else f"({spot.end})") in text


def test_colours_change_nothing_but_colours() -> None:
    for scene in some_scenes("cross"):
        coloured = ansi.paint(scene)
        assert "\x1b[" in coloured
        bare = "\n".join(
            line.rstrip() for line in re.sub(r"\x1b\[[\d;]*m", "", coloured).split("\n")
        )
        assert bare == ansi.paint(scene, colour=False)


def test_the_last_move_and_what_may_be_moved_are_marked_without_colours() -> None:
    plain = ansi.paint(one_piece((3, 5)), colour=False)
    assert plain.splitlines() == ["  ┌───────┐", "  │ 3 ┊ 5 │", "  └───────┘"]
    both = ansi.paint(one_piece((3, 5), last=True, lit=True), colour=False)
    assert both.splitlines() == ["  ┏━━━━━━━┓", "  ┃›3 ┊ 5‹┃", "  ┗━━━━━━━┛"]
    assert ansi.paint(one_piece((3, 5), lit=True, where="hand"), colour=False) == "[3|5]*"


def names_and_hands(text: str) -> dict[str, str]:
    """What stands below each name, in the line below it: as wide as it is to the next name."""
    found = {}
    for names, hands in pairwise(text.splitlines()):
        starts = [part.start() for part in re.finditer(r"(?:▸ )?(?:seat \d|boneyard) · ", names)]
        for start, after in pairwise([*starts, 999]):
            name = names[start:after].removeprefix("▸ ").split(" · ")[0]
            found[name] = hands[start:after].strip()
    return found


@pytest.mark.parametrize("game", ["bendomino", "block_draw", "cross"])
def test_each_hand_in_a_row_of_them_has_a_number_of_its_own(game: str) -> None:
    for position in positions(game, players=4, seed=3):
        if position.over:
            continue
        below = names_and_hands(ansi.paint(compose(position, "nobody"), colour=False))
        held = {f"seat {seat}": len(hand) for seat, hand in enumerate(position.hands)}
        if position.boneyard:
            held["boneyard"] = len(position.boneyard)
        few = {1: "[?|?]", 2: "[?|?] [?|?]"}
        assert below == {name: few.get(n, f"[?|?] × {n}") for name, n in held.items()}


def test_each_hand_that_is_shown_stands_below_its_name() -> None:
    for position in positions("fours", players=4, seed=3):
        below = names_and_hands(ansi.paint(compose(position), colour=False))
        for seat, hand in enumerate(position.hands):
            shown = below[f"seat {seat}"].replace("*", "").split()
            assert shown == [f"[{tile}]" for tile in hand]


# The tile that opened the round -------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("game", [*STRAIGHT, *CURVED])
def test_what_opened_the_round_has_a_pin_and_nothing_else_has(game: str) -> None:
    openers = 2 if game == "bendomino_all_five" else 1
    brass = raster.rgb(theme.BRASS)
    for position in [*positions(game, seed=6)][3::9]:
        scene = compose(position)
        first = [tile for tile, _ in position.played[:openers]]
        root = drawn(scene)
        pinned = [piece for piece in classed(root, "piece") if classed(piece, "pin")]
        assert [piece.get("data-tile") for piece in pinned] == [str(tile) for tile in first]
        assert [piece.findtext(f"{SVG}title") for piece in pinned] == [
            f"[{tile}], opened the round" for tile in first
        ]
        assert ansi.paint(scene, colour=False).count("◆") == openers
        bare = replace(scene, pieces=tuple(replace(p, opener=False) for p in scene.pieces))
        pixels = [(raster.paint(each, 1200, 800) == brass).all(axis=2) for each in (scene, bare)]
        assert pixels[0].sum() > pixels[1].sum()


@pytest.mark.parametrize("columns", [60, 80, 200])
@pytest.mark.parametrize("game", ["block_draw", "one_arm_joe", "cross", "five_up", "knock_out"])
def test_a_table_is_no_wider_than_the_terminal(
    game: str, columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("LINES", "30")
    rules = domino_env.rules(game)
    if game in LINES:
        rules = domino_env.rules(game, set="double_15")
    for position in last_positions(rules, None, 3):
        text = ansi.paint(compose(position, 0, parts="table", **ansi.room()), colour=False)
        drawing = [line for line in text.splitlines() if "ends" not in line]
        assert 20 < max(map(len, drawing)) <= columns


# Dead ends ----------------------------------------------------------------------------------------


def with_dead_ends(game: str) -> Position:
    """A position with one end that is dead at least, and one that is not."""
    return next(
        position
        for position in positions(game, players=2, games=20, seed=3)
        if {end.fit == "dead" for end in position.ends} == {True, False}
    )


@pytest.mark.parametrize("game", ["bendomino_all_five", "bendomino", "fundomino"])
def test_dead_ends_are_painted_as_such_by_all(game: str) -> None:
    position = with_dead_ends(game)
    ends = {end.number: end for end in position.ends if end.fit == "dead"}
    scene = compose(position)
    root, text = drawn(scene), ansi.paint(scene, colour=False)
    dead = classed(root, "dead")
    assert {int(spot.get("data-end", "")) for spot in dead} == {*ends}
    counted = game == "bendomino_all_five"  # where they count all the same (BN5)
    for spot in dead:
        end = ends[int(spot.get("data-end", ""))]
        says = ["dead", f"counts {end.counts}"] if counted else ["dead"]
        assert [line.text for note in classed(spot, "note") for line in note] == says
        assert classed(spot, "bar")
        assert not classed(spot, "arrow")
        assert f"({end.number}) {end.value} {', '.join(says)}" in text
        assert f"end {end.number} shows {end.value}, {', '.join(says)}" == spot.findtext(
            f"{SVG}title"
        )
        assert f"counts {end.counts}, dead\n" in str(position)
    page = film.html([scene])
    assert page.count("spot dead") == len(dead)
    grey = raster.rgb(theme.DEAD)
    alive = replace(scene, spots=tuple(spot for spot in scene.spots if not spot.dead))
    pixels = [(raster.paint(each, 1200, 800) == grey).all(axis=2).sum() for each in (scene, alive)]
    assert pixels[0] > 50 * len(ends) > 0 == pixels[1]


def test_ends_that_have_met_are_gone_and_not_painted() -> None:
    met = next(
        position
        for position in last_positions("bendomino_all_five", players=2, games=400)
        if 0 < len(position.ends) < 4
    )
    spots = classed(drawn(compose(met)), "spot")
    assert {int(spot.get("data-end", "")) for spot in spots} == {end.number for end in met.ends}


@pytest.mark.parametrize("game", STRAIGHT)
def test_straight_ends_are_never_dead_and_those_that_are_alike_are_one(game: str) -> None:
    said = set()
    for position in positions(game, games=4, seed=2):
        spots = {spot.end: spot for spot in compose(position).spots}
        assert not any(spot.dead for spot in spots.values())
        for end in position.ends:
            if end.like is None:
                whose = "" if end.owner is None else f"seat {end.owner}'s"
                marked = end.owner is not None and end.owner in position.markers
                parts = (whose, "marked" * marked, "" if end.offered else "not now")
                assert spots[end.number].note == ", ".join(filter(None, parts))
            else:
                assert end.number not in spots
                assert not end.offered
                same = next(other for other in position.ends if other.number == end.like)
                assert (same.value, same.tile, same.like) == (end.value, end.tile, None)
                assert same.number < end.number
                assert f", like end {end.like}" in str(end)
            said.add((end.like is None, end.offered))
    assert said <= {(True, True), (False, False), (True, False)}
    layout = domino_env.rules(game).layout
    waits = layout.opening_first or layout.doubles_first or layout.arms == "own"
    assert ((True, False) in said) == bool(waits)  # CR1, MT3, CF3


# Animations ---------------------------------------------------------------------------------------


def test_a_gif_has_a_frame_for_each_scene_and_lasts_as_long_as_it_should() -> None:
    scenes = [one_piece((first, 6)) for first in range(5)]
    with Image.open(BytesIO(film.gif(scenes, seconds=0.5, width=240, height=160))) as frames:
        assert frames.n_frames == 5  # type: ignore[attr-defined]
        assert frames.size == (240, 160)
        times = []
        for frame in range(5):
            frames.seek(frame)
            times.append(frames.info["duration"])
    assert times == [500, 500, 500, 500, 2000]


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r"const \{[^}]*\} = (\{.*\});\n", page)
    assert found
    return json.loads(found[1])  # type: ignore[no-any-return]


def test_a_page_holds_every_frame_and_what_is_said() -> None:
    scenes = some_scenes("fundomino", every=1)
    captions = [f"step {step}" for step in range(len(scenes))]
    data = data_of(film.html(scenes, captions, seconds=2))
    frames = ["".join(data["parts"][part] for part in frame) for frame in data["frames"]]
    assert frames == [svg.paint(scene).replace(film._NAMESPACE, "") for scene in scenes]
    assert data["said"] == captions
    assert data["seconds"] == 2


def test_a_page_loads_nothing_and_forbids_it() -> None:
    page = unescape(film.html(some_scenes("cross")))
    assert not re.search(r"(?:https?:)?//\w|url\((?!#)|\bsrc=|\bhref=|@import", page)
    assert "default-src 'none'" in page


def test_nothing_said_can_end_the_script_of_a_page() -> None:
    bad = "</script><script>alert(1)</script><!--<script>"
    page = film.html([replace(one_piece((0, 0)), title=bad)], [bad])
    assert page.count("<script>") == page.count("</script>") == 1
    assert "<!--" not in page
    assert data_of(page)["said"] == [bad]


@pytest.mark.parametrize("animate", [film.gif, film.html])
def test_nothing_to_show_is_refused(animate: Callable[..., Any]) -> None:
    with pytest.raises(DominoError, match="no scenes"):
        animate([])
    with pytest.raises(DominoError, match="seconds"):
        animate([one_piece((0, 0))], seconds=0)


# What is not installed ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("module", "name", "mode"),
    [("PIL", "Pillow", "rgb_array"), ("PIL", "Pillow", "human"), ("pygame", "pygame", "human")],
)
def test_without_the_extra_an_environment_names_it_when_it_is_made(
    module: str, name: str, mode: str
) -> None:
    code = (
        f"import sys; sys.modules[{module!r}] = None\n"
        "import domino_env\n"
        "from domino_env.errors import DominoError\n"
        "domino_env.aec('block_draw', render_mode='ansi')\n"
        "import domino_env.render.svg\n"
        f"try: domino_env.aec('block_draw', render_mode={mode!r})\n"
        "except DominoError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == f"{name} is missing: pip install 'domino-env[draw]'\n"


@pytest.mark.parametrize("dead", [False, True])
@pytest.mark.parametrize("angle", range(0, 360, 30))
def test_a_note_never_covers_the_tile_that_its_end_belongs_to(angle: int, dead: bool) -> None:
    """The tile lies opposite to where the end points."""
    ahead = theme.rotated(1.0, 0.0, angle)[1]
    for line in theme.notes_at(2, angle, dead):
        assert line * ahead >= -0.71 * abs(line), "towards the tile"
