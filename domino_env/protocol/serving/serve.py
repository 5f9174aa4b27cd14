"""An agent as an engine: it reads messages, and answers them by what the agent does."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from inspect import signature
from typing import Any, TextIO

import numpy as np

from domino_env import agents
from domino_env.actions import decode
from domino_env.batches import Batch
from domino_env.errors import DominoError
from domino_env.games import rules_of, variants
from domino_env.protocol.descriptions import VERSION
from domino_env.protocol.serving.rebuilding import Rebuilder
from domino_env.protocol.states import in_json

AUTHOR = "domino-env"
MakeAgent = Callable[[int | None], Any]
"""Makes the agent, with a seed if it is stochastic."""


class AgentEngine:
    """Answers the messages of a host.

    Args:
        name: how it is to be called.
        make: makes the agent.
        takes_seed: has it a seed?
        games: the ids of the games that it plays.
    """

    def __init__(self, name: str, make: MakeAgent, takes_seed: bool, games: Sequence[str]) -> None:
        self._name, self._make, self._takes_seed, self._games = name, make, takes_seed, [*games]
        self._agent: Any = None
        self._tells = False
        self._rules: dict[int, Rebuilder] = {}
        self._tables: dict[tuple[int, int], Batch] = {}
        self._events: dict[int, list[Any]] = {}  # of the round of each game

    def answers(self, message: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """What is answered to a message; nothing to many."""
        kind = message.get("type")
        if kind == "hello":
            yield self._hello()
        elif kind == "setup":
            self._set_up(message.get("options", {}))
            yield {"type": "ready"}
        elif kind == "rules":
            self._rules[message["rules"]] = Rebuilder(message)
        elif kind == "move":
            yield from self._decide(message["request"], message["games"])
        elif kind == "end":
            for game in message["games"]:
                self._events.pop(game["game"], None)

    def _hello(self) -> dict[str, Any]:
        options = [{"name": "tells", "type": "boolean", "default": False}]
        if self._takes_seed:
            options.append({"name": "seed", "type": "integer", "default": 0, "low": 0})
        said = {"type": "hello", "protocol": VERSION, "name": self._name, "author": AUTHOR}
        return {**said, "games": self._games, "options": options}

    def _set_up(self, options: Mapping[str, Any]) -> None:
        self._tells = bool(options.get("tells", False))
        self._agent = self._make(options.get("seed", 0) if self._takes_seed else None)

    def _decide(self, request: int, games: Sequence[Any]) -> Iterator[dict[str, Any]]:
        """Answers for all games that are played by the same rules at once."""
        by_rules: dict[int, list[Any]] = {}
        for game in games:
            by_rules.setdefault(game["rules"], []).append(game)
        chosen: list[dict[str, int]] = []
        for number, games_alike in by_rules.items():
            group, table, lost = self._table(number, games_alike)
            yield from (_apology(request, game, why) for game, why in lost)
            chosen += [{"game": game["game"], "id": game["moves"][0]["id"]} for game, _ in lost]
            if not group:
                continue
            actions = self._agent.act(table, np.arange(len(group)))
            chosen += [
                {"game": game["game"], "id": _id_of(table, int(action), game)}
                for game, action in zip(group, actions, strict=True)
            ]
            yield from self._infos(request, group, table)
        yield {"type": "move", "request": request, "moves": chosen}

    def _table(
        self, number: int, games: Sequence[Any]
    ) -> tuple[list[Any], Batch, list[tuple[Any, str]]]:
        """Some games, a batch with a lane for each of them, and games that cannot be rebuilt, each
        with the reason."""
        known, saved, lost = self._rules[number], [], []
        for game in games:
            try:
                saved.append((game, known.rebuild(game, self._events_of(game))))
            except DominoError as error:
                lost.append((game, str(error)))
        size = max(1, len(saved))
        if (number, size) not in self._tables:
            self._tables[number, size] = known.new_batch(size)
            self._tables[number, size].reset()
        table = self._tables[number, size]
        for lane, (_, each) in enumerate(saved):
            table.restore(lane, each)
        return [game for game, _ in saved], table, lost

    def _events_of(self, game: Mapping[str, Any]) -> list[Any]:
        """All events of the round of a game, the latest included."""
        events = self._events.setdefault(game["game"], [])
        del events[game["first"] :]
        events += game["events"]
        return events

    def _infos(self, request: int, group: Sequence[Any], table: Batch) -> Iterator[dict[str, Any]]:
        """The values of the moves, if the agent weighs them and is to tell."""
        if not self._tells or not hasattr(self._agent, "weigh"):
            return
        for lane, game in enumerate(group):
            values = [
                {"id": _id_of(table, int(action), game), "value": round(float(value), 3)}
                for action, value in self._agent.weigh(table, lane)
            ]
            yield {"type": "info", "request": request, "game": game["game"], "values": values}


def _apology(request: int, game: Mapping[str, Any], why: str) -> dict[str, Any]:
    """What is said where the first legal move is played, since a game cannot be rebuilt."""
    text = f"the first legal move: {why}"
    return {"type": "info", "request": request, "game": game["game"], "text": text}


def _id_of(table: Batch, action: int, game: Mapping[str, Any]) -> int:
    """The id that the host has given to a move."""
    move = decode(table.rules, action, table.calls, table.num_players)
    for each in game["moves"]:
        if each["kind"] != move.kind:
            continue
        if move.kind != "play" or (
            (each["tile"], each["end"], each["half"]) == (str(move.tile), move.end, move.half)
        ):
            return int(each["id"])
    raise AssertionError(f"{move} is not among the moves {game['moves']}")


def serve(agent: Any, options: Mapping[str, Any], source: TextIO, out: TextIO) -> None:
    """Plays an agent for a host, until it says quit or writes no more.

    Args:
        agent: its name, or whatever can stand for it.
        options: of the agent.
        source: the host's lines.
        out: where answers are written.
    """
    kind = agents.found(agent)
    takes_seed = isinstance(kind, type) and "seed" in signature(kind).parameters
    takes_seed = takes_seed and "seed" not in options

    def make(seed: int | None) -> Any:
        return agents.make(agent, **options, **({} if seed is None else {"seed": seed}))

    first = make(0 if takes_seed else None)
    games = [game for game in variants() if _is_for(first, game)]
    engine = AgentEngine(agents.label(agent), make, takes_seed, games)
    for line in source:
        message = json.loads(line)
        if message.get("type") == "quit":
            return
        for answer in engine.answers(message):
            out.write(f"{in_json(answer)}\n")
        out.flush()


def _is_for(agent: Any, game: str) -> bool:
    return bool(rules_of(game).has_opponents) and agents.plays(agent, game)
