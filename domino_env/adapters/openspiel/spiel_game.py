"""The OpenSpiel classes: the game and its states."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pyspiel

from domino_env import belief
from domino_env.adapters.openspiel.bounds import bounds
from domino_env.adapters.openspiel.chance import Outcomes
from domino_env.adapters.openspiel.observer import Observer
from domino_env.adapters.openspiel.resampling import World
from domino_env.adapters.openspiel.rules_text import read_rules, write_rules
from domino_env.adapters.openspiel.transitions import CHANCE, OVER, Situation, TransitionModel
from domino_env.errors import BadOption, BadRules
from domino_env.games import DEFAULT_GAME, Game, catalogue, rules_of
from domino_env.ruleset import MAX_SEATS, Rules

_DEFAULTS: dict[str, Any] = {
    "variant": DEFAULT_GAME,
    "players": 0,
    "max_pip": 0,
    "hand_size": 0,
    "episode": "round",
    "reward": "margin",
    "calls": "automatic",
    "rules": "",  # what `load` writes
}
_SEEDS = 1 << 53  # as many as floats in [0, 1) tell apart


def _game_type(utility: Any, rewards: Any) -> Any:
    return pyspiel.GameType(
        short_name="domino",
        long_name="Domino",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility,
        reward_model=rewards,
        max_num_players=MAX_SEATS,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=_DEFAULTS,
    )


class DominoGame(pyspiel.Game):
    """A domino game; see the package for its parameters.

    Attributes:
        model: its transitions, on the engine.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**_DEFAULTS, **(params or {})}
        rules = read_rules(given["rules"]) if given["rules"] else _rules(given)
        options = given["episode"], given["reward"], given["calls"]
        self.model = TransitionModel(rules, given["players"] or None, *options)
        batch = self.model.batch
        limits = bounds(batch.setup)
        self._most_chances = limits.chances
        zero_sum = _is_zero_sum(rules, batch.num_players, given["episode"], given["reward"])
        info = pyspiel.GameInfo(
            num_distinct_actions=batch.num_actions,
            max_chance_outcomes=max(rules.num_tiles, batch.num_players),
            num_players=batch.num_players,
            min_utility=limits.low,
            max_utility=limits.high,
            utility_sum=0.0 if zero_sum else None,
            max_game_length=limits.decisions,
        )
        utility = pyspiel.GameType.Utility
        rewards = pyspiel.GameType.RewardModel
        at_end = given["reward"] == "win" or (
            given["episode"] == "round" and not rules.scores_in_play
        )
        kind = _game_type(
            utility.ZERO_SUM if zero_sum else utility.GENERAL_SUM,
            rewards.TERMINAL if at_end else rewards.REWARDS,
        )
        super().__init__(kind, info, params or {})

    def new_initial_state(self) -> DominoState:
        """Nothing has been dealt."""
        return DominoState(self)

    def max_chance_nodes_in_history(self) -> int:
        """The most chance nodes that a game can have."""
        return self._most_chances

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """What shows states as a seat sees them."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return Observer(self.model, kind, params)


class DominoState(pyspiel.State):
    """A state of a game.

    Attributes:
        situation: what it is.
    """

    def __init__(self, game: DominoGame) -> None:
        super().__init__(game)
        self.situation: Situation = game.model.first

    @property
    def _model(self) -> TransitionModel:
        model: TransitionModel = self.get_game().model
        return model

    def current_player(self) -> int:
        """The seat to move, or chance, or the end."""
        return self.situation.player

    def is_terminal(self) -> bool:
        """Is the game over?"""
        return self.situation.player == OVER

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.situation.legal)

    def chance_outcomes(self) -> Outcomes:
        """What chance can bring, and how likely each of it is."""
        return self._model.outcomes(self.situation)

    def _apply_action(self, action: int) -> None:
        now = self.situation
        follow = self._model.apply_outcome if now.player == CHANCE else self._model.apply_action
        self.situation = follow(now, int(action))

    def _action_to_string(self, player: int, action: int) -> str:
        strings = self._model.strings
        if player == CHANCE:
            return strings.of_outcome(self.situation, action)
        return strings.of_action(action)

    def returns(self) -> list[float]:
        """What each seat has earned so far."""
        return list(self.situation.returns)

    def rewards(self) -> list[float]:
        """What each seat has earned by the last decision; nothing while chance is to decide."""
        now = self.situation
        return [0.0] * len(now.rewards) if now.player == CHANCE else list(now.rewards)

    def hides_state_from_agents(self) -> bool:
        """For Kaggle: whoever is given a state could read all hands from it."""
        return True

    def team_of(self, player: int) -> int | None:
        """For Kaggle: the team of a seat, whose members lose together; None without teams."""
        return player % 2 if self._model.batch.rules.teams else None

    def __str__(self) -> str:
        now, model = self.situation, self._model
        if now.is_dealing:
            end = "\n  nobody can begin" if now.player == OVER else ""
            return model.strings.of_dealing(now) + end
        told = str(model.show(now).position(0))
        if now.action >= 0:
            told += f"\n  waits     {model.strings.of_waiting(now)}"
        return told

    def resample_from_infostate(
        self, player_id: int, probability_sampler: Callable[[], float]
    ) -> DominoState:
        """A state that a seat cannot tell from this one, drawn from its belief."""
        now, model = self.situation, self._model
        if now.player < 0:
            raise BadOption("states are resampled where a player is to move")
        seed = int(probability_sampler() * _SEEDS)
        world = World(model, belief.sample(model.show(now), 0, player_id, 1, seed), now.starter)
        twin: DominoState = self.get_game().new_initial_state()
        for move in self.history()[: now.began]:
            twin.apply_action(move)
        while (move := world.next_move(twin.situation)) is not None:
            twin.apply_action(move)
        return twin


def load(
    game: Game,
    *,
    num_players: int | None = None,
    episode: str = "round",
    reward: str = "margin",
    calls: str = "automatic",
) -> DominoGame:
    """The OpenSpiel game of a variant or of any rules; options as for `Batch`."""
    rules = _with_opponents(game)
    params: dict[str, Any] = {
        "variant": rules.id,
        "players": num_players or 0,
        "episode": episode,
        "reward": reward,
        "calls": calls,
    }
    if rules != catalogue().get(rules.id):
        params["rules"] = write_rules(rules)
    return pyspiel.load_game("domino", params)


def _with_opponents(game: Game) -> Any:
    """The rules of a game; refused if it is for one player."""
    rules = rules_of(game)
    if not rules.has_opponents:
        raise BadOption(f"{rules.id} is for one player: OpenSpiel's domino is for two or more")
    return rules


def _rules(given: dict[str, Any]) -> Rules:
    """The rules that the parameters name."""
    rules = _with_opponents(given["variant"])
    if not given["max_pip"] and not given["hand_size"]:
        return rules
    players = given["players"] or rules.players[0]
    chosen = f"double_{given['max_pip']}" if given["max_pip"] else rules.set
    sizes = [given["hand_size"]]
    if not given["hand_size"]:
        sizes = (
            ["all"] if rules.hand_size == "all" else [*range(rules.hand_size_for(players), 0, -1)]
        )
    return _largest(rules, chosen, players, sizes)


def _largest(rules: Rules, chosen: str, players: int, sizes: list[Any]) -> Rules:
    """The rules with another set, and the first of some hand sizes that it has enough tiles for."""
    refused: BadRules | None = None
    for size in sizes:
        try:
            smaller = replace(rules, set=chosen, players=(players,), hand_size=size)
        except BadRules as error:
            refused = refused or error
            continue
        kept = 1 + smaller.draw.reserve if smaller.draws and len(sizes) > 1 else 0
        if size == "all" or size * players + kept <= smaller.num_tiles:
            return smaller
    raise refused or BadRules(f"{chosen} has too few tiles for {players} players of {rules.id}")


def _is_zero_sum(rules: Rules, players: int, episode: str, reward: str) -> bool:
    """Do the rewards of all seats always sum to zero?"""
    if reward == "win":
        shared = rules.round.worth == "places" and not rules.teams and episode == "round"
        return rules.teams or (players == 2 and not shared)
    return reward == "margin"


pyspiel.register_game(
    _game_type(pyspiel.GameType.Utility.ZERO_SUM, pyspiel.GameType.RewardModel.TERMINAL), DominoGame
)
