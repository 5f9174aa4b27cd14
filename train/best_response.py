"""How much a frozen agent loses, at least, to an opponent that is trained against it.

    from domino_env.evaluate.entrants import Entrant
    from domino_env.train.best_response import learn_to_exploit

    learn_to_exploit("block_draw", Entrant("heuristic"), seconds=60).margin

What a best response earns on a full game nobody can work out; what any opponent earns is a lower
bound of it. The opponent here is the learner of this package, which knows that the agent never
changes: gains of an oracle teacher first (`distill`), then PPO, in all rounds against the agent. It
has a budget of seconds instead of iterations. A search on top of what it has learned (`search`),
which weighs worlds by how the agent plays if that can be told, takes its place if it earns more
on some deals; and the better of the two is measured on duplicate deals that neither has seen.
`domino exploit --learn` does this, and on games that are small enough the exact figure stands
beside it (`solve.exploitability`).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from domino_env import agents
from domino_env.agents.networks.policy import Policy
from domino_env.agents.search import can_be_known
from domino_env.config.game_settings import house_rules
from domino_env.errors import BadOption, is_whole
from domino_env.evaluate.entrants import Entrant
from domino_env.evaluate.pairing import Pairing, Standing
from domino_env.train.backend import Iteration, OpponentSpec, UpdateSettings
from domino_env.train.measuring import FIRST_DEAL, must_be_seconds
from domino_env.train.settings import Evaluation, Phase, Pool, TrainSettings
from domino_env.train.training import Training

DEALS = 4000
WORLDS = 128
TRIAL_DEALS = 300  # on which it is chosen whether to search
DISTILLED = 0.3  # of the time: by then it plays well against anybody
CHUNK = 100  # deals that are played at a time


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
        worlds: that the opponent searched in for each decision; 0 if it did better without.
    """

    game: str
    agent: str
    margin: float
    within: float
    deals: int
    decisions: int
    seconds: float
    worlds: int

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
    calls: str = "automatic",
    deals: int = DEALS,
    worlds: int = WORLDS,
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
        calls: as for `Batch`.
        deals: duplicate deals to measure on.
        worlds: of the search on top; 0: none is tried.
        seed: of the training.
        watch: told now and then which part of the work is done, from 0 to 1: training is the first
            half, and measuring the second.
    """
    must_be_seconds(seconds)
    if not is_whole(deals) or deals < 2:
        raise BadOption(f"deals must be a whole number from 2, not {deals!r}")
    if not is_whole(worlds) or worlds < 0:
        raise BadOption(f"worlds must be a whole number from 0, not {worlds!r}")
    settings = _settings(game, rules or {}, num_players, calls, seed)
    agent.must_play(house_rules(game, settings.rules))
    training = BestResponse(settings, agent, float(seconds))
    try:
        while not training.over:
            training.iterate()
            watch(min(1.0, training.spent) / 2)
        policy = training.policy()
    finally:
        training.close()
    table = Table(training.rules, training.num_players, agent, calls)
    best = chosen(table, opponents_of(policy, agent, worlds))
    found = table.standing(best, FIRST_DEAL, deals, lambda done: watch((1 + done) / 2))
    return Exploited(
        training.rules.id,
        agent.name,
        found.margin,
        found.within,
        deals,
        training.decisions,
        float(seconds),
        int(best.options.get("worlds", 0)),
    )


def opponents_of(policy: Policy, agent: Entrant, worlds: int) -> list[Entrant]:
    """What may be played against an agent: a policy that was trained against it, alone, and with a
    search on top."""
    found = [Entrant("ppo", "best response", {"policy": policy})]
    if worlds:
        made = agent.make(0)
        options = {"policy": policy, "worlds": worlds}
        options |= {"opponents": made} if can_be_known(made) else {}
        found.append(Entrant("search", "best response, searching", options))
    return found


def chosen(table: Table, opponents: list[Entrant]) -> Entrant:
    """The one of them that earns the most, on deals that nothing else is measured on."""
    if len(opponents) == 1:
        return opponents[0]
    first = FIRST_DEAL - TRIAL_DEALS
    margins = [table.standing(each, first, TRIAL_DEALS).margin for each in opponents]
    return opponents[margins.index(max(margins))]


@dataclass(frozen=True)
class Table:
    """Where an agent is played against."""

    rules: Any
    num_players: int
    agent: Entrant
    calls: str

    def standing(
        self,
        opponent: Entrant,
        first_deal: int,
        deals: int,
        watch: Callable[[float], None] = lambda done: None,
    ) -> Standing:
        """What an opponent earns on duplicate deals."""
        pairing = Pairing(
            *(self.rules, self.num_players, opponent, self.agent, first_deal),
            time_limit=None,
            calls=self.calls,
        )
        while pairing.deals < deals:
            pairing.play(min(CHUNK, deals - pairing.deals))
            watch(pairing.deals / deals)
        if pairing.forfeits:
            why = pairing.forfeits[0].why
            raise BadOption(f"{self.agent.name} {why}: it cannot be measured")
        return pairing.standing


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
    game: str, rules: dict[str, Any], num_players: int | None, calls: str, seed: int
) -> TrainSettings:
    """A network that scores moves, and a critic that sees all hands: what learns fastest."""
    return TrainSettings(
        game=game,
        rules=rules,
        num_players=num_players,
        calls=calls,
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
