"""A conversation with an engine: its first two answers, and requests for moves. It is begun anew
after a fault, at the next request."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from domino_env.engine.game_setup import Setup
from domino_env.errors import is_whole
from domino_env.protocol.answers import common_moves
from domino_env.protocol.descriptions import VERSION, Description, read_description
from domino_env.protocol.faults import EngineFault, StartFailed, shown
from domino_env.protocol.process import EngineProcess, Limits
from domino_env.protocol.rules_message import rules_line
from domino_env.protocol.states import in_json

HOST = "domino-env"
START_SECONDS = 30.0  # for each of the first two answers
ALLOWANCE = 0.1  # seconds that the host adds to each limit
MOST_STARTS = 3  # in a row that fail
ANSWER_BYTES, BYTES_A_GAME = 64 << 10, 4 << 10
WRITE_SECONDS = 10.0  # for what is not answered


@dataclass
class Info:
    """What an engine has said about a decision: values by the ids of moves, and a text."""

    values: dict[int, float] = field(default_factory=dict)
    text: str = ""


@dataclass
class Answers:
    """What came of a request.

    Attributes:
        moves: the ids of the moves that the engine has chosen, by the numbers of the games.
        fault: why there is none for the others.
        infos: what else it said, by the numbers of the games.
        seconds: how long it took.
    """

    moves: dict[int, int] = field(default_factory=dict)
    fault: str = ""
    infos: dict[int, Info] = field(default_factory=dict)
    seconds: float = 0.0


class Session:
    """Talks to an engine, whatever process it is in.

    Args:
        command: the program and its arguments.
        limits: what it may use.
        options: what it is to be set to.
        seed: for its generator, if it has an option of that name.
        on_start: is called when a process begins that has not been told anything.
    """

    def __init__(
        self,
        command: Sequence[str],
        limits: Limits,
        options: Mapping[str, Any],
        seed: int | None = None,
        on_start: Callable[[], None] = lambda: None,
    ) -> None:
        self._command, self._limits = tuple(command), limits
        self._options, self._seed, self._on_start = dict(options), seed, on_start
        self._process: EngineProcess | None = None
        self._failed_starts = self._requests = 0
        self._rules: dict[Setup, int] = {}
        self._asked_of: tuple[Setup | None, int] = None, 0  # what was asked about last
        self._untold: list[bytes] = []  # rules
        self._ended: list[dict[str, Any]] = []
        self.description: Description | None = None
        self.starts = 0

    @property
    def runs(self) -> bool:
        """Is there a process?"""
        return self._process is not None and self._process.end.alive

    def start(self) -> Description:
        """Starts the engine, unless it runs, and hears what it says of itself."""
        if self.description is not None and self.runs:
            return self.description
        if self._failed_starts >= MOST_STARTS:
            raise StartFailed(f"failed to start {MOST_STARTS} times in a row, and is given up")
        self._failed_starts += 1
        self._rules.clear()
        self._asked_of = None, 0
        self._untold.clear()
        self._ended.clear()
        self._on_start()
        try:
            self._process = EngineProcess(self._command, self._limits)
            self.description = self._greet()
        except EngineFault as fault:
            self.kill()
            raise fault if isinstance(fault, StartFailed) else StartFailed(str(fault)) from fault
        except BaseException:
            self.kill()
            raise
        self._failed_starts = 0
        self.starts += 1
        return self.description

    def _greet(self) -> Description:
        hello = {"type": "hello", "protocol": VERSION, "host": HOST}
        found = read_description(self._answer("hello", hello))
        found.check(self._options)
        options = dict(self._options)
        if "seed" in found.options and self._seed is not None:
            options.setdefault("seed", self._seed)
        ready = self._answer("setup", {"type": "setup", "options": options})
        if ready.get("type") != "ready":
            raise EngineFault(f"answered setup with a message of type {ready.get('type')!r:.40}")
        return found

    def _answer(self, name: str, said: dict[str, Any]) -> dict[str, Any]:
        """The one line that answers a message."""
        assert self._process is not None
        lines = self._process.exchange(_line(said), monotonic() + START_SECONDS, ANSWER_BYTES)
        try:
            return read_line(next(lines))
        except TimeoutError:
            raise EngineFault(f"did not answer {name} within {START_SECONDS:g} seconds") from None
        finally:
            lines.close()  # type: ignore[attr-defined]  # it is a generator

    def rules_number(self, setup: Setup) -> int:
        """The number by which the engine knows these rules; it is told them with the next request,
        if it has not been."""
        if setup is not self._asked_of[0]:  # a shortcut: rules are long, and compared in full
            if setup not in self._rules:
                self._rules[setup] = len(self._rules) + 1
                self._untold.append(rules_line(setup, self._rules[setup]))
            self._asked_of = setup, self._rules[setup]
        return self._asked_of[1]

    def end_games(self, games: Sequence[dict[str, Any]]) -> None:
        """Games will not come again: the engine is told with its next request, or when it quits."""
        self._ended += games

    def ask(
        self, states: bytes | memoryview, numbers: Sequence[int], seconds: float | None
    ) -> Answers:
        """Asks for a move in each of some games.

        Args:
            states: the games as the engine sees them, in JSON, with commas between them.
            numbers: of the games.
            seconds: for all of them; None: as long as it likes.
        """
        answers, began = Answers(), monotonic()
        try:
            self._hear(self._request(states, seconds), numbers, seconds, answers)
        except TimeoutError:
            games = "a game" if len(numbers) == 1 else f"{len(numbers)} games"
            answers.fault = f"gave no answer within {seconds:g} seconds, asked about {games}"
        except EngineFault as fault:
            answers.fault = str(fault)
        except BaseException:
            self.kill()  # it would answer a question that nobody asks any more
            raise
        if answers.fault:
            self.kill()
        answers.seconds = monotonic() - began
        return answers

    def _request(self, states: bytes | memoryview, seconds: float | None) -> bytes:
        self._requests += 1
        limit = "" if seconds is None else f'"seconds":{seconds:.6g},'
        head = f'{{"type":"move","request":{self._requests},{limit}"games":['
        return b"".join((self._news(), head.encode(), states, b"]}\n"))

    def _hear(
        self, said: bytes, numbers: Sequence[int], seconds: float | None, answers: Answers
    ) -> None:
        """Sends a request, and reads answers until there is one for every game."""
        assert self._process is not None
        deadline = None if seconds is None else monotonic() + seconds + ALLOWANCE
        most = ANSWER_BYTES + BYTES_A_GAME * len(numbers)
        wanted = {*numbers}
        lines = self._process.exchange(said, deadline, most)
        try:
            while len(answers.moves) < len(wanted):
                self._take(next(lines), wanted, answers)
        finally:
            lines.close()  # type: ignore[attr-defined]

    def _news(self) -> bytes:
        """Rules and ends that the engine has not been told yet."""
        told = b"".join(self._untold)
        self._untold.clear()
        if self._ended:
            told = _line({"type": "end", "games": self._ended}) + told
            self._ended = []
        return told

    def _take(self, line: bytes, wanted: set[int], answers: Answers) -> None:
        """Takes a line of an answer: at once if there is nothing odd about it."""
        moves = common_moves(line, self._requests, len(wanted))
        if moves and moves.keys() <= wanted and moves.keys().isdisjoint(answers.moves):
            answers.moves.update(moves)
        else:
            self._take_with_care(read_line(line), wanted, answers)

    def _take_with_care(self, said: dict[str, Any], wanted: set[int], answers: Answers) -> None:
        """Takes any line, and says what is wrong with it."""
        kind = said.get("type")
        if kind not in ("move", "info"):
            raise EngineFault(f"answered move with a message of type {kind!r:.40}")
        if said.get("request") != self._requests:
            raise EngineFault(
                f"answered request {said.get('request')!r:.40} when it was asked {self._requests}"
            )
        if kind == "info":
            _note_info(said, wanted, answers.infos)
            return
        moves = said.get("moves")
        if not isinstance(moves, list) or not all(isinstance(each, dict) for each in moves):
            raise EngineFault("answered move without a list of moves")
        for each in moves:
            game, chosen = each.get("game"), each.get("id")
            if not is_whole(game) or game not in wanted:
                raise EngineFault(f"answered for game {game!r:.40}, which was not asked about")
            if game in answers.moves:
                raise EngineFault(f"answered twice for game {game}")
            if not is_whole(chosen):
                raise EngineFault(f"answered with the id {chosen!r:.40}, which is no whole number")
            answers.moves[game] = chosen

    def quit(self) -> None:
        """Ends the engine, which may exit by itself."""
        if self._process is not None:
            self._process.quit()
        self._process = None

    def kill(self) -> None:
        """Ends the engine at once."""
        if self._process is not None:
            self._process.end()
        self._process = None


def read_line(line: bytes) -> dict[str, Any]:
    """A line of an engine as a message."""
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        raise EngineFault(f"wrote a line that is no JSON: {shown(line)}") from None
    if not isinstance(said, dict):
        raise EngineFault(f"wrote a line that is no JSON object: {shown(line)}")
    return said


def _note_info(said: dict[str, Any], wanted: set[int], infos: dict[int, Info]) -> None:
    game: Any = said.get("game")
    values, text = said.get("values", []), said.get("text", "")
    asked = is_whole(game) and game in wanted
    if not asked or not isinstance(values, list) or not isinstance(text, str):
        raise EngineFault("wrote info of a game that was not asked about, or of no known form")
    info = infos.setdefault(game, Info())
    for each in values:
        chosen: Any = each.get("id") if isinstance(each, dict) else None
        value: Any = each.get("value") if isinstance(each, dict) else None
        if not is_whole(chosen) or not isinstance(value, (int, float)):
            raise EngineFault("wrote info with values that are no ids and numbers")
        info.values[chosen] = float(value)
    info.text = text or info.text


def _line(said: dict[str, Any]) -> bytes:
    return f"{in_json(said)}\n".encode()
