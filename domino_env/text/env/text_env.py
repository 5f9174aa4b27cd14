"""The environment of text."""

from __future__ import annotations

import random
import secrets
from typing import Any

from domino_env.batches import Batch, check_choice
from domino_env.batches.options import switch, whole
from domino_env.errors import BadDeal, BadOption, GameOver, IllegalMove, NotAMove, NotReset
from domino_env.games import Game
from domino_env.text.env.players import Players
from domino_env.text.env.tally import Tally
from domino_env.text.parsing import parse_action
from domino_env.text.prompting import STYLES, prompt
from domino_env.text.vocabulary import vocabulary_of

ON_ILLEGAL = ("retry", "forfeit", "random")
MOST_DEALS = 1000  # games in a row in which no seat that answers has a decision
FORFEIT_OF_A_WIN, FORFEIT_OF_POINTS = 1.0, 100.0

Message = dict[str, Any]
Stepped = tuple[str, float, bool, dict[str, Any]]


class TextEnv:
    """A game whose decisions are asked for in words, and answered in words.

    Args:
        game: the id of a variant, or its rules.
        opponents: who sits in the other seats: an agent, a list of agents clockwise from the first
            seat that answers, or "self": every seat answers prompts.
        seat: the seat that answers, or several; "random": one is drawn for each episode, by its
            seed.
        num_players, episode, reward, calls: as for `Batch`.
        on_illegal: what an answer costs that is no legal move. "retry": it is asked again, so many
            times for one decision as `retries` says, and then the game is forfeited; "forfeit": at
            once; "random": chance moves instead.
        retries: see there.
        seed: of the first episode; each later one has the next seed, unless `reset` is given one.
        rules, history, legal, style: as for `text.prompt`; a seat is told the rules once an
            episode.
        forfeit: what a forfeit takes off the reward; by default 1 where the reward is "win", else
            100, the usual target of a match. The game ends, and nobody gains by it.

    The same seed is the same deal, the same seats and the same luck of the opponents, in every
    environment that is made alike; answers that are refused change nothing of that.

    Attributes:
        batch: the game.
        transcript: the messages of the episode, in their order: "role" ("user" or "assistant"),
            "content", and the "seat" that was asked or has answered.
        seed: that of the episode.
        done: is it over?
    """

    def __init__(
        self,
        game: Game,
        opponents: Any = "random",
        seat: Any = "random",
        num_players: int | None = None,
        episode: str = "round",
        on_illegal: str = "retry",
        retries: int = 2,
        seed: int | None = None,
        *,
        reward: str = "margin",
        calls: str = "automatic",
        rules: bool = True,
        history: bool = True,
        legal: bool = True,
        style: str = "plain",
        forfeit: float | None = None,
    ) -> None:
        check_choice("on_illegal", on_illegal, ON_ILLEGAL)
        check_choice("style", style, STYLES)
        self.batch = Batch(
            game, 1, num_players, episode=episode, reward=reward, calls=calls, autoreset=False
        )
        self.players = Players(self.batch, opponents, seat)
        self._on_illegal, self._retries = on_illegal, whole("retries", retries, 0)
        self._rules = switch("rules", rules)
        self._shows: dict[str, Any] = {
            "history": switch("history", history),
            "legal": switch("legal", legal),
            "style": style,
        }
        self._forfeit = _cost(forfeit, reward)
        self._next = secrets.randbits(32) if seed is None else whole("seed", seed, 0)
        self.seed, self.done = self._next, True
        self.transcript: list[Message] = []
        self._begun = False

    # Playing --------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None) -> str:
        """Begins an episode; the prompt of the first seat that has to answer."""
        self.seed = self._next if seed is None else whole("seed", seed, 0)
        self._next = self.seed + 1
        self._deal()
        self.done, self._begun, self.transcript = False, True, []
        self._told_rules: set[int] = set()
        self._failed = 0  # answers to this decision
        self._chance = random.Random(f"moves {self.seed}")
        return self._ask()

    def _deal(self) -> None:
        """Deals until a seat that answers has something to decide."""
        self.players.seat_all(self.seed)
        self.batch.reset(self.seed)
        for _ in range(MOST_DEALS):
            self._tally = Tally(self.batch.num_players)
            self._rewards = [0.0] * self.batch.num_players
            self._owed, self._earned = list(self._rewards), list(self._rewards)
            self._news: list[list[str]] = [[] for _ in self._rewards]
            self._round = 1
            self._play_on()
            if not self._is_over:
                return
            self.batch.restart(0)
        raise BadDeal(f"in {MOST_DEALS} games of {self.batch.rules.id} nobody had to answer")

    def step(self, answer: str) -> Stepped:
        """Takes the answer of the seat that was asked: the next prompt, what that seat has earned
        since it last moved, whether the episode is over, and more in `info`."""
        self._must_ask()
        seat = self.to_move
        said = answer if isinstance(answer, str) else str(answer)
        self.transcript.append({"role": "assistant", "content": said, "seat": seat})
        try:
            action = parse_action(self.batch, said)
        except (NotAMove, IllegalMove) as error:
            return self._refuse(seat, error)
        return self._carry_out(seat, action)

    def _must_ask(self) -> None:
        if not self._begun:
            raise NotReset("step comes after the first reset: call reset() before it")
        if self.done:
            raise GameOver("the episode is over: call reset()")

    @property
    def to_move(self) -> int:
        """The seat that is asked; -1: the game is over."""
        return int(self.batch.seat[0])

    @property
    def _is_over(self) -> bool:
        return self.to_move < 0

    def _carry_out(self, seat: int, action: int, why: str = "") -> Stepped:
        move = vocabulary_of(self.batch).name(action)
        self.batch.step_one(action)
        self._failed = 0
        self._collect()
        self._play_on()
        self.done = self._is_over
        return self._answered(seat, self._ask(), move, why)

    def _play_on(self) -> None:
        """Lets agents play until a seat that answers is to move, or the game is over."""
        while not self._is_over and self.to_move not in self.players.answering:
            self.players.move(self.to_move)
            self._collect()

    def _collect(self) -> None:
        """Adds up what the last move has earned, and notes the end of a round."""
        for seat, earned in enumerate(self.batch.reward[0].tolist()):
            self._rewards[seat] += earned
            self._owed[seat] += earned
        number = self.batch.round_number(0)
        if number > self._round and not self._is_over:
            self._round = number
            self._note(f"Round {number - 1} is over. Points: {self._points_told()}.")

    # Answers that are no legal moves --------------------------------------------------------------

    def _refuse(self, seat: int, error: NotAMove | IllegalMove) -> Stepped:
        why = error.reason
        if self._on_illegal == "random":
            self._tally.random_moves[seat] += 1
            action = self._chance.choice(sorted(self.batch._legal_of(0)))
            self._news[seat].append(f"Your answer was refused, and chance has moved: {why}.")
            return self._carry_out(seat, action, why)
        if self._on_illegal == "retry" and self._failed < self._retries:
            self._failed += 1
            self._tally.retries[seat] += 1
            left = self._retries - self._failed
            self._news[seat].append(f"Your answer was refused: {why}. {_tries(left)}")
            return self._ask(), 0.0, False, self._info(seat, None, why)
        return self._give_up(seat, why, "Your answer was refused")

    def forfeit(self, why: str) -> Stepped:
        """Gives the game up for the seat that is asked: it is out of time, or of tokens, and no
        answer will come. `why` is told as other refusals are."""
        self._must_ask()
        return self._give_up(self.to_move, why, "No answer came")

    def _give_up(self, seat: int, why: str, what: str) -> Stepped:
        """A forfeit: the episode is over, and the game stays as it was."""
        self._tally.forfeits[seat] += 1
        self._owed[seat] -= self._forfeit
        self._rewards[seat] -= self._forfeit
        self.done = True
        last = f"{what}: {why}. The game is forfeited."
        self.transcript.append({"role": "user", "content": last, "seat": seat})
        return self._answered(seat, last, None, why)

    # Prompts --------------------------------------------------------------------------------------

    def _ask(self) -> str:
        """The prompt of the seat to move; at the end of the first seat that answers."""
        if self._is_over:
            told = [self._prompt(seat) for seat in self.players.answering]
            return told[0]
        return self._prompt(self.to_move)

    def _prompt(self, seat: int) -> str:
        shows_rules = self._rules and seat not in self._told_rules
        self._told_rules.add(seat)
        told = prompt(self.batch, 0, seat, rules=shows_rules, **self._shows)
        news, self._news[seat] = self._news[seat], []
        content = "\n".join([*news, told])
        self.transcript.append({"role": "user", "content": content, "seat": seat})
        return content

    def _note(self, what: str) -> None:
        for news in self._news:
            news.append(what)

    def messages(self, seat: int | None = None) -> list[Message]:
        """The conversation with a seat as chat messages; of the first that answers by default."""
        seat = self.players.answering[0] if seat is None else seat
        return [
            {"role": message["role"], "content": message["content"]}
            for message in self.transcript
            if message["seat"] == seat
        ]

    # What is told of a step -----------------------------------------------------------------------

    @property
    def points(self) -> list[int]:
        """The points of every seat."""
        points: list[int] = self.batch.games["scores"][0, : self.batch.num_players].tolist()
        return points

    def outcome(self, seat: int) -> dict[str, float]:
        """What the episode has brought a seat so far, each apart from the others: "reward" and
        "points"; "won" and "finished", 1 or 0; "retries", "forfeits" and "random_moves"."""
        won = seat in self._winners
        return {
            "reward": self._earned[seat],
            "points": float(self.points[seat]),
            "won": float(won),
            "finished": float(self._is_over),
            **{name: float(counts[seat]) for name, counts in self._tally.by_seat.items()},
        }

    def _points_told(self) -> str:
        return ", ".join(f"seat {seat} {points}" for seat, points in enumerate(self.points))

    def _answered(self, seat: int, told: str, move: str | None, why: str) -> Stepped:
        reward, self._owed[seat] = self._owed[seat], 0.0
        info = self._info(seat, move, why)
        self._earned = [sum(both) for both in zip(self._earned, self._rewards, strict=True)]
        self._rewards = [0.0] * self.batch.num_players
        return told, reward, self.done, info

    def _info(self, seat: int, move: str | None, why: str) -> dict[str, Any]:
        return {
            "seed": self.seed,
            "seat": seat,
            "to_move": self.to_move,
            "move": move,
            "refused": why,
            "points": self.points,
            "rewards": list(self._rewards) if move or self.done else [0.0] * len(self._rewards),
            "winners": self._winners,
            **self._tally.as_info(),
        }

    @property
    def _winners(self) -> list[int]:
        game, every = self.batch.games[0], range(self.batch.num_players)
        if not self._is_over or "winners" not in game.dtype.names:
            return []
        return [seat for seat in every if int(game["winners"]) >> seat & 1]


def _cost(given: float | None, reward: str) -> float:
    if given is None:
        return FORFEIT_OF_A_WIN if reward == "win" else FORFEIT_OF_POINTS
    if isinstance(given, bool) or not isinstance(given, (int, float)) or not 0 <= given < 1e9:
        raise BadOption(f"forfeit is what is taken off the reward, 0 or more; not {given!r}")
    return float(given)


def _tries(left: int) -> str:
    return {0: "This is the last try.", 1: "There is one more try after this."}.get(
        left, f"There are {left} more tries after this."
    )
