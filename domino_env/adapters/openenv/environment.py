"""A session of the server: one game."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import EnvironmentMetadata

from domino_env.adapters.openenv.models import DominoAction, DominoObservation, DominoState
from domino_env.errors import BadOption
from domino_env.games import DEFAULT_GAME, Game
from domino_env.text import TextEnv

DECISIONS = 5  # that are played to warm up


class DominoEnvironment(Environment[DominoAction, DominoObservation, DominoState]):
    """A game in which the client answers for one seat, for some, or for all.

    Args:
        game: the id of a variant, or its rules.
        options: as for `TextEnv`. A reward is by default 1 for winners, −1 for losers, as the
            manifest says.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, game: Game = DEFAULT_GAME, **options: Any) -> None:
        super().__init__()
        self._game, self._options = game, {"reward": "win", **options}
        self._seating = self._options
        self._env = TextEnv(game, **self._options)
        self._episode, self._steps = "", 0

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        seat: int | list[int] | str | None = None,
        num_players: int | None = None,
        self_play: bool | None = None,
        **other: Any,
    ) -> DominoObservation:
        """Deals a game; the same seed is the same deal in every session.

        Where somebody sits may be changed for this game: a `seat` or several, `num_players`, or
        `self_play`; without it, where a server is for self-play, the others play at random. Who the
        opponents are only the server says: agents may be code and files.
        """
        if other:
            raise BadOption(f"reset takes no {', '.join(sorted(other))}")
        self._sit(seat, num_players, self_play)
        self._episode, self._steps = episode_id or str(uuid4()), 0
        prompt = self._env.reset(seed)
        return self._observed(prompt, None, False, {})

    def _sit(self, seat: Any, num_players: int | None, self_play: bool | None) -> None:
        """Makes the game anew if somebody is to sit elsewhere."""
        options = dict(self._options)
        if self_play:
            options.update(opponents="self", seat="random")
        elif self_play is False and options.get("opponents") == "self":
            options["opponents"] = "random"
        if seat is not None:
            options["seat"] = seat
        if num_players is not None:
            options["num_players"] = num_players
        if options != self._seating:
            self._env = TextEnv(self._game, **options)
            self._seating = options

    def step(
        self, action: DominoAction, timeout_s: float | None = None, **other: Any
    ) -> DominoObservation:
        """Takes the answer of the seat that was asked."""
        prompt, reward, done, info = self._env.step(action.answer)
        self._steps += 1
        return self._observed(prompt, reward, done, info)

    def warm_up(self, **seating: Any) -> None:
        """Plays a few decisions, so that what they need is compiled."""
        seen = self.reset(seed=0, **seating)
        for _ in range(DECISIONS):
            if seen.done:
                break
            move = self._env.batch.position().legal[0]
            seen = self.step(DominoAction(answer=str(move)))

    def _observed(
        self, prompt: str, reward: float | None, done: bool, info: dict[str, Any]
    ) -> DominoObservation:
        return DominoObservation(
            prompt=prompt,
            seat=-1 if done else self._env.to_move,
            answered=info.get("seat", -1),
            refused=info.get("refused", ""),
            rewards=info.get("rewards", [0.0] * self._env.batch.num_players),
            points=self._env.points,
            retries=info.get("retries", 0),
            forfeits=info.get("forfeits", 0),
            done=done,
            reward=reward,
        )

    @property
    def state(self) -> DominoState:
        """What is played in this session."""
        if not self._episode:
            return DominoState(game=self._env.batch.rules.id)
        return DominoState(
            episode_id=self._episode,
            step_count=self._steps,
            game=self._env.batch.rules.id,
            seed=self._env.seed,
            num_players=self._env.batch.num_players,
            answering=self._env.players.answering,
            points=self._env.points,
        )

    def get_metadata(self) -> EnvironmentMetadata:
        """What is served here."""
        rules = self._env.batch.rules
        return EnvironmentMetadata(name="domino", description=f"{rules.title}, played in words")
