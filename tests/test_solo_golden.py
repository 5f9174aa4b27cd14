"""Golden one-player games: whole games as data, played by the engine and by the reference, step for
step, as `test_golden` has them for games at a table.

    tests/golden/<variant>/<name>.json

A file holds the deal and the moves, never a seed. Tiles of the deal are written as they lie, left
or upper half first; of columns each is a line, from the innermost tile to the lowest. For each step
the file says what is legal, what is chosen, how many points it gains and everything that happens
(`then`). Most counts of Elimination change nothing: a step stands for the `before` uneventful ones
too, and says which tile is touched (`place` in the row) on which `number`. `end` is how the game
stands after the last step, which need not be its end. `kind` is "hand-worked", with moves and
points that were worked out before anything was run, or "generated": a whole game of the reference
at random. A game of Knock-Out that says it goes "as far as possible" is held to that.

    python -m tests.test_solo_golden --write     # generates the whole games that are missing
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

import domino_env
from tests.games import ALONE
from tests.reference import puzzles
from tests.test_golden import FOLDER, KINDS, Json, load, page, tile_words, write

FILES = [path for variant in ALONE for path in sorted((FOLDER / variant).glob("*.json"))]
NAMES = [f"{path.parent.name}/{path.stem}" for path in FILES]
TOLD = {"over", "won", "truncated", "score"}
ON_THE_TABLE = {
    "elimination": {"row", "number", "place"},
    "knock_out": {"row"},
    "solitaire": {"columns", "face_up", "moves"},
}

every_file = pytest.mark.parametrize("path", FILES, ids=NAMES)
every_variant = pytest.mark.parametrize("variant", ALONE)


# In the words of the file ---------------------------------------------------------------------
#
# Spelled here once more, and not with the engine's own `str`, so that its words are tested too.


def named(tile: Sequence[int]) -> str:
    """The name of a tile, however it lies."""
    return tile_words(sorted(tile))


def move_words(move: tuple[Any, ...], game: Any) -> str:
    """A move of the reference as `str(Move)` has it."""
    if move[0] == "knock":
        return f"KNOCK {move[1]}"
    if move[0] != "move":
        return move[0].upper().replace("_", " ")
    target = "empty column" if move[3] == "empty" else move[3]
    return f"[{uppermost(move, game)}] → {target}"


def uppermost(move: tuple[Any, ...], game: Any) -> str:
    """The uppermost tile of the run that a move takes."""
    _, column, length, _ = move
    return named(game.columns[column][-length])


def event_words(event: tuple[Any, ...], moved: str, won: bool) -> list[str]:
    """An event of the reference as `str(Event)` has it, if the engine has it at all."""
    kind, rest = event[0], event[1:]
    if kind in ("count", "row_end"):  # they decide nothing
        return []
    if kind == "knock":
        return [f"[{named(rest[1])}] and [{named(rest[2])}] are knocked out"]
    if kind == "turn_up":
        return [f"[{named(rest[1])}] turns up in column {rest[0]}"]
    if kind == "move":
        return [f"[{moved}] goes to column {rest[2]}"]
    if kind == "remove":
        return [f"[{named(rest[0])}] is removed"]
    return [
        {
            "won": "all is done",
            "lost": "nothing more can be done",
            "end": "all is done" if won else "nothing more can be done",
            "stop": "the player stops",
            "cut_off": "the last move has been made",
        }[kind]
    ]


def flat(deal: Sequence[Any]) -> list[str]:
    """All tiles of a deal; it may be written in columns."""
    if isinstance(deal[0], str):
        return list(deal)
    return [tile for column in deal for tile in column]


def in_columns(tiles: list[str]) -> list[list[str]]:
    """A deal of Solitaire as it is laid out: seven tiles, six, and so on (SO1)."""
    rest = iter(tiles)
    return [[next(rest) for _ in range(length)] for length in range(7, 0, -1)]


# The two who play -------------------------------------------------------------------------------


class EngineGame:
    """The game of a file, played by the engine."""

    def __init__(self, game: Json) -> None:
        self.variant = game["variant"]
        rules = domino_env.rules(self.variant, **game["options"])
        self.batch = domino_env.batch(rules, 1, autoreset=False)
        self.batch.reset(options={"deal": flat(game["deal"])})
        self.heard = 0

    @property
    def position(self) -> Any:
        return self.batch.position()

    def legal(self) -> list[str]:
        position = self.position
        assert self.batch.mask[0].nonzero()[0].tolist() == position.legal_actions
        return sorted(map(str, position.legal))

    def play(self, words: str) -> float:
        """Makes the move of this name; the points of it."""
        position = self.position
        found = dict(zip(map(str, position.legal), position.legal_actions, strict=True))
        self.batch.step([found[words]])
        return float(self.batch.reward[0, 0])

    def news(self) -> list[str]:
        """What has happened since this was last asked."""
        events = self.position.events[self.heard :]
        self.heard += len(events)
        return [str(event) for event in events]

    def standing(self) -> Json:
        """How the game stands."""
        seen = self.position
        told = {
            "over": seen.over,
            "won": seen.won,
            "truncated": seen.truncated,
            "score": seen.scores[0],
        }
        if self.variant == "solitaire":
            columns = [[tile_words(tile) for tile in column] for column in seen.columns]
            return {**told, "columns": columns, "face_up": seen.face_up, "moves": seen.moves}
        if self.variant == "knock_out":
            return {**told, "row": [tile_words(tile) for tile in seen.row]}
        row = [named(tile) for tile in seen.row]
        return {**told, "row": row, "number": seen.number, "place": seen.place}


class ReferenceGame:
    """The game of a file, played by the reference."""

    def __init__(self, game: Json) -> None:
        self.variant = game["variant"]
        self.game: Any = puzzles.new_game(self.variant, **game["options"])
        self.game.start([as_it_lies(tile) for tile in flat(game["deal"])])
        self.heard, self.moved = 0, ""

    def moves(self) -> dict[str, tuple[Any, ...]]:
        return {move_words(move, self.game): move for move in self.game.legal()}

    def legal(self) -> list[str]:
        return sorted(self.moves())

    def play(self, words: str) -> float:
        """Makes the move of this name; the points of it."""
        move = self.moves()[words]
        self.moved = uppermost(move, self.game) if move[0] == "move" else ""
        return float(self.game.apply(move))

    def news(self) -> list[str]:
        """What has happened since this was last asked, which must be once for each move."""
        events, self.heard = self.game.events[self.heard :], len(self.game.events)
        return [words for event in events for words in event_words(event, self.moved, self.won)]

    @property
    def won(self) -> bool:
        return bool(self.game.won)

    def standing(self) -> Json:
        """How the game stands."""
        seen = self.game
        told = {name: getattr(seen, name) for name in ("over", "won", "truncated", "score")}
        if self.variant == "solitaire":
            columns = [[tile_words(tile) for tile in column] for column in seen.columns]
            return {**told, "columns": columns, "face_up": seen.face_up, "moves": seen.moves_made}
        row = [tile_words(tile) for tile in seen.row]
        if self.variant == "knock_out":
            return {**told, "row": row}
        return {**told, "row": row, "number": seen.number, "place": seen.place}


Player = EngineGame | ReferenceGame


def as_it_lies(words: str) -> tuple[int, int]:
    """A tile that is written as it lies."""
    first, second = words.split("|")
    return int(first), int(second)


# Playing a file -----------------------------------------------------------------------------------


def follow(game: Json, player: Player) -> None:
    """Plays the moves of a file, and compares everything that it says."""
    assert player.news() == []
    for number, step in enumerate(game["steps"]):
        where = f"step {number}"
        for _ in range(step.get("before", 0)):
            take(player, {**step, "points": 0, "then": []}, where)
        if "number" in step:
            here = player.standing()
            assert (here["number"], here["place"]) == (step["number"], step["place"]), where
        take(player, step, where)
    assert player.standing() == game["end"]


def take(player: Player, step: Json, where: str) -> None:
    """Plays one step of a file, and compares what it says."""
    assert player.legal() == sorted(step["legal"]), where
    assert player.play(step["move"]) == step["points"], where
    assert player.news() == step["then"], where


@every_file
def test_the_engine_plays_a_golden_game_step_for_step(path: Path) -> None:
    game = load(path)
    follow(game, EngineGame(game))


UNCOMPILED = """
from tests.test_solo_golden import FILES, EngineGame, follow, load
for path in FILES:
    follow(load(path), EngineGame(load(path)))
