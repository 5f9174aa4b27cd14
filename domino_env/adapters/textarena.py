"""Games for TextArena: every game for two or more is registered as `domino/<id>-v0`.

    import textarena
    import domino_env.adapters.textarena

    env = textarena.make("domino/block_draw-v0")
    env.reset(num_players=2, seed=0)
    player, observation = env.get_observation()
    done, info = env.step("5-3 on the 4")
    rewards, game_info = env.close()

It is `domino_env.text.TextEnv` with TextArena's methods. All seats answer, each player the seat of
its number.
"""

from __future__ import annotations

from typing import Any

import textarena
from textarena import ObservationType
from textarena.envs.registration import ENV_REGISTRY, register_with_versions
from textarena.wrappers import GameBoardObservationWrapper, LLMObservationWrapper

from domino_env import text
from domino_env.games import Game, rules_of, variants


class TextArenaEnv(textarena.Env):
    """A game in which TextArena's agents sit in all seats.

    Args:
        game: the id of a variant, or its rules.
        error_allowance: how many answers may be refused for one decision before the game is
            forfeited: `retries` of `TextEnv`.
        options: as for `TextEnv`, but for the seats, which all answer. A reward is by default that
            of TextArena's own games: 1 for winners, −1 for losers.

    A player is told the rules when the game begins, and the table at each of its turns; nobody is
    told what others have written, which may give away their hands.
    """

    def __init__(self, game: Game, error_allowance: int = 2, **options: Any) -> None:
        self._game = game
        self._options = {"reward": "win", "retries": error_allowance, **options, "rules": False}
        self._tells_rules = bool(options.get("rules", True))
        self.env: Any = None  # a TextEnv, once it is known how many play
        self.state: Any = None

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Deals a game; the same seed is the same deal."""
        if self.env is None or self.state.num_players != num_players:
            self.env = text.TextEnv(self._game, "self", num_players=num_players, **self._options)
        prompt = self.env.reset(seed)
        self.state = textarena.State(num_players)
        roles = {player: f"Player {player}" for player in range(num_players)}
        self.state.standard_resets(game_state={"seed": self.env.seed}, role_mapping=roles)
        self.state.rewards = dict.fromkeys(range(num_players), 0.0)
        batch = self.env.batch
        first = text.rules(batch) if self._tells_rules else str(batch.rules.title)
        self.state.add_observation(first, ObservationType.PROMPT)
        self._ask(prompt)

    def _ask(self, prompt: str) -> None:
        """Tells the seat to move what it may know."""
        player = self.state.current_player_id = self.env.to_move
        self.state.add_observation(prompt, ObservationType.GAME_BOARD, to_id=player)

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Takes the answer of the player to move."""
        player = self.state.current_player_id
        prompt, _, done, info = self.env.step(action)
        self.state.add_observation(action, ObservationType.PLAYER_ACTION, player, player)
        self._count(player, info)
        if done:
            self._finish(player, prompt, info)
        else:
            self._ask(prompt)
        self.state.step_info = info
        _, told = self.state.step()
        return done, told

    def _count(self, player: int, info: dict[str, Any]) -> None:
        self.state.game_info[player]["turn_count"] += info["move"] is not None
        for seat, earned in enumerate(info["rewards"]):
            self.state.rewards[seat] += earned

    def _finish(self, player: int, last: str, info: dict[str, Any]) -> None:
        """What each player is told of the end, and what is kept of it."""
        self.state.done = True
        counts = info["by_seat"]
        for seat, told in self.state.game_info.items():
            told.update(points=info["points"][seat], won=seat in info["winners"])
            told.update({name: each[seat] for name, each in counts.items()})
            told["invalid_move"] = counts["forfeits"][seat] > 0
        self.state.add_observation(last, ObservationType.GAME_ADMIN, to_id=player)


def register_all() -> None:
    """Registers the games: with the rules and the latest table as observation; as `…-chat` with the
    whole conversation; as `…-raw` with the list of messages."""
    wrappers = {"default": [GameBoardObservationWrapper], "-chat": [LLMObservationWrapper]}
    for variant in variants():
        name = f"domino/{variant}-v0"
        if max(rules_of(variant).players) > 1 and name not in ENV_REGISTRY:
            register_with_versions(name, TextArenaEnv, wrappers, game=variant)


register_all()
