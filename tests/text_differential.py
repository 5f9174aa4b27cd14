"""Answers beside the moves that were meant by them, in games of random play.

    python -m tests.text_differential --moves 1000000 --garbled 100000

Over all games, seats, sets, ways of calling and twists: every legal move, written as `str(move)`
and in twenty dresses of `text_answers`, is read as that move; an action that is not legal is
refused; a garbled answer is refused or read as a move that it can mean; and what means no move is
refused.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import domino_env
from domino_env import text
from domino_env.actions import Move, decode
from domino_env.batches import Batch
from domino_env.errors import IllegalMove, NotAMove
from domino_env.text.vocabulary import vocabulary_of
from tests.differential import Setting, settings
from tests.text_answers import DRESSES, UNMEANT, could_mean, garbled

_NAMES = [*DRESSES]


@dataclass
class Counts:
    """How much has been compared."""

    moves: int = 0
    dressed: int = 0
    illegal: int = 0
    garbled: int = 0
    refused: int = 0
    unmeant: int = 0

    def add(self, other: Counts) -> None:
        """Adds what another has counted."""
        for name, number in vars(other).items():
            setattr(self, name, getattr(self, name) + number)


class Misread(AssertionError):
    """An answer was read as something else than was meant."""


class Comparison:
    """Games of one setting, whose moves are written and read back."""

    def __init__(self, setting: Setting, seed: int, lanes: int = 8) -> None:
        self._chance = random.Random(f"{setting} {seed}")
        rules = domino_env.rules(setting.variant)
        if rules.has_opponents:
            rules = domino_env.rules(setting.variant, set=setting.set, **dict(setting.changes))
        self._setting, self.counts = setting, Counts()
        self.batch = domino_env.batch(
            rules, lanes, setting.players, seed=seed, episode=setting.episode, calls=setting.calls
        )
        self.batch.reset()

    def compare(self, moves: int, broken: int, dresses: int = 20) -> Counts:
        """Plays until so many moves and so many garbled answers have been read."""
        while self.counts.moves < moves or self.counts.garbled < broken:
            for lane in range(self.batch.num_games):
                self._look(lane, dresses, self.counts.garbled < broken)
            self.batch.step(self.batch.sample())
        return self.counts

    def _look(self, lane: int, dresses: int, breaks: bool) -> None:
        legal = [self._move(action) for action in self.batch._legal_of(lane)]
        for move in legal:
            self._must_read(lane, str(move), move)
            self._read_dressed(lane, move, dresses)
        self.counts.moves += len(legal)
        move = self._chance.choice(legal)
        if vocabulary_of(self.batch).has_trains and move.tile is not None:
            self._read_trains(lane, move, legal)
        self._refuse_illegal(lane, legal)
        if breaks:
            self._break(lane, move, legal)

    def _read_dressed(self, lane: int, move: Move, dresses: int) -> None:
        said = str(move)
        for name in self._chance.sample(_NAMES, dresses):
            self._must_read(lane, DRESSES[name](said, move), move)
        self.counts.dressed += dresses

    def _move(self, action: int) -> Move:
        return decode(self.batch.rules, action, self.batch.calls, self.batch.num_players)

    def _must_read(self, lane: int, answer: str, meant: Move) -> None:
        try:
            read = text.parse(self.batch, answer, lane)
        except domino_env.errors.DominoError as error:
            raise Misread(f"{self._setting}: {answer!r}: {error}") from error
        if read != meant:
            raise Misread(f"{self._setting}: {answer!r} was read as {read}, not {meant}")

    def _read_trains(self, lane: int, move: Move, legal: list[Move]) -> None:
        """A move on a train is named by whose that is; another train is never meant by it."""
        mover, tile = int(self.batch.seat[lane]), f"{move.tile}".replace("|", "-")
        names = ["the Mexican train", *(f"seat {s}'s train" for s in range(self.batch.num_players))]
        for end, name in enumerate(names):
            meant = next(
                (each for each in legal if (each.tile, each.end) == (move.tile, end)), None
            )
            for said in [name, "my train"] if end == mover + 1 else [name]:
                if meant is not None:
                    self._must_read(lane, f"I play {tile} on {said}.", meant)
                elif _read(self.batch, lane, f"I play {tile} on {said}.") is not IllegalMove:
                    raise Misread(f"{self._setting}: {tile} on {said} is not legal")

    def _refuse_illegal(self, lane: int, legal: list[Move]) -> None:
        """A move of the game that is not legal now is refused, unless its end is like another's."""
        move = self._move(self._chance.randrange(self.batch.num_actions))
        game, words = self.batch._games[lane], vocabulary_of(self.batch)
        if move.end is not None and words.first_alike(game, move.end) != move.end:
            return
        if move in legal or (move.tile and move.tile.is_double and not words.is_curved):
            return
        self.counts.illegal += 1
        read = _read(self.batch, lane, str(move))
        if read is not IllegalMove:
            raise Misread(f"{self._setting}: {move} is not legal, and was read as {read}")

    def _break(self, lane: int, move: Move, legal: list[Move]) -> None:
        dress = DRESSES[self._chance.choice([*DRESSES])]
        answer = garbled(dress(str(move), move), self._chance)
        read = _read(self.batch, lane, answer)
        self.counts.garbled += 1
        self.counts.refused += not isinstance(read, Move)
        if isinstance(read, Move) and read != move:
            if not could_mean(answer, read, self._shows(lane, read)):
                raise Misread(f"{self._setting}: {answer!r} (of {move}) was read as {read}")
        self._break_meaning(lane, move, self._chance.choice(legal))

    def _break_meaning(self, lane: int, move: Move, other: Move) -> None:
        """What means nothing, or something else, or several things, is no move."""
        form = self._chance.choice(UNMEANT)
        if move.tile is None or other.tile is None or other.tile == move.tile:
            return
        words = {"move": move, "other": other, "tile": move.tile, "othertile": other.tile}
        answer = form.format(**words, digits=self._chance.randrange(100))
        read = _read(self.batch, lane, answer)
        self.counts.unmeant += 1
        if isinstance(read, Move):
            raise Misread(f"{self._setting}: {answer!r} means no move, and was read as {read}")

    def _shows(self, lane: int, move: Move) -> set[str]:
        words, game = vocabulary_of(self.batch), self.batch.games[lane]
        if move.end is None or not words.has_table:
            return set()
        alike = [
            str(end)
            for end in range(int(game["num_ends"]))
            if words.first_alike(game, end) == move.end
        ]
        value = int(game["end_value"][move.end])
        shown = [str(words.asks[value]), words.values[value]] if value < len(words.values) else []
        return {*alike, *shown}


