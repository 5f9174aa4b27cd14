"""Games for TRL: a factory of environments for `GRPOTrainer`, with a move as its tool.

    from datasets import Dataset
    from domino_env.adapters.trl import DominoGame, rows

    trainer = GRPOTrainer(
        model, train_dataset=Dataset.from_list(rows(1000)),
        environment_factory=partial(DominoGame, "five_up", opponents="greedy_pip"), ...
    )

It is `domino_env.text.TextEnv` with the methods that TRL looks for: `reset`, `get_reward`, and
`play`, the one that the model may call.
"""

from __future__ import annotations

from typing import Any

from domino_env.errors import BadOption
from domino_env.games import Game
from domino_env.text import TextEnv

_ASKS = "You play a game of dominoes, to its end, with the tool `play`.\n\n"


def rows(games: int, first_seed: int = 0) -> list[dict[str, Any]]:
    """The rows of a data set: a row is a deal, so all members of a group have the same one."""
    seeds = range(first_seed, first_seed + games)
    return [{"prompt": [{"role": "user", "content": _ASKS}], "seed": seed} for seed in seeds]


class DominoGame:
    """A game in which the model sits in one seat, and agents in the others.

    Args:
        game: the id of a variant, or its rules.
        options: as for `TextEnv`; a reward is by default 1 for winners, −1 for losers.
    """

    def __init__(self, game: Game, **options: Any) -> None:
        self._env = TextEnv(game, **{"reward": "win", **options})
        players = self._env.players
        if players.is_self_play or len(players.answering) > 1:
            raise BadOption("a model of TRL has one conversation, so it can sit in one seat only")

    def reset(self, **row: Any) -> str:
        """Deals the game of a row, which must have a seed; what the model is asked first."""
        if row.get("seed") is None:
            raise BadOption("a row needs a seed, so that a group has one deal: see rows()")
        return self._env.reset(row["seed"])

    def play(self, move: str) -> str:
        """Plays a move of the game.

        Args:
            move: The move, in the words of the list of legal moves.

        Returns:
            What has happened, and the table at your next decision.
        """
        if self._env.done:
            return "The game is over."
        prompt, *_ = self._env.step(move)
        return prompt

    def get_reward(self) -> float:
        """What the game has brought. A model that stops before its end has forfeited it."""
        if not self._env.done:
            self._env.forfeit("the model has stopped")
        return self.outcome["reward"]

    @property
    def outcome(self) -> dict[str, float]:
        """The reward, and apart from it the "points", "won", "finished", "retries", "forfeits" and
        "random_moves", for reward functions that weigh or log them."""
        (seat,) = self._env.players.answering
        return self._env.outcome(seat)
