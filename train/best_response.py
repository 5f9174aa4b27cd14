"""How much a frozen agent loses, at least, to an opponent that is trained against it.

    from domino_env.evaluate.entrants import Entrant
    from domino_env.train.best_response import learn_to_exploit

    learn_to_exploit("block_draw", Entrant("heuristic"), seconds=60).margin

What a best response earns on a full game nobody can work out; what any opponent earns is a lower
bound of it. The opponent here is the learner of this package, which knows that the agent never
changes: gains of an oracle teacher first (`distill`), then PPO, in all rounds against the agent. It
has a budget of seconds instead of iterations, and is then measured on duplicate deals that it has
not seen. `domino exploit --learn` does this, and on games that are small enough the exact figure
stands beside it (`solve.exploitability`).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from domino_env import agents
from domino_env.config.game_settings import house_rules
from domino_env.errors import BadOption, is_whole
from domino_env.evaluate.entrants import Entrant
from domino_env.evaluate.pairing import Pairing
from domino_env.train.backend import Iteration, OpponentSpec, UpdateSettings
from domino_env.train.measuring import FIRST_DEAL, must_be_seconds
from domino_env.train.settings import Evaluation, Phase, Pool, TrainSettings
from domino_env.train.training import Training

DEALS = 4000
DISTILLED = 0.3  # of the time: by then it plays well against anybody
CHUNK = 1000  # deals that are played at a time


@dataclass(frozen=True)
class Exploited:
    """What an agent lost to the opponent that was trained against it.

    Attributes:
        game: the id of the game.
        agent: the agent's name.
        margin: points a round that the opponent earned over it, the mean of all seats.
        within: half the 95 % confidence interval of the margin.
        deals: duplicate deals on which that was measured.
        decisions: of the opponent, in training.
        seconds: of processor time that were allowed for training.
    """

    game: str
    agent: str
    margin: float
    within: float
    deals: int
    decisions: int
    seconds: float

    def to_plain(self) -> dict[str, Any]:
        """As it is kept in files."""
        return asdict(self)


def learn_to_exploit(
    game: str,
    agent: Entrant,
    seconds: float,
    *,
    rules: dict[str, Any] | None = None,
    num_players: int | None = None,
    deals: int = DEALS,
    seed: int = 0,
    watch: Callable[[float], None] = lambda done: None,
) -> Exploited:
    """Trains an opponent against an agent, and measures what it earns.

    Args:
        game: the id of a game.
        agent: whom it plays against.
        seconds: of processor time, for training; two iterations are always done.
        rules: house rules.
        num_players: seats; all but the opponent's are the agent's.
        deals: duplicate deals to measure on.
        seed: of the training.
        watch: told now and then which part of the time has gone, from 0 to 1.
    """
    must_be_seconds(seconds)
    if not is_whole(deals) or deals < 2:
        raise BadOption(f"deals must be a whole number from 2, not {deals!r}")
    settings = _settings(game, rules or {}, num_players, seed)
    agent.must_play(house_rules(game, settings.rules))
    training = BestResponse(settings, agent, float(seconds))
    try:
        while not training.over:
            training.iterate()
            watch(min(1.0, training.spent))
        margin, within = _measured(training, agent, deals)
    finally:
        training.close()
    return Exploited(
        training.rules.id,
        agent.name,
        margin,
        within,
        deals,
        training.decisions,
        float(seconds),
    )


class BestResponse(Training):
    """Training against one agent that never changes, by the clock.

    Args:
        settings: of the run; phases are as long as the time allows.
        agent: the agent.
        seconds: of processor time, how long; so it does not matter what else the machine does.
    """

    def __init__(self, settings: TrainSettings, agent: Entrant, seconds: float) -> None:
        super().__init__(settings)
        self._agent = OpponentSpec(agents.source(agent.agent), 1.0, agent.options)
        self._seconds, self._began = seconds, time.process_time()

    def iterate(self) -> None:
        """One iteration. The time of the first does not count: kernels may be compiled in it."""
        super().iterate()
        if self.iterations_done == 1:
            self._began = time.process_time()

    @property
    def spent(self) -> float:
        """The part of the time that has gone."""
        return (time.process_time() - self._began) / self._seconds

    @property
    def over(self) -> bool:
        """Is the time over?"""
        return self.iterations_done > 1 and self.spent >= 1

    @property
    def phase(self) -> str:
        """The phase of the next iteration."""
        return "distill" if self.spent < DISTILLED else "ppo"

    def _next_iteration(self) -> Iteration:
        phase, seed = self.phase, int(self._rng.integers(2**31))
        first_deal = int(self._rng.integers(2**40))
        return Iteration(phase, self._update_settings(phase), [self._agent], seed, first_deal)

    def _update_settings(self, name: str) -> UpdateSettings:
        phase = getattr(self.settings, name)
        first, length = (0.0, DISTILLED) if name == "distill" else (DISTILLED, 1 - DISTILLED)
        done = min(1.0, max(0.0, (self.spent - first) / length))
        learning_rate, ent_coef = (
            begin + (end - begin) * done for begin, end in (phase.learning_rate, phase.ent_coef)
        )
        return UpdateSettings(learning_rate, ent_coef, phase.batch_size, phase.n_epochs)


def _settings(
    game: str, rules: dict[str, Any], num_players: int | None, seed: int
) -> TrainSettings:
    """A network that scores moves, and a critic that sees all hands: what learns fastest."""
    return TrainSettings(
        game=game,
        rules=rules,
        num_players=num_players,
        seed=seed,
        rounds_per_iteration=2048,
        network="scorer",
        hidden_sizes=(128, 128),
        critic="all_hands",
        prior_weight=0.0,
        distill=Phase(1, (2e-3, 5e-4), (0.0, 0.0), batch_size=512),
        distill_loss="regression",
        ppo=Phase(1, (1e-3, 2e-5), (0.01, 0.0), batch_size=1024, n_epochs=3),
        pool=Pool({}, past=0.0),
        evaluation=Evaluation(against=()),
    )


def _measured(training: BestResponse, agent: Entrant, deals: int) -> tuple[float, float]:
    """Points a round over the agent, with half the confidence interval."""
    ours = Entrant("ppo", "best response", {"policy": training.policy()})
    seats = training.num_players
    pairing = Pairing(training.rules, seats, ours, agent, FIRST_DEAL, time_limit=None)
    while pairing.deals < deals:
        pairing.play(min(CHUNK, deals - pairing.deals))
    if pairing.forfeits:
        raise BadOption(f"{agent.name} {pairing.forfeits[0].why}: it cannot be measured")
    return pairing.standing.margin, pairing.standing.within