def _read(batch: Batch, lane: int, answer: str) -> Move | type[Exception]:
    try:
        return text.parse(batch, answer, lane)
    except (IllegalMove, NotAMove) as error:
        if not error.reason:
            raise Misread(f"{answer!r} is refused without a reason") from error
        return type(error)


def every_setting() -> list[Setting]:
    """Every game, with all its seats, sets, ways of calling and twists."""
    return [setting for name in domino_env.variants() for setting in settings(name)]


def compare(setting: Setting, seed: int, moves: int, broken: int) -> Counts:
    """Compares games of one setting."""
    return Comparison(setting, seed).compare(moves, broken)


def main(arguments: Sequence[str] | None = None) -> int:
    """Compares games of all settings."""
    parser = argparse.ArgumentParser(description="Reads back what moves are called.")
    parser.add_argument("--moves", type=int, default=1_000_000)
    parser.add_argument("--garbled", type=int, default=100_000)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--games", nargs="+", choices=domino_env.variants(), metavar="id")
    options = parser.parse_args(arguments)
    every, total, start = every_setting(), Counts(), time.perf_counter()
    shares = [-(-number // len(every)) for number in (options.moves, options.garbled)]
    chosen = [each for each in every if each.variant in (options.games or domino_env.variants())]
    misread = 0
    with ProcessPoolExecutor(options.jobs) as pool:
        for done in [pool.submit(compare, each, options.seed, *shares) for each in chosen]:
            try:
                total.add(done.result())
            except Misread as error:
                print(error, flush=True)
                misread += 1
    print(len(chosen), "settings:", total, f"{time.perf_counter() - start:.0f} s")
    return misread > 0


if __name__ == "__main__":
    sys.exit(main())
