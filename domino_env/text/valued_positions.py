"""Positions with the value of every legal move: decisions whose answers cost what they give away.

    from domino_env import text

    for position in text.positions("block_draw"):
        answer = my_model(position.prompt())
        given_away += position.cost(answer)     # points; NotAMove or IllegalMove where it is none

The values are of the information set: what a seat cannot see is averaged over. docs/text.md says
how they were made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from domino_env.batches import Batch
from domino_env.batches.playing_on import play_on
from domino_env.errors import BadOption, DominoError, IllegalMove, NotAMove, is_whole
from domino_env.games import AnyRules, Game
from domino_env.text import positions_file
from domino_env.text.parsing import parse_action
from domino_env.text.positions_file import Collection, ValuedMove
from domino_env.text.prompting import prompt
from domino_env.text.vocabulary import vocabulary_of


class Judgement(NamedTuple):
    """What an answer is worth, legal or not."""

    given_away: float
    """Points; what names no legal move gives away as much as the worst of them."""
    best: bool
    """Does it give away nothing?"""
    illegal: bool
    """Does it name no legal move?"""
    why: str
    """What was wrong with it; empty if it was legal."""


class ValuedPosition:
    """A decision, and what its moves are worth.

    Attributes:
        name: of the collection that it belongs to, like "block_draw".
        number: its place there.
        batch, lane: where it is set up. Other positions share the batch: read it, do not step it.
        moves: the legal moves, best first, with their values and standard errors.
    """

    def __init__(self, name: str, number: int, batch: Batch, moves: tuple[ValuedMove, ...]) -> None:
        self.name, self.number = name, number
        self.batch, self.lane = batch, number
        self.moves = moves

    def __repr__(self) -> str:
        return f"ValuedPosition({self.name!r}, {self.number})"

    @property
    def seat(self) -> int:
        """The seat to move."""
        return int(self.batch.seat[self.lane])

    @property
    def values(self) -> dict[str, float]:
        """What each legal move is worth, in points, best first."""
        return {self._called(move): move.value for move in self.moves}

    @property
    def errors(self) -> dict[str, float]:
        """The standard error of what each legal move costs."""
        return {self._called(move): move.error for move in self.moves}

    @property
    def best(self) -> str:
        """The best move."""
        return self._called(self.moves[0])

    def _called(self, move: ValuedMove) -> str:
        return vocabulary_of(self.batch).name(move.action)

    def prompt(
        self,
        *,
        rules: bool = True,
        history: bool = True,
        legal: bool = True,
        style: Literal["plain", "json"] = "plain",
    ) -> str:
        """The question, as `text.prompt` asks it."""
        return prompt(self.batch, self.lane, rules=rules, history=history, legal=legal, style=style)

    def cost(self, answer: str) -> float:
        """The points that an answer gives away: 0 for the best move. `NotAMove` or `IllegalMove` is
        raised for an answer that names no legal move."""
        return self.cost_of(parse_action(self.batch, answer, self.lane))

    def judge(self, answer: str) -> Judgement:
        """The same for any answer, for whoever must score them all."""
        try:
            given_away = self.cost(answer)
        except (NotAMove, IllegalMove) as error:
            return Judgement(self.moves[0].value - self.moves[-1].value, False, True, str(error))
        return Judgement(given_away, given_away == 0.0, False, "")

    def cost_of(self, action: int) -> float:
        """The points that an action gives away."""
        for move in self.moves:
            if move.action == action:
                return self.moves[0].value - move.value
        raise BadOption(f"action {action} is not legal in {self!r}")


def positions(game: Game | None = None) -> Iterator[ValuedPosition]:
    """The positions of a game, or of all games, in their order.

    Args:
        game: the id of a game; its rules, with a mini set for instance; or one of
            `position_names()`.
    """
    chosen = positions_file.names() if game is None else [_name_of(game)]
    for name in chosen:
        yield from set_up(positions_file.collection(name))


def position(name: str, number: int) -> ValuedPosition:
    """One position by its collection and its number there."""
    every = _whole(name)
    if not is_whole(number) or not 0 <= number < len(every):
        raise BadOption(f"{name} has positions 0 to {len(every) - 1}, not {number!r}")
    return every[number]


@lru_cache(maxsize=4)
def _whole(name: str) -> tuple[ValuedPosition, ...]:
    return tuple(positions(name))


def position_names() -> list[str]:
    """The collections of positions: the games, and games with mini sets like
    "block_draw-double_3"."""
    return positions_file.names()


def rules_of_positions(name: str) -> AnyRules:
    """The rules that the positions of a collection are played by."""
    return positions_file.collection(name).rules


def position_tasks(
    game: Game | None = None, **shows: Any
) -> Iterator[tuple[str, Callable[[str], float]]]:
    """Positions as pairs for task sets: a prompt, and the cost of an answer to it. `shows` are the
    options of `prompt`."""
    for position in positions(game):
        yield position.prompt(**shows), position.cost


def _name_of(game: Game) -> str:
    if isinstance(game, str):
        return game
    for name in positions_file.names():
        if name.split("-")[0] == game.id and positions_file.collection(name).rules == game:
            return name
    raise BadOption(f"there are no positions of this {game.id}: see text.position_names()")


def set_up(collection: Collection) -> Iterator[ValuedPosition]:
    """The positions of a collection."""
    if not collection.entries:
        return
    entries = collection.entries
    batch = Batch(collection.rules, len(entries), collection.seats, autoreset=False)
    batch.reset(seed=[entry.seed for entry in entries])
    play_on(batch, [entry.actions for entry in entries])
    for number, entry in enumerate(entries):
        legal = sorted(int(action) for action in batch._legal_of(number))
        if legal != sorted(move.action for move in entry.moves):
            raise DominoError(f"position {number} of {collection.name} is not what it was")
        yield ValuedPosition(collection.name, number, batch, entry.moves)
