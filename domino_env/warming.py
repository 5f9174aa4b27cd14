"""`domino_env.warm_up`: compiles ahead of time what a program will need."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing, suppress
from typing import Any

import numpy as np

from domino_env.batches import Batch
from domino_env.engines import engine_of
from domino_env.errors import BadOption
from domino_env.games import Game, rules_of, variants
from domino_env.record import Recorder, replay


def warm_up(
    *games: Game,
    agents: Iterable[Any] = (),
    beliefs: bool = False,
    observation_dtype: Any = "float32",
    num_players: int | None = None,
) -> None:
    """Compiles now what would be compiled at its first use, or loads it from the cache.

        domino_env.warm_up("five_up", agents=["pimc"])  # before a server opens its socket

    Multiplayer games of one size share their code (a double six of two players is smaller than the
    same with four), and so do the one-player games. Compiled code is cached on disk, so this is
    slow only once on each machine; a line on standard error says so. Call it where nobody is
    waiting yet: before a server listens, when a container image is built, before a clock starts.

    Args:
        games: the games to prepare; by default one of either kind.
        agents: the agents to prepare, by name or as objects; for searches this includes beliefs.
        beliefs: is `domino_env.belief` used directly?
        observation_dtype: that of the batches, which run code of their own for either.
        num_players: prepare the games for just so many players; by default for all that they allow.
    """
    if not isinstance(beliefs, bool):
        raise BadOption(f"beliefs must be True or False, not {beliefs!r:.80}")
    warm_up_games(
        *games, agents=agents, observation_dtype=observation_dtype, num_players=num_players
    )
    for rules in _chosen(games):
        for seats in _seatings(rules, num_players):
            _use_seated(rules, seats, observation_dtype)
            if beliefs and rules.has_opponents:
                _imagine(rules, seats, observation_dtype)


def warm_up_games(
    *games: Game,
    agents: Iterable[Any] = (),
    observation_dtype: Any = "float32",
    num_players: int | None = None,
) -> None:
    """The same for a program that plays on batches alone: no environments are made, so none of
    their libraries is imported."""
    players = _made(agents)
    for rules in _chosen(games):
        for seats in _seatings(rules, num_players):
            _use(rules, seats, observation_dtype)
    for player in players:
        _ask(player, [rules_of(game) for game in games], num_players, observation_dtype)


def _chosen(games: Iterable[Game]) -> list[Any]:
    """The rules of these games; if there are none, of one of each kind."""
    chosen = [rules_of(game) for game in games]
    if chosen:
        return chosen
    kinds: dict[Any, Any] = {}
    for variant in variants():
        rules = rules_of(variant)
        kinds.setdefault(engine_of(rules), rules)
    return list(kinds.values())


def _seatings(rules: Any, num_players: int | None) -> list[int]:
    """The number of players that is asked for, or one for each size of record that a game needs for
    any of its numbers of players."""
    if num_players is not None:
        return [num_players]
    sizes: dict[Any, int] = {}
    for seats in rules.players:
        sizes.setdefault(Batch(rules, 1, seats).games.dtype, seats)
    return list(sizes.values())


def _use(rules: Any, seats: int, dtype: Any) -> None:
    """Calls everything that a batch can do."""
    batch, every = _begun(rules, seats, dtype), np.arange(2)
    one = Batch(rules, 1, seats, seed=0, observation_dtype=dtype)
    batch.step(batch.sample_some(every), every)
    batch.observe(0, int(batch.seat[0]))
    if batch.move_fields:
        batch.move_features()
        batch.histories()
        batch.move_graphs()
    batch.restore(0, batch.clone().save(0))
    batch.restart(every)
    str(batch.position(0))  # which reads it
    one.reset()
    for _ in replay(Recorder(one).record, observation_dtype=dtype):  # from a deal that is given
        pass


def _use_seated(rules: Any, seats: int, dtype: Any) -> None:
    """The same for a learner among others."""
    from domino_env.adapters.single import SingleVectorEnv

    seated = SingleVectorEnv(rules, 2, num_players=seats, observation_dtype=dtype)
    with closing(seated) as envs:
        _, told = envs.reset(seed=0)
        envs.step(np.argmax(told["action_mask"], axis=1))


def _imagine(rules: Any, seats: int, dtype: Any) -> None:
    batch, lanes = _begun(rules, seats, dtype), np.arange(1)
    from domino_env.belief import Belief  # not for everybody who imports the package

    belief = Belief(batch, seed=0)
    belief.fill(belief.new_worlds(2), lanes, batch.seat[lanes])


def _made(given: Iterable[Any]) -> list[Any]:
    from domino_env import agents

    try:
        listed = None if isinstance(given, (str, bytes)) else list(given)
    except TypeError:  # it cannot be gone through, or, as an array of no dimension, says so late
        listed = None
    if listed is None:
        raise BadOption(f"agents is a list of names or agents, like ['pimc'], not {given!r:.80}")
    return [agents.make(agent) for agent in listed]


def _ask(player: Any, games: list[Any], num_players: int | None, dtype: Any) -> None:
    """Lets an agent choose in each game, or if none is named in one that it plays."""
    from domino_env import agents

    playable = (rules_of(variant) for variant in variants())
    for rules in games or [rules for rules in playable if agents.plays(player, rules)][:1]:
        usual, *others = _seatings(rules, num_players)
        _ask_once(player, _begun(rules, usual, dtype))
        for seats in others:
            with suppress(BadOption):  # a policy may be of the usual number of players only
                _ask_once(player, _begun(rules, seats, dtype))


def _ask_once(player: Any, batch: Batch) -> None:
    for _ in range(50):  # searches do not think where there is no choice
        if batch.num_legal[0] > 1:
            break
        batch.step(batch.sample())
    player.act(batch, np.arange(1))
    if hasattr(player, "weigh"):
        player.weigh(batch, 0)


def _begun(rules: Any, seats: int, dtype: Any) -> Batch:
    batch = Batch(rules, 2, seats, seed=0, observation_dtype=dtype)
    batch.reset()
    batch.step(batch.sample())
    return batch
