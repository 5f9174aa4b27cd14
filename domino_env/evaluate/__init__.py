"""Evaluation: duplicate tournaments, confidence intervals and ratings.

    from domino_env.evaluate import TournamentSettings, play_tournament

    settings = TournamentSettings(games=("five_up",), agents=("random", "greedy_pip"), deals=100)
    play_tournament(settings).standings[0].margin      # points a round, on the same deals

`domino tournament` does the same from the command line; docs/tournaments.md describes it.
"""

from typing import TYPE_CHECKING

from domino_env.lazy import lazy_exports

if TYPE_CHECKING:
    from domino_env.evaluate.belief_benchmark import GuessScore as GuessScore
    from domino_env.evaluate.belief_benchmark import score_guess as score_guess
    from domino_env.evaluate.belief_benchmark import score_play_aware as score_play_aware
    from domino_env.evaluate.cross_play import play_cross as play_cross
    from domino_env.evaluate.cross_score import CrossScore as CrossScore
    from domino_env.evaluate.entrants import Entrant as Entrant
    from domino_env.evaluate.journal import Journal as Journal
    from domino_env.evaluate.move_benchmark import MoveScore as MoveScore
    from domino_env.evaluate.move_benchmark import score_moves as score_moves
    from domino_env.evaluate.move_values import MoveValue as MoveValue
    from domino_env.evaluate.move_values import values_of as values_of
    from domino_env.evaluate.pairing import Pairing as Pairing
    from domino_env.evaluate.pairing import Standing as Standing
    from domino_env.evaluate.ratings import Rating as Rating
    from domino_env.evaluate.results import Results as Results
    from domino_env.evaluate.rollout import play_episodes as play_episodes
    from domino_env.evaluate.solo_scores import Score as Score
    from domino_env.evaluate.solo_scores import score as score
    from domino_env.evaluate.statistics import ci95_half_width as ci95_half_width
    from domino_env.evaluate.tournament import StoppedEarly as StoppedEarly
    from domino_env.evaluate.tournament import TournamentSettings as TournamentSettings
    from domino_env.evaluate.tournament import head_to_head as head_to_head
    from domino_env.evaluate.tournament import margins_by_deal as margins_by_deal
    from domino_env.evaluate.tournament import play_tournament as play_tournament

_EXPORTS = {
    "CrossScore": "cross_score",
    "Entrant": "entrants",
    "GuessScore": "belief_benchmark",
    "Journal": "journal",
    "MoveScore": "move_benchmark",
    "MoveValue": "move_values",
    "Pairing": "pairing",
    "Rating": "ratings",
    "Results": "results",
    "Score": "solo_scores",
    "Standing": "pairing",
    "StoppedEarly": "tournament",
    "TournamentSettings": "tournament",
    "ci95_half_width": "statistics",
    "head_to_head": "tournament",
    "margins_by_deal": "tournament",
    "play_cross": "cross_play",
    "play_episodes": "rollout",
    "play_tournament": "tournament",
    "score": "solo_scores",
    "score_guess": "belief_benchmark",
    "score_moves": "move_benchmark",
    "score_play_aware": "belief_benchmark",
    "values_of": "move_values",
}
__all__ = [*_EXPORTS]
__getattr__, __dir__ = lazy_exports(__name__, _EXPORTS)
