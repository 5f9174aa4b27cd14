"""OpenSpiel's algorithms that go over the whole tree, on a file of it: CFR and CFR+ in C++, and in
Python discounted CFR, extensive-form fictitious play, magnetic mirror descent, and PSRO with exact
best responses. Information states have the numbers of our tree, so that their policies are ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import redirect_stdout
from io import StringIO
from typing import Any

import numpy as np

from domino_env import solve
from domino_env.solve.tree import Tree
from tools.reference_algorithms.door import SEATS
from tools.solver_speed import as_ours

ALPHA, STEP = 0.001, 10.0  # of magnetic mirror descent: the weight of entropy, the size of a step


class Solver:
    """A solver of OpenSpiel's, iteration by iteration."""

    rounds = 0

    def __init__(self, game: Any) -> None:
        self.iterations = 0
        self._solver = self._made(game)

    def step(self) -> None:
        """An iteration."""
        self._iterate()
        self.iterations += 1

    def policy(self, tree: Tree) -> solve.Policy:
        """What it has come to."""
        return as_ours(tree, {name: [*each] for name, each in self._table().items()})

    def _made(self, game: Any) -> Any:
        raise NotImplementedError

    def _iterate(self) -> None:
        self._solver.evaluate_and_update_policy()

    def _table(self) -> Mapping[str, Any]:
        """Actions with their chances, for each information state by its name."""
        raise NotImplementedError


class Cfr(Solver):
    """Counterfactual regret minimisation, in C++."""

    def _made(self, game: Any) -> Any:
        import pyspiel

        return pyspiel.CFRSolver(game)

    def _table(self) -> Mapping[str, Any]:
        table: Mapping[str, Any] = self._solver.tabular_average_policy().policy_table()
        return table


class CfrPlus(Cfr):
    """CFR+, in C++."""

    def _made(self, game: Any) -> Any:
        import pyspiel

        return pyspiel.CFRPlusSolver(game)


class DiscountedCfr(Solver):
    """Discounted CFR with the weights 3/2, 0 and 2, in Python."""

    def _made(self, game: Any) -> Any:
        from open_spiel.python.algorithms.discounted_cfr import DCFRSolver

        return DCFRSolver(game)

    def _table(self) -> Mapping[str, Any]:
        return dict(self._solver.average_policy().to_dict())


class Xfp(Solver):
    """Extensive-form fictitious play, in Python: what NFSP approximates."""

    def _made(self, game: Any) -> Any:
        from open_spiel.python.algorithms.fictitious_play import XFPSolver

        return XFPSolver(game)

    def _iterate(self) -> None:
        self._solver.iteration()

    def _table(self) -> Mapping[str, Any]:
        first, second = self._solver.average_policy_tables()
        return {name: chances.items() for name, chances in {**first, **second}.items()}


class Mmd(Solver):
    """Magnetic mirror descent in sequence form with dilated entropy, in Python and NumPy. The
    magnet is uniform play and stays there, so it ends at a quantal response equilibrium."""

    def _made(self, game: Any) -> Any:
        from open_spiel.python.algorithms.mmd_dilated import MMDDilatedEnt

        return MMDDilatedEnt(game, ALPHA, STEP)

    def _iterate(self) -> None:
        self._solver.update_sequences()

    def _table(self) -> Mapping[str, Any]:
        return dict(self._solver.get_policies().to_dict())


class Psro(Solver):
    """PSRO with a pool for each seat, exact best responses by C++, exact payoffs, and equilibria of
    the game of choosing members by linear programs."""

    def _made(self, game: Any) -> Any:
        from open_spiel.python.algorithms.psro_v2 import best_response_oracle

        oracle = best_response_oracle.BestResponseOracle(game=game, best_response_backend="cpp")
        self._states = oracle.all_states, oracle.state_to_information_state
        self._game, self._tables = game, dict[int, Any]()
        with redirect_stdout(StringIO()):  # it says what it has been told
            return _exact(self)(
                game,
                oracle,
                sims_per_entry=1,
                meta_strategy_method="nash",
                training_strategy_selector="probabilistic",
                sample_from_marginals=True,
            )

    def _iterate(self) -> None:
        self._solver.iteration()

    def table_of(self, member: Any) -> Any:
        """A member of a pool as a table, which is worked out once."""
        from open_spiel.python.algorithms import policy_utils

        if id(member) not in self._tables:
            table = policy_utils.policy_to_dict(member, self._game, *self._states)
            self._tables[id(member)] = member, table  # the object stays, and so does its id
        return self._tables[id(member)][1]

    def policy(self, tree: Tree) -> solve.Policy:
        """For each seat the mix of its pool."""
        pools, shares = self._solver.get_policies(), self._solver.get_meta_strategies()
        mixed = []
        for seat in range(SEATS):
            own = [as_ours(tree, self.table_of(member)) for member in pools[seat]]
            mixed.append(solve.mixture(tree, own, np.maximum(shares[seat], 0))[seat])
        return mixed[0], mixed[1]


def _exact(psro: Psro) -> Any:
    """Their PSRO, told what members earn exactly instead of by rounds that are played."""
    import pyspiel
    from open_spiel.python.algorithms.psro_v2.psro_v2 import PSROSolver

    class ExactPayoffs(PSROSolver):  # type: ignore[misc]
        def sample_episodes(self, policies: list[Any], num_episodes: int) -> Any:
            players = [pyspiel.PartialTabularPolicy(psro.table_of(each)) for each in policies]
            root = self._game.new_initial_state()
            return np.array(pyspiel.expected_returns(root, players, -1, True))

    return ExactPayoffs


SOLVERS = {
    "cfr": Cfr,
    "cfr_plus": CfrPlus,
    "discounted_cfr": DiscountedCfr,
    "xfp": Xfp,
    "mmd": Mmd,
    "psro": Psro,
}
