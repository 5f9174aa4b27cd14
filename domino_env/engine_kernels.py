"""The kernels that each engine supplies to the loops over lanes (`lanes`).

For games at a table they are those of `engine`, for one-player games those of `puzzles`. Which one
is meant is known by the record of the game when a loop is compiled. All take the rule table first,
and the record second.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from domino_env.compiling import by_dtype
from domino_env.engine import moves, rewards, rounds, table_game
from domino_env.engine.observe import observe as observe_table
from domino_env.engine.state import GAMES
from domino_env.puzzles import one_player_game
from domino_env.puzzles.puzzle_state import PUZZLE

# One record of either engine, and its rule table.
if TYPE_CHECKING:
    from domino_env.engine.state import Game as TableGame
    from domino_env.engine.state import Records
    from domino_env.engine.state import RuleTable as TableRules
    from domino_env.puzzles.puzzle_state import Puzzle
    from domino_env.puzzles.puzzle_state import RuleTable as PuzzleRules

    Game: TypeAlias = TableGame | Puzzle
    RuleTable: TypeAlias = TableRules | PuzzleRules
    Games: TypeAlias = Records[Game]
    RuleTables: TypeAlias = Records[RuleTable]


def of_engine(at_table: Any, alone: Any) -> Any:
    """One function for the records of games at a table, of every size, and one for puzzles."""
    return by_dtype({**dict.fromkeys(GAMES, at_table), PUZZLE: alone})


take_decision = of_engine(rounds.take_decision, one_player_game.take_decision)
new_episode = of_engine(rounds.new_episode, one_player_game.new_episode)
clear = of_engine(rounds.clear_scores, one_player_game.clear)
begin_dealt = of_engine(table_game.dealt_episode, one_player_game.dealt_episode)
must_deal = of_engine(table_game.must_deal, one_player_game.must_deal)
deal_again = of_engine(table_game.deal_again, one_player_game.new_episode)
leave_undealt = of_engine(table_game.leave_undealt, one_player_game.leave_undealt)
pay = of_engine(rewards.pay, one_player_game.pay)
last_viewer = of_engine(table_game.last_viewer, one_player_game.last_viewer)
list_moves = of_engine(moves.list_moves, one_player_game.list_moves)
observe = of_engine(observe_table, one_player_game.observe)