print(len(FILES))
"""


def test_the_engine_plays_the_golden_games_uncompiled_too() -> None:
    """What plain Python makes of a kernel must be what the compiler makes of it."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", UNCOMPILED],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parent.parent,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
    )
    assert done.stdout == f"{len(FILES)}\n", done.stderr


@every_file
def test_the_reference_plays_a_golden_game_step_for_step(path: Path) -> None:
    game = load(path)
    follow(game, ReferenceGame(game))


@every_file
def test_a_golden_game_says_what_it_shows(path: Path) -> None:
    game = load(path)
    assert game["variant"] == path.parent.name
    assert game["kind"] in KINDS
    assert game["source"].endswith(".")
    assert game["steps"]
    assert set(game["end"]) == TOLD | ON_THE_TABLE[game["variant"]]


@every_file
def test_the_points_of_a_golden_game_add_up_to_its_score(path: Path) -> None:
    game = load(path)
    assert sum(step["points"] for step in game["steps"]) == game["end"]["score"]


@every_file
def test_a_golden_game_is_written_one_step_to_a_line(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == page(load(path)) + "\n"


@every_variant
def test_every_variant_has_a_whole_generated_game(variant: str) -> None:
    games = [load(path) for path in (FOLDER / variant).glob("whole_round*.json")]
    assert any(game["kind"] == "generated" and game["end"]["over"] for game in games)


@every_variant
def test_every_variant_has_hand_worked_games(variant: str) -> None:
    games = [load(path) for path in (FOLDER / variant).glob("*.json")]
    assert len([game for game in games if game["kind"] == "hand-worked"]) >= 3


@every_variant
def test_every_way_to_end_has_a_golden_game(variant: str) -> None:
    ends = [load(path)["end"] for path in (FOLDER / variant).glob("*.json")]
    ways = {(end["won"], end["truncated"]) for end in ends if end["over"]}
    assert ways >= {(True, False), (False, False)}
    if variant == "solitaire":
        assert ways >= {(True, True), (False, True)}


# As far as possible -------------------------------------------------------------------------------


def farthest() -> list[Path]:
    """The games of Knock-Out that go as far as possible."""
    return [path for path in FILES if "as far as possible" in load(path)["source"]]


@pytest.mark.parametrize("path", farthest(), ids=[path.stem for path in farthest()])
def test_no_other_moves_would_have_knocked_out_more(path: Path) -> None:
    game = load(path)
    assert game["end"]["score"] == most([as_it_lies(tile) for tile in game["deal"]])


def test_some_games_go_as_far_as_possible() -> None:
    assert len(farthest()) >= 2


def most(row: list[tuple[int, int]]) -> int:
    """The most tiles that can be knocked out of a row: those that stay part it into spans, and each
    of these goes entirely."""
    size = len(row)
    goes = spans_that_go(row)
    best = [0] * (size + 1)
    for stop in range(1, size + 1):
        ways = [best[start] + stop - start for start in range(stop) if goes[start, stop]]
        best[stop] = max([best[stop - 1], *ways])
    return best[size]


def spans_that_go(row: list[tuple[int, int]]) -> dict[tuple[int, int], bool]:
    """Which parts of a row, from a start to before a stop, can be knocked out entirely?"""
    size = len(row)
    goes = {(start, start): True for start in range(size + 1)}
    for length in range(1, size + 1):
        for start in range(size + 1 - length):
            stop = start + length
            # The first tile goes together with another, once all between the two is gone.
            goes[start, stop] = any(
                row[start][1] == row[other][0] and goes[start + 1, other] and goes[other + 1, stop]
                for other in range(start + 1, stop)
            )
    return goes


# Writing a file -------------------------------------------------------------------------------


def record(game: Json, moves: Callable[[list[str]], str | None]) -> Json:
    """Plays a deal with the reference, and writes down what a golden file holds. `moves` chooses
    from what is legal; None: to stop there."""
    player = ReferenceGame(game)
    return {**game, "steps": list(steps(player, moves)), "end": player.standing()}


def steps(player: ReferenceGame, moves: Callable[[list[str]], str | None]) -> Iterator[Json]:
    """The steps of a game, uneventful ones gathered."""
    before = 0
    while legal := player.legal():
        here, move = player.standing(), moves(legal)
        if move is None:
            return
        points, then = player.play(move), player.news()
        if not then:
            before += 1
            continue
        count = {"before": before} if before else {}
        touched = {name: here[name] for name in ("number", "place") if name in here}
        step = {**touched, "legal": legal, "move": move, "points": int(points), "then": then}
        yield {**count, **step}
        before = 0


def whole_game(variant: str) -> Json:
    """A random game of the reference, from a deal that it does not send back."""
    random = Random(f"golden {variant}")
    game: Json = {
        "variant": variant,
        "kind": "generated",
        "options": {},
        "source": "A whole game of random moves by the reference.",
    }
    while True:
        tiles = random_deal(random)
        deal = in_columns(tiles) if variant == "solitaire" else tiles
        try:
            return record({**game, "deal": deal}, random.choice)
        except puzzles.DealAgain:
            continue


def random_deal(random: Random) -> list[str]:
    """The whole set, shuffled, each tile lying either way."""
    tiles = [tile_words(random.sample(tile, 2)) for tile in puzzles.TILES]
    random.shuffle(tiles)
    return tiles


def write_missing() -> list[Path]:
    """Generates the whole games that are not there yet."""
    written = []
    for variant in ALONE:
        path = FOLDER / variant / "whole_round.json"
        if not path.exists():
            write(path, whole_game(variant))
            written.append(path)
    return written


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Writes the golden games that are generated.")
    parser.add_argument("--write", action="store_true", required=True)
    parser.parse_args(arguments)
    for path in write_missing():
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
