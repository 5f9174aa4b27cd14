"""`Record`, the data of a game; `Recorder` makes one, `replay` plays it again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, NamedTuple

from domino_env.actions import Move, decode
from domino_env.batches import Batch
from domino_env.errors import BadOption, BadRecord, GameOver, is_whole
from domino_env.games import changes_of, mark_of, rules, rules_in_file
from domino_env.record import text

FORMAT = "domino record 1"
MOST_MOVES = 20_000  # of a game; it takes a second to play them


@dataclass(frozen=True)
class Round:
    """A round of a game."""

    deal: Any
    """As `reset(options={"deal": ...})` takes it, each tile a text like "3|5"."""
    moves: tuple[str, ...]
    """Who made them, and what they are in words: "0: [3|5] by 3 → end 1"."""
    points: tuple[int, ...]
    """What each seat has earned in it, so far."""


@dataclass(frozen=True)
class Result:
    """The scores and the winners of a game. A draw has no winners."""

    over: bool
    scores: tuple[int, ...]
    winners: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Record:
    """A game from its deal to its latest move; it need not be over."""

    game: str
    """The id of the variant."""
    mark: str
    """Of its rules, house rules included: `games.mark_of`."""
    rules: Mapping[str, Any]
    """The house rules: only what differs from the game's own, parts as mappings."""
    num_players: int
    episode: str
    calls: str
    generator: int
    """The state of the game's own generator (G16) at the first decision. With the first deal it
    settles all that is left to chance: which tile is taken out of a hand, the deals of later
    rounds."""
    names: tuple[str, ...]
    """Who sat where."""
    rounds: tuple[Round, ...]
    result: Result

    @property
    def moves(self) -> int:
        """The number of moves in all rounds together."""
        return sum(len(each.moves) for each in self.rounds)

    def text(self) -> str:
        """The content of a file. Equal records have equal texts."""
        return text.page(_plain(self))

    def line(self) -> str:
        """The same on one line, for files of many records."""
        return text.line(_plain(self))

    def without_last(self, moves: int = 1) -> Record:
        """The record without its last moves."""
        if not is_whole(moves) or not 0 <= moves <= self.moves:
            raise BadOption(f"0 to {self.moves} moves can be taken back here, not {moves!r}")
        return Recorder.resume(self, self.moves - moves).record


def opening(
    record: Record,
    reward: str = "margin",
    autoreset: bool = False,
    observation_dtype: Any = "float32",
) -> Batch:
    """A batch of one at the first decision of a record."""
    batch = table_for(record, reward, autoreset, observation_dtype)
    batch.reset(options={"deal": record.rounds[0].deal})
    batch._games["rng"] = record.generator
    return batch


def table_for(
    record: Record,
    reward: str = "margin",
    autoreset: bool = False,
    observation_dtype: Any = "float32",
) -> Batch:
    """A batch of one in which a record can be replayed, before its deal."""
    return Batch(
        rules_in_file(record.game, record.rules),
        1,
        record.num_players,
        seed=record.generator,
        episode=record.episode,
        reward=reward,
        calls=record.calls,
        autoreset=autoreset,
        observation_dtype=observation_dtype,
    )


# Keeping -----------------------------------------------------------------------------------------


