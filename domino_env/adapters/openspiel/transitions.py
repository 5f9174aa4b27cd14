"""State transitions of a game with explicit chance: how one situation leads to the next.

A `Situation` is an immutable value, so it needs no copies. `TransitionModel` has the engine's
batches; it restores a situation on them to play on from there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from domino_env import lanes
from domino_env.adapters.openspiel.chance import Chances, Outcomes
from domino_env.adapters.openspiel.strings import GameStrings
from domino_env.batches import Batch
from domino_env.engine.log import unpack
from domino_env.engine.rng import pick_from
from domino_env.engine.state import DREW, PLAYED, TOOK
from domino_env.ruleset import Opening, Rules

BY_LOT = -2  # in the place of a starter
CHANCE, OVER = -1, -4  # in the place of a seat to move, as OpenSpiel numbers them


class PastRound(NamedTuple):
    """What a round of a match has from those before it: see `engine.state`."""

    free_lead: int = 0
    starter: int = -1
    last_starter: int = 0
    round_winner: int = -1
    rounds_won: int = 0


FIRST = PastRound()


@dataclass(frozen=True)
class Situation:
    """A state of the game: what has been decided, by players and by chance."""

    points: tuple[int, ...]
    """What each seat had when the round began."""
    round: int
    began: int
    """How many moves, of players and of chance, were made before this round."""
    moves: int
    returns: tuple[float, ...]
    rewards: tuple[float, ...]
    """What the last decision has earned."""
    past: tuple[str, ...]
    """What each seat has witnessed in earlier rounds."""
    player: int = CHANCE
    asks: str = "tile"
    """What chance decides: who is the "starter", a "tile" of the deck, or one to "take"."""
    starter: int = -1
    """The first player, where lots are drawn or it goes in turn."""
    dealt: tuple[int, ...] = ()
    """The tiles of the deck that chance has determined, from the first."""
    saved: bytes = b""
    """The round on the engine, as the last decision found it; empty while hands are dealt."""
    settled: int = 0
    """How many tiles of the deck were determined by then."""
    legal: tuple[int, ...] = ()
    action: int = -1
    """A decision that waits for chance; -1: none."""
    takes: tuple[tuple[int, int], ...] = ()
    """The tiles that it takes out of hands, as far as chance has determined them: the size of the
    hand, and which of its tiles in their order."""
    hand: tuple[int, ...] = ()
    """The tiles of which chance takes one."""
    past_round: PastRound = FIRST

    def __deepcopy__(self, memo: Any) -> Situation:
        return self

    @property
    def is_dealing(self) -> bool:
        """Is nothing on the table yet?"""
        return not self.saved


FREE = Opening(starter="lot", tile="any")


class TransitionModel:
    """The transitions of a game: what can follow each situation, as the engine plays it.

    Attributes:
        batch: a batch of one; `show` puts a situation on it.
        first: the situation before anything is dealt.
        strings: actions, outcomes and what seats have witnessed, as text.
    """

    def __init__(
        self, rules: Rules, players: int | None, episode: str, reward: str, calls: str
    ) -> None:
        def table(episode: str, rules: Rules = rules) -> Batch:
            batch = Batch(rules, 1, players, 0, 1, episode, reward, calls, autoreset=False)
            batch.reset()
            return batch

        self.batch = table(episode)
        # A match goes on to its next round by itself; this shows how a round ends.
        self._round_batch = self.batch if episode == "round" else table("round")
        self._shown: bytes | None = None
        self._chances = Chances(self.batch)
        self._free_chances = self._chances
        if leads_are_free(rules):  # a round that is led can have any deal
            self._free_chances = Chances(table("round", replace(rules, opening=FREE)))
        self.strings = GameStrings(self.batch)
        nothing = (0.0,) * self.batch.num_players
        self.first = self._next_round(
            Situation(
                (0,) * self.batch.num_players, 0, 0, 0, nothing, nothing, ("",) * len(nothing)
            )
        )

    def _next_round(self, before: Situation) -> Situation:
        """The beginning of the next round."""
        number = before.round + 1
        if leads_are_free(self.batch.rules) and before.past_round.free_lead:
            return self._led_round(before)
        starter = self._starter(before.starter, number)
        return Situation(
            before.points,
            number,
            before.moves,
            before.moves,
            before.returns,
            before.rewards,
            before.past,
            asks="starter" if starter == BY_LOT else "tile",
            starter=max(starter, -1),
            dealt=self._chances.middle_of(number),
            past_round=before.past_round,
        )

    def _starter(self, before: int, number: int) -> int:
        """The seat that leads a round of this number, after the one that led before; BY_LOT, or -1
        where a tile decides."""
        opening, seats = self.batch.rules.opening, self.batch.num_players
        if opening.tile == "middle" and opening.later == "next_seat" and number > 1:
            return (before + 1) % seats
        if opening.starter == "in_turn" and self.batch.episode == "match":
            return (number - 1) % seats
        return BY_LOT if opening.starter in ("lot", "in_turn") else -1

    def _led_round(self, before: Situation) -> Situation:
        """The same where the lead follows from the round before."""
        return Situation(
            before.points,
            before.round + 1,
            before.moves,
            before.moves,
            before.returns,
            before.rewards,
            before.past,
            asks="tile",
            starter=before.past_round.starter,
            past_round=before.past_round,
        )

    def _chances_of(self, now: Situation) -> Chances:
        """The chances of a round: where a lead is free no deal is dealt again."""
        return self._free_chances if now.past_round.free_lead else self._chances

    # What can happen -----------------------------------------------------------------------------

    def outcomes(self, now: Situation) -> Outcomes:
        """What chance can bring, and how likely each of it is."""
        if now.asks == "starter":
            seats = self.batch.num_players
            return [(seat, 1 / seats) for seat in range(seats)]
        if now.asks == "take":
            return [(tile, 1 / len(now.hand)) for tile in now.hand]
        chances = self._chances_of(now)
        if len(now.dealt) < chances.before_play:
            return chances.of_hands(now.dealt, now.round)
        return chances.of_boneyard(now.dealt)

    def apply_outcome(self, now: Situation, outcome: int) -> Situation:
        """What follows where chance has decided."""
        moved = replace(now, moves=now.moves + 1)
        if now.asks == "starter":
            return replace(moved, starter=outcome, asks="tile")
        if now.asks == "take":
            taken = (len(now.hand), now.hand.index(outcome))
            return self._carry_out(replace(moved, takes=(*now.takes, taken)))
        moved = replace(moved, dealt=(*now.dealt, outcome))
        if len(moved.dealt) < self._chances.before_play:
            return moved
        return self._open(moved) if now.is_dealing else self._carry_out(moved)

    def apply_action(self, now: Situation, action: int) -> Situation:
        """What follows where a player has decided."""
        return self._carry_out(replace(now, action=action, moves=now.moves + 1))

    def _open(self, now: Situation) -> Situation:
        """Opens a round whose hands are dealt, if its start tiles and draws are determined."""
        batch, players = self.batch, self.batch.num_players
        deck = self._chances_of(now).deck(now.starter, now.dealt)
        self._shown = None
        refused = _deal(batch, deck, now.starter, now.round)
        if int(batch.games["next"][0]) > len(now.dealt):
            return now
        if refused and batch.episode == "match":
            before = (now.starter - 1) % players  # if it is the next seat that leads
            return self._next_round(replace(now, round=now.round - 1, starter=before))
        if refused:
            return replace(now, player=OVER)
        batch._games["scores"][0, :players] += now.points
        batch._games["banked"][0, :players] = now.points
        batch._games["round_number"][0] = now.round
        batch._games["rounds_won"][0] = now.past_round.rounds_won
        if now.past_round.free_lead:
            for name, value in now.past_round._asdict().items():
                batch._games[name][0] = value
        batch._show_anew()
        return self._found(now)

    def _carry_out(self, now: Situation) -> Situation:
        """Carries out a decision, if chance has determined all that it brings about."""
        trial = self._round_batch
        self._put(trial, now)
        before = int(trial.games["log_size"][0])
        hands = trial.games["hands"][0].copy()
        self._step(trial, now)
        if int(trial.games["next"][0]) > len(now.dealt):
            return replace(now, player=CHANCE, asks="tile")
        words = trial.events[0, before : int(trial.games["log_size"][0])].tolist()
        taken = [place for place, word in enumerate(words) if unpack(word).kind == TOOK]
        if len(taken) > len(now.takes):
            hand = _hand_before(hands, words[: taken[len(now.takes)] + 1])
            return replace(now, player=CHANCE, asks="take", hand=hand)
        if trial is not self.batch:
            return self._go_on(now)
        return self._found(now)

    def _go_on(self, now: Situation) -> Situation:
        """The same in a match, where a round may be over and the next one begin."""
        self._put(self.batch, now)
        self._step(self.batch, now)
        if self.batch.done[0] or not self._round_batch.done[0]:
            return self._found(now)
        points = self.batch.games["banked"][0, : self.batch.num_players].tolist()
        past = self.strings.of_round(self._round_batch, now)
        earned = replace(self._earned(now), points=tuple(points), past=past)
        return self._next_round(replace(earned, past_round=_past_round(self.batch.games[0])))

    def _found(self, now: Situation) -> Situation:
        """The situation that the batch has come to: a decision, or the end."""
        batch = self.batch
        if not now.is_dealing:
            now = self._earned(now)
        self._shown = _packed(batch)
        return replace(
            now,
            player=OVER if batch.done[0] else int(batch.seat[0]),
            saved=self._shown,
            settled=len(now.dealt),
            legal=tuple(sorted(batch.legal[0, : batch.num_legal[0]].tolist())),
            asks="",
            action=-1,
            takes=(),
            hand=(),
        )

    def _earned(self, now: Situation) -> Situation:
        # Margins are means over opponents: in float32 they would not quite sum to zero.
        opponents = self.batch.num_players - 1 - self.batch.rules.teams
        rewards = tuple(round(r * opponents) / opponents for r in self.batch.reward[0].tolist())
        returns = tuple(map(sum, zip(now.returns, rewards, strict=True)))
        return replace(now, rewards=rewards, returns=returns)

    # On the engine -------------------------------------------------------------------------------

    def show(self, now: Situation) -> Batch:
        """The batch, with the situation on it: of a decision that waits, as it was found."""
        self._put(self.batch, now)
        return self.batch

    def dealing_order(self, starter: int, deck: list[int]) -> list[int]:
        """The tiles of a deck in the order in which chance deals them."""
        return self._chances.dealing_order(starter, deck)

    def _put(self, batch: Batch, now: Situation) -> None:
        if batch is self.batch and self._shown is now.saved:
            return
        size = batch.games.itemsize
        batch._games.view(np.uint8)[:] = np.frombuffer(now.saved, np.uint8, size)
        words = np.frombuffer(now.saved, np.uint32, offset=size)
        batch._logs[0, : len(words)] = words
        batch._show_anew()
        if batch is self.batch:
            self._shown = now.saved

    def _step(self, batch: Batch, now: Situation) -> None:
        """Carries out the decision, with the boneyard and the generator as chance has it."""
        if batch is self.batch:
            self._shown = None
        if len(now.dealt) > now.settled:
            deck = self._chances.deck(now.starter, now.dealt)
            batch._games["deck"][0, now.settled : len(deck)] = deck[now.settled :]
            batch._logs[0, now.settled : len(deck)] = deck[now.settled :]
        batch._games["rng"][0] = _generator(now.takes)
        batch.step_one(now.action)


def leads_are_free(rules: Rules) -> bool:
    """Is a later round of a match led by who follows from the one before, with any tile?"""
    return rules.opening.later != "as_first" and rules.opening.tile != "middle"


def _past_round(dealt: Any) -> PastRound:
    """What a round that has been dealt has from those before it."""
    return PastRound(*(int(dealt[name]) for name in PastRound._fields))


def _deal(batch: Batch, deck: list[int], starter: int, number: int) -> bool:
    """Deals a deck to a batch as a round of this number; would the rules deal it again? (`reset`
    changes nothing then, but here is to be seen how far the deal went.)"""
    deal = np.array([deck], np.uint8), np.array([starter])
    kernel: Any = lanes.deal_lanes
    rule_table, *others = batch._arrays()
    first = kernel(_from_round(rule_table, number), *others, *deal, 0, 1)
    return bool(first >= 0)


def _from_round(rule_table: Any, number: int) -> Any:
    """A rule table whose first double is that of a later round: a deal is always of a first."""
    if number == 1:
        return rule_table
    turned = rule_table.copy()
    turned["round_doubles"] = np.roll(rule_table["round_doubles"], 1 - number)
    turned.flags.writeable = False
    return turned


def _packed(batch: Batch) -> bytes:
    size = int(batch.games["log_size"][0])
    return bytes(batch.games.tobytes() + batch.events[0, :size].tobytes())


def _hand_before(hands: Any, words: list[int]) -> tuple[int, ...]:
    """The hand out of which the last of some events takes a tile; `hands` are those before them."""
    *others, last = map(unpack, words)
    held = {seat: _tiles(hand) for seat, hand in enumerate(hands)}
    for event in others:
        if event.kind == TOOK:
            held[event.end].remove(event.tile)
        if event.kind in (TOOK, DREW):
            held[event.seat].add(event.tile)
        if event.kind == PLAYED:
            held[event.seat].remove(event.tile)
    return tuple(sorted(held[last.end]))


def _tiles(hand: Any) -> set[int]:
    bits = sum(int(word) << 64 * w for w, word in enumerate(hand))
    return {tile for tile in range(bits.bit_length()) if bits >> tile & 1}


@lru_cache(1 << 12)
def _generator(takes: tuple[tuple[int, int], ...]) -> int:
    """A state of a game's own generator from which it picks so: the first that is found."""
    return next(rng for rng in count() if _picks(rng, takes))


def _picks(rng: int, takes: tuple[tuple[int, int], ...]) -> bool:
    """Does the engine's generator pick so from this state?"""
    states = np.array([rng], np.uint64)
    return all(pick_from(states, 0, size) == place for size, place in takes)
