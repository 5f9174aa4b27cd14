"""Reading records: damaged or impossible ones are refused, with the place and the reason."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from domino_env.engines import engine_of
from domino_env.errors import BadRecord, DominoError, did_you_mean, is_whole
from domino_env.games import has_mark, mark_of, rules_in_file
from domino_env.record.game import (
    FORMAT,
    Place,
    Record,
    Recorder,
    Result,
    Round,
    action_of,
    checked_names,
    opening,
    table_for,
)
from domino_env.record.text import value_of

MOST_SAID = 2000  # letters of an error: a file may be long
MOST_BYTES = 4_000_000  # of a record; a long match has some hundred thousand
KEYS = (
    *("format", "game", "rules_version", "rules", "players", "episode", "calls", "generator"),
    *("names", "rounds", "result"),
)


def read(file: Path | str) -> Record:
    """The record in a file, verified."""
    with _opened(file) as stream:
        return parse(_text_of(stream.read(MOST_BYTES + 1), str(file)), str(file))


def read_all(file: Path | str) -> Iterator[Record]:
    """The records in a file with one on each line, each verified as it is read."""
    with _opened(file) as stream:
        lines = iter(lambda: stream.readline(MOST_BYTES + 1), b"")
        for number, line in enumerate(lines, 1):
            place = f"{file}, line {number}"
            yield parse(_text_of(line, place), place)


def parse(text: str, source: str = "the record") -> Record:
    """The record in a text, verified by replaying it. `source` is its name in errors."""
    try:
        if not isinstance(text, str):
            raise BadRecord(f"a record is a text, not {type(text).__name__}")
        if len(text) > MOST_BYTES:
            raise BadRecord(f"more than {MOST_BYTES} letters are no record of a game")
        return _checked(_record(value_of(text)))
    except DominoError as error:
        raise BadRecord(f"{source}: {str(error)[:MOST_SAID]}") from error


@contextmanager
def _opened(file: Path | str) -> Iterator[BinaryIO]:
    try:
        stream = open(file, "rb")  # noqa: SIM115
    except OSError as error:
        raise BadRecord(f"{file} cannot be read: {error.strerror or error}") from error
    except (ValueError, TypeError) as error:  # of what can be the name of no file
        raise BadRecord(f"{file!r} cannot be read: {error}") from error
    with stream:
        try:
            yield stream
        except OSError as error:
            raise BadRecord(f"{file} cannot be read: {error.strerror or error}") from error


def _text_of(content: bytes, source: str) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise BadRecord(f"{source}: this is not a text in UTF-8") from error


# The game ----------------------------------------------------------------------------------------


def _checked(record: Record) -> Record:
    """The same record, after it has been played through."""
    table_for(record)  # what it refuses is not to blame on the deal
    checked_names(record.names, record.num_players)
    try:
        batch = opening(record)
    except DominoError as error:
        raise BadRecord(f"round 1, deal: {error}") from error
    recorder = Recorder(batch, names=record.names)
    for number, each in enumerate(record.rounds, 1):
        _must_be_dealt(recorder, number, each)
        for at, said in enumerate(each.moves, 1):
            place = Place(number, at)
            if recorder.round > number:
                raise BadRecord(f"{place}: {said[:80]!r} comes after the end of the round")
            recorder.note(action_of(recorder.batch, said, place))
    _must_come_out(record, recorder.record)
    return recorder.record


def _must_be_dealt(recorder: Recorder, number: int, each: Round) -> None:
    """Is it time for a round, and is its deal the one that chance has in store?"""
    if recorder.over:
        raise BadRecord(f"round {number} comes after the end of the game")
    if recorder.round < number:
        raise BadRecord(f"round {number} comes before round {number - 1} is over")
    dealt = recorder.record.rounds[-1].deal
    if _deck(recorder, number, each.deal) != _deck(recorder, number, dealt):
        forgot = "it does not name the 'starter'"  # of the first, all else is taken as it comes
        other = "this is not what the generator deals after the moves before"
        raise BadRecord(f"round {number}, deal: {forgot if number == 1 else other}")


def _deck(recorder: Recorder, number: int, deal: Any) -> tuple[list[int], int]:
    try:
        deck, starter = engine_of(recorder.batch.rules).read_deal(recorder.batch.setup, deal)
    except DominoError as error:
        raise BadRecord(f"round {number}, deal: {error}") from error
    return deck.tolist(), starter


def _must_come_out(said: Record, played: Record) -> None:
    if len(said.rounds) < len(played.rounds):
        number = len(played.rounds)
        raise BadRecord(
            f"round {number} is missing: the last move of round {number - 1} deals it, even if "
            "nothing has been played in it"
        )
    for number, (one, other) in enumerate(zip(said.rounds, played.rounds, strict=True), 1):
        _must_be(f"round {number}, points", list(one.points), list(other.points))
    _must_be("result, over", said.result.over, played.result.over)
    _must_be("result, scores", list(said.result.scores), list(played.result.scores))
    _must_be("result, winners", list(said.result.winners), list(played.result.winners))


def _must_be(name: str, said: Any, played: Any) -> None:
    if said != played:
        raise BadRecord(f"{name}: the moves come to {played}, not to {said!r:.80}")


# The shape ---------------------------------------------------------------------------------------


def _record(value: Any) -> Record:
    if not isinstance(value, dict):
        raise BadRecord("this is no record: a record is a mapping in braces")
    if value.get("format") != FORMAT:
        raise BadRecord(f"'format' must be {FORMAT!r}, not {value.get('format')!r:.80}")
    _keys("", value, KEYS)
    if not isinstance(value["rules"], dict):
        raise BadRecord(f"'rules' are a mapping of house rules, not {value['rules']!r:.80}")
    result = value["result"]
    _keys("result: ", result, ("over", "scores", "winners"))
    if not isinstance(result["over"], bool):
        raise BadRecord(f"result, over: must be true or false, not {result['over']!r:.80}")
    _must_have_mark(value)
    return Record(
        game=value["game"],
        mark=value["rules_version"],
        rules=value["rules"],
        num_players=_whole("players", value["players"]),
        episode=value["episode"],
        calls=value["calls"],
        generator=_generator(value["generator"]),
        names=tuple(_list("names", value["names"])),
        rounds=_rounds(value["rounds"]),
        result=Result(
            result["over"],
            _points("result, scores", result["scores"]),
            _points("result, winners", result["winners"]),
        ),
    )


def _must_have_mark(value: dict[str, Any]) -> None:
    game, changes = value["game"], value["rules"]
    try:
        played = rules_in_file(game, changes)
    except DominoError as error:
        raise BadRecord(f"{'rules' if changes else 'game'}: {error}") from error
    if not has_mark(played, value["rules_version"]):
        raise BadRecord(
            f"rules_version: this was played by rules of another version, with the mark "
            f"{value['rules_version']!r:.40}; those of {game} here have {mark_of(played)!r}"
        )


def _rounds(value: Any) -> tuple[Round, ...]:
    rounds = _list("rounds", value)
    if not rounds:
        raise BadRecord("rounds: a record has one at least, with its deal")
    return tuple(_round(f"round {number}", each) for number, each in enumerate(rounds, 1))


def _round(name: str, value: Any) -> Round:
    _keys(f"{name}: ", value, ("deal", "moves", "points"))
    moves = _list(f"{name}, moves", value["moves"])
    for number, said in enumerate(moves, 1):
        _text(f"{name}, move {number}", said)
    return Round(
        _deal(f"{name}, deal", value["deal"]),
        tuple(moves),
        _points(f"{name}, points", value["points"]),
    )


def _deal(name: str, value: Any) -> Any:
    """A deal as `reset` takes it; whether it is one is seen when it is dealt."""
    if isinstance(value, dict) and "tiles" in value:
        _keys(f"{name}: ", value, ("tiles",))
        return _text(f"{name}, tiles", value["tiles"]).split()
    optional = [key for key in ("starter", "round") if isinstance(value, dict) and key in value]
    _keys(f"{name}: ", value, ("hands", "boneyard", *optional))
    hands = _list(f"{name}, hands", value["hands"])
    written = [_text(f"{name}, each of hands", hand).split() for hand in hands]
    boneyard = _text(f"{name}, boneyard", value["boneyard"]).split()
    return {**value, "hands": written, "boneyard": boneyard}


def _generator(value: Any) -> int:
    if not isinstance(value, str) or not re.fullmatch("[0-9a-f]{16}", value):
        raise BadRecord(f"generator: must be sixteen digits from 0 to f, not {value!r:.80}")
    return int(value, 16)


def _points(name: str, value: Any) -> tuple[int, ...]:
    return tuple(_whole(f"{name}, each", points) for points in _list(name, value))


def _keys(name: str, value: Any, known: Sequence[str]) -> None:
    """Refuses what is no mapping of just these."""
    if not isinstance(value, dict):
        raise BadRecord(f"{name}must be a mapping of {', '.join(known)}, not {value!r:.80}")
    for word in value:
        if word not in known:
            raise BadRecord(f"{name}unknown key {word[:80]!r}{did_you_mean(word[:80], known)}")
    for word in known:
        if word not in value:
            raise BadRecord(f"{name}{word!r} is missing")


def _list(name: str, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise BadRecord(f"{name}: must be a list, not {value!r:.80}")
    return value


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise BadRecord(f"{name}: must be a text, not {value!r:.80}")
    return value


def _whole(name: str, value: Any) -> int:
    if not is_whole(value):
        raise BadRecord(f"{name}: must be a whole number, not {value!r:.80}")
    return int(value)
