"""Differential play of the one-player games: the engine beside the reference, at every decision.

Both get the same deal. The legal moves, the points, what lies there and every event must be equal.
"""

from __future__ import annotations

from typing import Any

import domino_env
from domino_env.actions import Move, Tile
from domino_env.solo import SoloEvent, SoloPosition
from tests.reference import puzzles

# What the engine keeps no event of: the counts themselves, which decide nothing.
UNKEPT = ("count", "row_end")


class SoloComparison:
    """A batch of the engine, and a reference game beside each lane."""

    def __init__(self, setting: Any, seed: int, lanes: int = 16) -> None:
        self.setting = setting
        changes = dict(setting.changes)
        self.rules = domino_env.rules(setting.variant, **changes)
        self.moves_allowed = changes.get("moves", 200)
        self.batch = domino_env.batch(self.rules, lanes, seed=seed, autoreset=False)
        self.batch.reset()
        self.games = [self._new_game(lane) for lane in range(lanes)]
        self.rounds = self.decisions = 0

    def _new_game(self, lane: int) -> Any:
        game = puzzles.new_game(self.setting.variant, moves=self.moves_allowed)
        game.start([tuple(tile) for tile in self.batch.position(lane).deal])
        self._compare(lane, game)
        return game

    def step(self) -> None:
        """One decision in every lane; a game that is over is followed by another."""
        actions = self.batch.sample()
        before = [self.batch.position(lane) for lane in range(self.batch.num_games)]
        self.batch.step(actions)
        for lane, action in enumerate(actions.tolist()):
            move = domino_env.actions.decode(self.rules, action)
            points = self.games[lane].apply(as_reference(move, before[lane]))
            self._equal(lane, "points", float(self.batch.reward[lane, 0]), float(points))
            self._compare(lane, self.games[lane])
            if self.games[lane].over:
                self.rounds += 1
                self.batch.restart(lane)
                self.games[lane] = self._new_game(lane)
        self.decisions += len(actions)

    def _compare(self, lane: int, game: Any) -> None:
        position = self.batch.position(lane)
        assert isinstance(position, SoloPosition)
        legal = {as_reference(move, position) for move in position.legal}
        self._equal(lane, "legal moves", legal, game.legal())
        mask = self.batch.mask[lane].nonzero()[0].tolist()
        self._equal(lane, "mask", mask, position.legal_actions)
        for what, ours, theirs in facts(position, game):
            self._equal(lane, what, ours, theirs)
        theirs = [event for event in game.events if event[0] not in UNKEPT]
        self._equal(lane, "events", [as_event(e) for e in position.events], brief(theirs, position))

    def _equal(self, lane: int, what: str, ours: Any, theirs: Any) -> None:
        if ours != theirs:
            from tests.differential import Differs

            raise Differs(
                f"{self.setting}: {what} differs\n  engine     {ours}\n  reference  {theirs}\n"
                f"{self.batch.position(lane)}"
            )


def facts(position: SoloPosition, game: Any) -> list[tuple[str, Any, Any]]:
    """What can be seen, by the engine and by the reference."""
    found = [
        ("over", position.over, game.over),
        ("won", position.won, game.won),
        ("cut off", position.truncated, game.truncated),
        ("score", position.scores, [game.score]),
    ]
    if position.columns:
        columns = [list(map(tuple, column)) for column in position.columns]
        found += [("columns", columns, game.columns), ("face up", position.face_up, game.face_up)]
    elif position.number is None:
        found += [("row", list(map(tuple, position.row)), game.row)]
    else:
        row = [tuple(sorted(tile)) for tile in position.row]
        found += [("row", row, game.row)]
        if not game.over:
            found += [("place", position.place, game.place)]
            found += [("number", position.number, game.number)]
    return found


def as_reference(move: Move, position: Any) -> tuple[Any, ...]:
    """A move as the reference names it: a run by its column and its length."""
    if move.kind == "knock":
        return ("knock", move.place)
    if move.kind != "move":
        return (move.kind,)
    column, length = run_of(move.tile, position)
    return ("move", column, length, "empty" if move.place is None else move.place)


def run_of(tile: Any, position: SoloPosition) -> tuple[int, int]:
    """The column of a tile, and how many tiles there are from it on."""
    for number, column in enumerate(position.columns):
        for place, other in enumerate(column):
            if {*other} == {*tile}:
                return number, len(column) - place
    raise AssertionError(f"{tile} lies nowhere")


def as_event(event: Any) -> tuple[Any, ...]:
    """An event of the engine in a few words."""
    assert isinstance(event, SoloEvent)
    if event.kind == "knock":
        return ("knock", event.tile, event.other)
    if event.kind == "move":
        return ("move", event.place)
    if event.kind == "turn_up":
        return ("turn_up", event.place, event.tile)
    return ("remove", event.tile) if event.kind == "remove" else (event.kind,)


def brief(events: list[tuple[Any, ...]], position: SoloPosition) -> list[tuple[Any, ...]]:
    """The events of the reference in the same words."""
    words = []
    for event in events:
        kind = event[0]
        if kind == "knock":
            words.append(("knock", named(event[2]), named(event[3])))
        elif kind == "move":
            words.append(("move", event[3]))
        elif kind == "turn_up":
            words.append(("turn_up", event[1], named(event[2])))
        elif kind == "remove":
            words.append(("remove", event[1]))
        elif kind == "end":
            words.append(("won",) if position.won else ("stuck",))
        else:
            words.append(("stuck",) if kind == "lost" else (kind,))
    return words


def named(tile: tuple[int, int]) -> Tile:
    return Tile(min(tile), max(tile))
