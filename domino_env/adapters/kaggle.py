"""Games for Kaggle's environments, by way of OpenSpiel.

    from domino_env.adapters.kaggle import Harness, make

    env = make("five_up", num_players=4, seed=7)
    env.run(["random", "random", "random", "random"])

    agent = create_agent_fn(Harness("five_up", 4))  # of kaggle_environments.core_harness

Kaggle's `open_spiel` environment plays the OpenSpiel game of `domino_env.adapters.openspiel`. An
agent is given what its seat may know and the legal actions, never the state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import kaggle_environments
from kaggle_environments.core_harness import ParseResult
from kaggle_environments.envs.open_spiel_env import open_spiel_env

from domino_env import text
from domino_env.adapters.openspiel import load
from domino_env.batches import Batch
from domino_env.errors import IllegalMove, NotAMove
from domino_env.games import Game
from domino_env.text.parsing import parse_listed
from domino_env.text.vocabulary import vocabulary_of

MOST_TOLD = 500  # characters of an answer that could not be read


def make(
    game: Game,
    *,
    num_players: int | None = None,
    episode: str = "round",
    reward: str = "win",
    calls: str = "automatic",
    debug: bool = False,
    **configuration: Any,
) -> Any:
    """Kaggle's environment of a game.

    Args:
        game: the id of a variant, or its rules.
        num_players, episode, reward, calls: as for `Batch`.
        debug: as for `kaggle_environments.make`.
        configuration: Kaggle's own, as its `seed`: the same seed is the same deal. Agents are told
            which actions are legal, unless `includeLegalActions` is False.
    """
    made = load(game, num_players=num_players, episode=episode, reward=reward, calls=calls)
    built = open_spiel_env._build_env(str(made))
    told = {"includeLegalActions": True, **configuration}
    return kaggle_environments.make(built, configuration=told, debug=debug)


class Harness:
    """How a language model is asked, and its answers are read: for `create_agent_fn` of Kaggle's
    core harness.

    Args:
        game: the id of a variant, or its rules.
        num_players, calls: as for `make`.
    """

    def __init__(
        self, game: Game, num_players: int | None = None, calls: str = "automatic"
    ) -> None:
        batch = Batch(game, 1, num_players, calls=calls)
        self._words, self._rules = vocabulary_of(batch), text.rules(batch)

    def get_legal_moves(self, observation: Mapping[str, Any]) -> dict[int, str]:
        """The legal actions by their numbers; none before the deal, when Kaggle asks too."""
        actions = observation.get("legalActions") or []
        return {action: self._words.name(action) for action in actions}

    def make_prompt(
        self,
        observation: Mapping[str, Any],
        move_history: list[str],
        previous_response: str | None = None,
        previous_action: str | None = None,
    ) -> str:
        """The rules, what the seat to move may know, the legal moves, and the question."""
        legal = [f"- {name}" for name in self.get_legal_moves(observation).values()]
        asked = [self._rules, observation["observationString"], "Legal moves:", *legal]
        if previous_response is not None:
            asked.append(f"Your answer was refused: {previous_response[-MOST_TOLD:]!r}")
        return "\n".join([*asked, "What do you do? Answer with one of the legal moves."])

    def parse_response(
        self,
        response: str,
        legal_action_strings: Sequence[str] | None,
        *,
        observation: Mapping[str, Any],
    ) -> ParseResult:
        """The legal move that an answer names. An end must be named by its number or its side; by
        what it shows only where the legal moves tell that. Nothing is guessed."""
        legal, mover = list(observation["legalActions"]), int(observation["playerId"])
        try:
            action = parse_listed(self._words, response, legal, mover)
        except IllegalMove as error:
            return ParseResult(raw_action=error.reason)
        except NotAMove:
            return ParseResult()
        name = self._words.name(action)
        return ParseResult(legal_action=name, raw_action=name)
