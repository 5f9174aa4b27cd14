"""Rebuilds a game from what an engine is told of it, so that our agents, which look at batches, can
be engines.

What the seat knows is written into a lane: its tiles, and the events as it saw them. A belief draws
a deal that agrees with that, and the round is played again from it. Hidden tiles are then some that
could be there, and all else, what the seat observes above all, is as it was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from domino_env.actions import Move, Tile, encode
from domino_env.batches import Batch
from domino_env.belief import Belief
from domino_env.engine import state
from domino_env.engine.events import END, SEAT, packed
from domino_env.engine.log import NAMES
from domino_env.errors import DominoError
from domino_env.protocol.rules_message import read_rules
from domino_env.protocol.serving.reasons import reasons
from domino_env.protocol.terms import ASKED
from domino_env.table_reader import read_position

KINDS = {name: kind for kind, name in NAMES.items()}
STAGES = {asked: stage for stage, asked in enumerate(ASKED, 1)}
MOST_TRIES = 4096  # of generators: a tile that is taken at random must be the one that was


class CannotRebuild(DominoError):
    """A state that no game can have come to."""


class Rebuilder:
    """Rebuilds games of one kind.

    Args:
        said: the message `rules`.
        seed: of the deals that are drawn.
    """

    def __init__(self, said: Mapping[str, Any], seed: int = 0) -> None:
        self.rules = read_rules(dict(said))
        self.players, self.calls = int(said["players"]), str(said["calls"])
        self._episode = "match" if said["match"] else "round"
        self._numbers = {tile: number for number, tile in enumerate(said["tiles"])}
        self._tiles = len(said["tiles"])
        self._rng = np.random.default_rng(seed)
        self._seen, self._game = self.new_batch(1), self.new_batch(1)
        self._seen.reset(seed=0)
        self._belief = Belief(self._seen, seed)
        self._world = self._belief.new_worlds(1)

    def new_batch(self, games: int) -> Batch:
        """A batch of such games."""
        how: dict[str, Any] = {
            "episode": self._episode,
            "calls": self.calls,
            "reward": "points",
            "seed": 0,
        }
        return Batch(self.rules, games, self.players, autoreset=False, **how)

    def rebuild(self, shown: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> bytes:
        """A game at the decision that a state shows, saved, to be restored into a batch.

        Args:
            shown: the state.
            events: all events of its round.
        """
        if self.rules.rows:
            deal = self._deal_of_rows(shown, events)
            words = self._words(shown, events)
        else:
            deal = self._draw_deal(shown, events)
            words = self._world._logs[0, self._tiles : self._tiles + len(events)].tolist()
        self._game.reset(seed=int(self._rng.integers(2**32)), options={"deal": deal})
        self._replay(events, words)
        self._set_match(shown)
        return self._game.save(0)

    # The deal -----------------------------------------------------------------------------------

    def _draw_deal(self, shown: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> Any:
        """A deal that agrees with all that the seat has seen."""
        self._write(shown, events)
        self._belief._fill(self._world, [0], [shown["seat"]])
        return read_position(self._world, 0).deal

    def _write(self, shown: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> None:
        """Writes what the seat knows into a lane: all that a belief looks at, and no more."""
        game, log = self._seen._games[0], self._seen._logs[0]
        seat, now = shown["seat"], self._tiles + len(events)
        game["log_size"] = now
        log[self._tiles : now] = self._words(shown, events)
        deck = self._deck(seat, shown, events)
        game["deck"][: self._tiles] = deck
        log[: self._tiles] = deck
        game["hands"][:] = 0
        for tile in shown["hand"]:
            number = self._numbers[tile]
            game["hands"][seat, number >> 6] |= np.uint64(1 << (number & 63))
        game["stage"] = STAGES.get(shown["question"], state.PLAY)
        game["turn"], game["to_move"] = shown["turn"], seat
        game["round_number"], game["free_lead"] = shown["round"], shown.get("free", False)
        game["starter"] = self._starter(shown, events)
        game["next"], game["deck_end"] = 0, max(0, shown["drawable"])

    def _deck(
        self, seat: int, shown: Mapping[str, Any], events: Sequence[Mapping[str, Any]]
    ) -> list[int]:
        """A deck with the tiles that the seat was dealt and has drawn in their places, the start
        tiles too; whatever else in the others."""
        size = self.rules.hand_size_for(self.players)
        places = dict(enumerate(dealt_to(seat, shown["hand"], events), seat * size))
        out = self.players * size
        for event in sorted(events, key=lambda each: each["kind"] != "start"):
            if event["kind"] in ("start", "draw"):
                if "tile" in event:
                    places[out] = event["tile"]
                out += 1
        known = {place: self._numbers[tile] for place, tile in places.items()}
        left_out = self.rules.left_out_with(self.players)
        used = {*known.values(), *left_out}
        rest = iter([number for number in range(self._tiles) if number not in used])
        dealt = range(self._tiles - len(left_out))
        return [known[place] if place in known else next(rest) for place in dealt] + left_out

    def _deal_of_rows(self, shown: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> Any:
        """Rows in which every tile that has been turned up lies where it was (BL1-BL3)."""
        size = self.rules.hand_size_for(self.players)
        rings = [[*range(seat * size, (seat + 1) * size)] for seat in range(self.players)]
        known: dict[int, int] = {}
        for event in events:
            ring = rings[event["seat"]] if event["seat"] is not None else []
            if event["kind"] in ("flip", "play"):
                known[ring[0]] = self._numbers[event["tile"]]
            if event["kind"] == "back":
                ring.append(ring.pop(0))
            elif event["kind"] == "play":
                ring.pop(0)
        rest = iter([n for n in range(self._tiles) if n not in {*known.values()}])
        faces = [Tile(*each) for each in self.rules.tile_set.faces]
        order = [faces[known[at] if at in known else next(rest)] for at in range(self._tiles)]
        dealt = size * self.players
        deal: dict[str, Any] = {
            "hands": [order[seat * size : (seat + 1) * size] for seat in range(self.players)],
            "boneyard": order[dealt:],
        }
        if self.rules.opening.starter in ("lot", "in_turn") or shown.get("free"):
            deal["starter"] = self._starter(shown, events)
        return deal

    def _starter(self, shown: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> int:
        if "lead" in shown:
            return int(shown["lead"])
        did = (event["seat"] for event in events if event["seat"] is not None)
        return int(next(did, shown["turn"]))

    def _words(self, shown: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> list[int]:
        """Events as words of a log."""
        whys = reasons(self.rules, events, shown["turn"])
        return [self._word(event, why) for event, why in zip(events, whys, strict=True)]

    def _word(self, event: Mapping[str, Any], why: int) -> int:
        seat = state.NOBODY if event["seat"] is None else event["seat"]
        tile = self._numbers[event["tile"]] if "tile" in event else 0
        end = event.get("end", event.get("giver", why))
        return packed(KINDS[event["kind"]], seat, tile, end, event.get("half", 0))

    # The round ----------------------------------------------------------------------------------

    def _replay(self, events: Sequence[Mapping[str, Any]], words: Sequence[int]) -> None:
        """Plays the round up to now, with everything as it happened."""
        game = self._game
        while (done := self._done) < len(events):
            event = events[done]
            if not self._agrees(words, done) or event["seat"] != int(game.seat[0]):
                raise CannotRebuild(f"event {done} cannot have happened: {event}")
            action = self._action(event)
            saved = game.save(0)
            for _ in range(MOST_TRIES):
                game.step_one(action)
                if self._agrees(words, self._done):
                    break
                game.restore(0, saved)
                game._games["rng"][0] = self._rng.integers(2**63)
            else:
                raise CannotRebuild(f"after event {done} nothing came as it did: {event}")

    @property
    def _done(self) -> int:
        return int(self._game._games["log_size"][0]) - self._tiles

    def _agrees(self, words: Sequence[int], done: int) -> bool:
        """Has everything so far happened as it did? Why somebody drew is not known."""
        if done > len(words):
            return False
        found = self._game._logs[0, self._tiles : self._tiles + done].tolist()
        return all(map(_alike, found, words))

    def _action(self, event: Mapping[str, Any]) -> int:
        how = (self.calls, self.players)
        if event["kind"] != "play":
            return encode(self.rules, Move(event["kind"]), *how)
        faces = Tile(*self.rules.tile_set.faces[self._numbers[event["tile"]]])
        return encode(self.rules, Move("play", faces, event["end"], event["half"]), *how)

    def _set_match(self, shown: Mapping[str, Any]) -> None:
        """Sets what the rounds before have left, which a deal begins without."""
        record = self._game._games[0]
        scores = np.array(shown["scores"], np.int32)
        gained = record["scores"][: self.players] - record["banked"][: self.players]
        record["scores"][: self.players] = scores
        record["banked"][: self.players] = scores - gained
        record["round_number"], record["rounds_won"] = shown["round"], shown.get("won", 0)
        if "lead" in shown:
            record["starter"] = shown["lead"]


def dealt_to(seat: int, hand: Sequence[str], events: Sequence[Mapping[str, Any]]) -> list[str]:
    """The tiles that a seat was dealt: those of its hand, with all that has happened undone."""
    held = dict.fromkeys(hand)
    for event in reversed(events):
        kind, tile = event["kind"], event.get("tile")
        lost = (kind == "play" and event["seat"] == seat) or (
            kind == "take" and event["giver"] == seat
        )
        won = kind in ("draw", "take") and event["seat"] == seat
        if lost:
            held[tile] = None
        elif won:
            held.pop(tile, None)
    return [*held]


def _alike(one: int, other: int) -> bool:
    """Are two events of a log the same, as far as they are told? "Call" is an answer to two
    questions."""
    kept = _TOLD.get(one & 31, _SEAT)
    return NAMES[one & 31] == NAMES[other & 31] and one & kept == other & kept


_SEAT = 15 << SEAT
_WITH_TILE = (1 << END) - 1
_TOLD = {
    state.PLAYED: ~0,
    state.TOOK: ~0,
    **dict.fromkeys((state.DREW, state.FLIPPED, state.PUT_BACK, state.LAID_OUT), _WITH_TILE),
}
