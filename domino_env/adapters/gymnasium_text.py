"""Games as text for Gymnasium: observations and actions are texts.

    env = GymnasiumText("block_draw", opponents="greedy_pip")
    prompt, info = env.reset(seed=0)
    prompt, reward, terminated, truncated, info = env.step("5-3 on the 4")

It is `domino_env.text.TextEnv` with Gymnasium's methods and `Text` spaces.
"""

from __future__ import annotations

import string
from typing import Any

import gymnasium
from gymnasium.spaces import Text

from domino_env.games import Game
from domino_env.text import TextEnv

MOST_PROMPT, MOST_ANSWER = 100_000, 20_000
_SIGNS = string.printable + "→−“”"


class GymnasiumText(gymnasium.Env[str, str]):
    """A game whose decisions are asked for and answered in words.

    Args:
        game: the id of a variant, or its rules.
        options: as for `TextEnv`.
    """

    metadata = {"render_modes": []}  # noqa: RUF012, Gymnasium's own declaration

    def __init__(self, game: Game, **options: Any) -> None:
        self.env = TextEnv(game, **options)
        titles = set(self.env.batch.rules.title)
        self.observation_space = Text(MOST_PROMPT, charset=frozenset({*_SIGNS, *titles}))
        self.action_space = Text(MOST_ANSWER, charset=_SIGNS)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Begins an episode; the same seed is the same deal, seats and luck."""
        super().reset(seed=seed)
        prompt = self.env.reset(seed)
        return prompt, {"seed": self.env.seed, "to_move": self.env.to_move}

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Takes an answer."""
        prompt, reward, done, info = self.env.step(action)
        return prompt, reward, done, False, info