class Recorder:
    """Records one lane of a batch, from the first decision of an episode to its end.

    It is given every action of the lane, before or after the step, and replays the game in a batch
    of its own. So it does not matter if autoreset has dealt the lane again.

    Args:
        batch: where the game is played, at the first decision of an episode.
        lane: which of its games.
        names: the players by seat; by default the numbers of the seats.

    Attributes:
        batch: the current state of the game, a batch of one, to be read only.
    """

    def __init__(self, batch: Batch, lane: int = 0, names: Sequence[str] = ()) -> None:
        shown = batch.position(lane)
        changes = _plain_value(changes_of(batch.rules))
        self._start = Record(
            game=batch.rules.id,
            mark=mark_of(rules(batch.rules.id, **changes)),
            rules=changes,
            num_players=batch.num_players,
            episode=batch.episode,
            calls=batch.calls,
            generator=int(batch.games["rng"][lane]),
            names=checked_names(
                names if not isinstance(names, Sequence) or names else _numbered(batch.num_players),
                batch.num_players,
            ),
            rounds=(Round(in_words(shown.deal), (), ()),),
            result=Result(False, (), ()),
        )
        self.batch = opening(self._start)
        if self.batch.position() != shown:
            raise BadOption(
                f"a record begins with its episode, and lane {lane} has been played on: make the "
                "Recorder before the first step"
            )
        self._ended: list[Round] = []
        self._deal, self._moves = self._start.rounds[0].deal, list[str]()
        self._before = (0,) * batch.num_players  # scores when the round began

    @classmethod
    def resume(cls, record: Record, moves: int | None = None) -> Recorder:
        """A recorder that has replayed a record, or its first moves, and can continue."""
        recorder = cls(opening(record), names=record.names)
        for place, said in islice(_moves(record), moves):
            recorder.note(action_of(recorder.batch, said, place))
        return recorder

    @property
    def round(self) -> int:
        """The number of the current round, from 1."""
        return len(self._ended) + 1

    @property
    def over(self) -> bool:
        """Is the episode over?"""
        return bool(self.batch.seat[0] < 0)

    def note(self, action: int) -> None:
        """Records an action of the lane."""
        if self.over:
            raise GameOver("the game of this record is over: a new episode takes a new Recorder")
        if len(self._moves) + sum(len(each.moves) for each in self._ended) >= MOST_MOVES:
            raise BadRecord(f"a record has up to {MOST_MOVES} moves")
        said = f"{self.batch.seat[0]}: {decode(self.batch.rules, action, self.batch.calls)}"
        self.batch.step_one(action)
        self._moves.append(said)
        if self.batch.round_number(0) != self.round:
            self._begin_next_round()

    def _begin_next_round(self) -> None:
        before = _numbers(self.batch, "banked")
        self._ended.append(Round(self._deal, tuple(self._moves), self._gained(before)))
        self._deal, self._moves = in_words(self.batch.position().deal), []
        self._before = before

    def _gained(self, scores: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(now - then for now, then in zip(scores, self._before, strict=True))

    @property
    def record(self) -> Record:
        """The record so far."""
        scores = _numbers(self.batch, "scores")
        last = Round(self._deal, tuple(self._moves), self._gained(scores))
        winners = self.batch.position().winners if self.over else ()
        result = Result(self.over, scores, tuple(winners))
        return replace(self._start, rounds=(*self._ended, last), result=result)


def _numbered(players: int) -> list[str]:
    return [f"seat {seat}" for seat in range(players)]


def checked_names(names: Sequence[str], players: int) -> tuple[str, ...]:
    """Who sits where; refused if these are no names."""
    several = isinstance(names, Sequence) and not isinstance(names, str)
    texts = several and all(isinstance(name, str) for name in names)
    if not texts or len(names) != players:
        raise BadOption(f"names are {players} texts, one for each seat; not {names!r:.200}")
    return tuple(names)


def _numbers(batch: Batch, column: str) -> tuple[int, ...]:
    """A number for each seat."""
    return tuple(batch.games[column][0].reshape(-1)[: batch.num_players].tolist())


# Playing again -----------------------------------------------------------------------------------


class Step(NamedTuple):
    """A decision of a record."""

    batch: Batch
    """A batch of one, that stands before it. It is the same for all steps, and goes on with them:
    look at it, or clone it."""
    round: int
    """From 1."""
    number: int
    """Which decision of the round, from 1."""
    action: int | None
    """None in the last step of all: how the game stands."""
    move: Move | None


def replay(
    record: Record,
    reward: str = "margin",
    autoreset: bool = False,
    observation_dtype: Any = "float32",
) -> Iterator[Step]:
    """Every decision of a record, and finally the end of the game."""
    batch = opening(record, reward, autoreset, observation_dtype)
    place = Place(1, 0)
    for place, said in _moves(record):
        action = action_of(batch, said, place)
        yield Step(batch, *place, action, decode(batch.rules, action, batch.calls))
        batch.step_one(action)
    yield Step(batch, len(record.rounds), len(record.rounds[-1].moves) + 1, None, None)


def to_batch(
    record: Record,
    reward: str = "margin",
    autoreset: bool = False,
    observation_dtype: Any = "float32",
) -> Batch:
    """A batch of one after the last move of a record, to continue the game."""
    *_, last = replay(record, reward, autoreset, observation_dtype)
    return last.batch


class Place(NamedTuple):
    """Where in a record a move stands; both from 1."""

    round: int
    number: int

    def __str__(self) -> str:
        return f"round {self.round}, move {self.number}"


def _moves(record: Record) -> Iterator[tuple[Place, str]]:
    for number, each in enumerate(record.rounds, 1):
        for at, said in enumerate(each.moves, 1):
            yield Place(number, at), said


def action_of(batch: Batch, said: str, place: Place) -> int:
    """The action of a move in words; it must be legal for the seat that makes it."""
    seat = int(batch.seat[0])
    if seat < 0:
        raise BadRecord(f"{place}: {said[:80]!r} comes after the end of the game")
    legal = batch.legal[0, : batch.num_legal[0]].tolist()
    words = {str(decode(batch.rules, action, batch.calls)): action for action in legal}
    who, _, move = said.partition(": ")
    if who == str(seat) and move in words:
        return words[move]
    if who.isdecimal() and who != str(seat):
        raise BadRecord(f"{place}: {said[:80]!r} is out of turn: seat {seat} is to move")
    raise BadRecord(
        f"{place}: {said[:80]!r} is not legal; seat {seat} may play {', '.join(sorted(words))}"
    )


# In words ----------------------------------------------------------------------------------------


def in_words(deal: Any) -> Any:
    """A deal with its tiles as texts."""
    if isinstance(deal, list):
        return [str(tile) for tile in deal]
    hands = [[str(tile) for tile in hand] for hand in deal["hands"]]
    return {**deal, "hands": hands, "boneyard": [str(tile) for tile in deal["boneyard"]]}


def _plain(record: Record) -> dict[str, Any]:
    """A record as it stands in a file."""
    return {
        "format": FORMAT,
        "game": record.game,
        "rules_version": record.mark,
        "rules": _plain_value(record.rules),
        "players": record.num_players,
        "episode": record.episode,
        "calls": record.calls,
        "generator": f"{record.generator:016x}",
        "names": list(record.names),
        "rounds": [_plain_round(each) for each in record.rounds],
        "result": {
            "over": record.result.over,
            "scores": list(record.result.scores),
            "winners": list(record.result.winners),
        },
    }


def _plain_round(each: Round) -> dict[str, Any]:
    return {
        "deal": _plain_deal(each.deal),
        "moves": list(each.moves),
        "points": list(each.points),
    }


def _plain_deal(deal: Any) -> dict[str, Any]:
    """A deal with the tiles that lie together in one text."""
    if isinstance(deal, list):
        return {"tiles": " ".join(deal)}
    hands = [" ".join(hand) for hand in deal["hands"]]
    return {**deal, "hands": hands, "boneyard": " ".join(deal["boneyard"])}


def _plain_value(value: Any) -> Any:
    """Rules as JSON has them: lists for tuples, numbers of Python's own."""
    if isinstance(value, Mapping):
        return {name: _plain_value(part) for name, part in value.items()}
    if isinstance(value, tuple):
        return [_plain_value(part) for part in value]
    return int(value) if is_whole(value) else value
