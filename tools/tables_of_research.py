"""Tables of the docs about instruments of research: solving, exploitability, learning algorithms,
positions and beliefs; made from measured figures, kept as JSON in `docs/`."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from domino_env.evaluate import cross_score
from domino_env.evaluate.statistics import Ratio, ci95_of_few
from domino_env.solve.mini_games import MINI_GAMES
from domino_env.train.algorithms.hyperparameters import SHARES
from tools import algorithms as learning
from tools import belief_scores, canonical, cross_play, move_scores
from tools import exploitability as exploiting
from tools.architecture import ROOT
from tools.markdown import table

NEARLY_NOTHING, NEXT_TO_NOTHING = 0.001, "< 0.001"  # points a round


def mini_games() -> str:
    """The mini games, each with its size and its exact value."""
    rows = []
    for name, mini in MINI_GAMES.items():
        size = f"{mini.infostates:,}"
        rows.append([f"`{name}`", mini.game, str(mini.num_players), size, f"{mini.value:+.5f}"])
    return table(
        ["mini game", "a small", "seats", "information states", "value to the leader"], rows
    )


def solver_speed() -> str:
    """CFR+ beside OpenSpiel's, from docs/solver_speed.json."""
    rows = []
    for row in _solver_speed()["games"]:
        times = [f"{row[name]:.2f} s" for name in ("tree", "open_spiel_tree")]
        each = [f"{1e3 * row[name]:.2f} ms" for name in ("iteration", "open_spiel_iteration")]
        size = f"{row['infostates']:,}"
        apart = f"{row['apart']:.0e}"
        rows.append([f"`{row['game']}`", size, *times, *each, f"{row['times']:.0f}", apart])
    heads = ["mini game", "information states", "tree", "OpenSpiel: load", "an iteration of CFR+"]
    return table([*heads, "OpenSpiel's", "times", "policies apart by"], rows)


def solver_speed_measured() -> str:
    """What docs/solver_speed.json was measured with."""
    kept = _solver_speed()
    return f"CPU seconds on {kept['machine']}, OpenSpiel {kept['open_spiel']}.\n"


def _solver_speed() -> Any:
    return json.loads((ROOT / "docs" / "solver_speed.json").read_text(encoding="utf-8"))


def exploitability() -> str:
    """Exact exploitability of agents on mini games, from docs/exploitability.json."""
    games = exploiting.kept()["games"]
    names = dict.fromkeys(row["agent"] for found in games.values() for row in found)
    last = [name for name in names if name.startswith("CFR+")]
    order = [*(name for name in names if name not in last), *last]
    rows = []
    for name, found in games.items():
        lost = {row["agent"]: f"{row['exploitability']:.4f}" for row in found}
        size = f"{MINI_GAMES[name].infostates:,}"
        rows.append([f"`{name}`", size, *(lost.get(agent, "") for agent in order)])
    heads = [name if name in last else f"`{name}`" for name in order]
    return table(["mini game", "information states", *heads], rows)


def exploitability_seconds() -> str:
    """What that took."""
    kept = exploiting.kept()
    spent = sum(row["seconds"] for found in kept["games"].values() for row in found)
    return f"All in all {spent:,.0f} CPU seconds on {kept['machine']}.\n"


def exploited() -> str:
    """What learners have earned over frozen agents, from docs/exploitability.json."""
    rows = [
        [
            f"`{row['game']}`",
            f"`{row['agent']}`",
            f"{row['margin']:+.2f} ± {row['within']:.2f}",
            f"{row['seconds']:.0f} s",
            f"{row['decisions']:,}",
            f"{row['worlds']} worlds" if row["worlds"] else "none",
            f"{row['deals']:,}",
        ]
        for row in exploiting.kept()["learned"]
    ]
    heads = ["game", "agent", "loses at least", "training", "decisions", "search", "deals"]
    return table(heads, rows)


def algorithms() -> str:
    """Exploitability at the end of each run, means over seeds, from docs/algorithms.json."""
    kept = learning.kept()
    rows = []
    for game in learning.GAMES:
        states = f"{MINI_GAMES[game].infostates:,}"
        cells = [_reached(kept["runs"], game, name) for name in learning.ALGORITHMS]
        rows.append([f"`{game}`", states, f"{kept['uniform'][game]:.3f}", *cells])
    names = [f"`{name}`" for name in learning.ALGORITHMS]
    return table(["mini game", "information states", "uniform play", *names], rows)


def _reached(runs: list[dict[str, Any]], game: str, algorithm: str) -> str:
    """The mean over seeds, with its interval where there are several."""
    lost = np.array([run["points"][-1]["exploitability"] for run in _runs(runs, game, algorithm)])
    if not len(lost):
        return ""
    within = f" ± {ci95_of_few(lost):.3f}" if len(lost) > 1 else ""
    return f"{lost.mean():.3f}{within}" if lost.mean() >= NEARLY_NOTHING else NEXT_TO_NOTHING


def _runs(runs: list[dict[str, Any]], game: str, algorithm: str) -> list[dict[str, Any]]:
    return [run for run in runs if run["game"] == game and run["algorithm"] == algorithm]


def algorithms_by_time() -> str:
    """What is left of uniform play's exploitability after some seconds: over games, the mean of
    means over seeds."""
    kept = learning.kept()
    rows = []
    for name in learning.ALGORITHMS:
        left = []
        for game in learning.GAMES:
            found = _runs(kept["runs"], game, name)
            curves = [[point["exploitability"] for point in run["points"]] for run in found]
            if curves:
                left.append(np.mean(curves, 0) / kept["uniform"][game])
        steps = [
            f"{100 * share:.2g} %" if share >= NEARLY_NOTHING / 10 else "< 0.01 %"
            for share in np.mean(left, 0)
        ]
        full = next((row for row in kept["full_size"] if row["algorithm"] == name), None)
        strength = "" if full is None else f"{full['margin']:+.2f} ± {full['within']:.2f}"
        rows.append([f"`{name}`", *steps, strength])
    times = [f"{share * kept['seconds']:.2g} s" for share in SHARES]
    size = kept["full_size"][0] if kept["full_size"] else {"game": "", "seconds": 0}
    head = f"{size['game']}, {size['seconds']:.0f} s: over `heuristic`"
    return table(["algorithm", *times, head], rows)


def algorithms_measured() -> str:
    """What docs/algorithms.json was measured with."""
    kept = learning.kept()
    seeds = {
        len(_runs(kept["runs"], game, name))
        for game in learning.GAMES
        for name in learning.LEARNERS
    }
    few = " to ".join(map(str, sorted({min(seeds), max(seeds)})))
    return f"{kept['seconds']:g} CPU seconds a run, {few} seeds, on {kept['machine']}.\n"


def cross_played() -> str:
    """What partners trained apart earn beside those trained together, from docs/cross_play.json."""
    rows = []
    for game, row in cross_play.kept().items():
        seeds = row["seeds"]
        others = [
            cell
            for name in (cross_play.SHIPPED, cross_play.OPPONENT)
            for cell in (_points(row[name], "margin", "within"), _share(row[name]))
        ]
        rows.append(
            [
                f"`{game}`",
                f"{np.mean(row['decisions']) / 1e6:.1f} million",
                _points(seeds, "together", "together_within"),
                _points(seeds, "apart", "apart_within"),
                f"**{_share(seeds)}**",
                cross_play.verdict(seeds),
                *others,
            ]
        )
    heads = [
        "game",
        "decisions a seed",
        "trained together",
        "trained apart",
        "of it",
        "80 % and more?",
    ]
    partners = [f"with `{name}`" for name in (cross_play.SHIPPED, cross_play.OPPONENT)]
    return table([*heads, partners[0], "of it", partners[1], "of it"], rows)


def _points(row: dict[str, Any], mean: str, within: str) -> str:
    return cross_score.margin(row[mean], row[within])


def _share(row: dict[str, Any]) -> str:
    if row["ratio"] is None:
        return "–"
    return cross_score.share(Ratio(row["ratio"], row["ratio_within"]))


def cross_play_measured() -> str:
    """What docs/cross_play.json was measured with."""
    kept = cross_play.kept()
    played = [row["all"] for row in kept.values()]
    deals = {each["deals"] for each in played}
    told = " to ".join(f"{each:,}" for each in sorted({min(deals), max(deals)}))
    pairs = max(len(each["names"]) ** 2 for each in played)
    machines = ", ".join(dict.fromkeys(row["processor"] for row in kept.values()))
    seconds = sum(row["seconds"] for row in kept.values())
    return (
        f"{len(kept)} of {len(cross_play.games())} games with teams, {len(cross_play.SEEDS)} seeds "
        f"each; {told} duplicate deals for each of {pairs} pairs, {seconds:,.0f} CPU seconds of "
        f"play in all, on {machines}.\n"
    )


def moves() -> str:
    """The agents in the order of what they give away, from docs/move_scores.json."""
    rows = [
        [
            f"`{score.agent}`",
            f"{score.positions:,}",
            f"{score.given_away:.2f} ± {score.within:.2f}",
            f"{score.share:.0%}",
            f"{score.best / score.positions:.0%}",
        ]
        for score in move_scores.totals(move_scores.kept())
    ]
    return table(["agent", "positions", "given away", "of random", "best move"], rows)


def moves_of_games() -> str:
    """The same of each game."""
    rows = []
    for name, scores in move_scores.kept().items():
        cells = [f"{score.agent} {score.given_away:.2f} ± {score.within:.2f}" for score in scores]
        rows.append([name, f"{scores[0].positions:,}", ", ".join(cells)])
    return table(["positions of", "number", "points given away a decision, the best first"], rows)


def beliefs() -> str:
    """How far guesses are behind an exact counter, from docs/belief_scores.json."""
    guesses = ["counting", "heuristic", "network", belief_scores.PLAY_AWARE]
    rows = []
    for name, scores in belief_scores.kept().items():
        first = scores["counting"]
        cells = [_gap(scores.get(guess)) for guess in guesses]
        rows.append([f"`{name}`", f"{first['positions']}", f"{first['exact']:.3f}", *cells])
    return table(["game", "positions", "exact counter", *guesses], rows)


def canonical_scores() -> str:
    """The baselines of the tasks of the canonical data set, from docs/canonical_scores.json."""
    rows = []
    for game, scores in canonical.kept(canonical.SCORES).get("small", {}).items():
        cells = {
            (
                each["task"],
                each["baseline"],
            ): _loss_and_share(each)
            for each in scores
        }
        rows.append([f"`{game}`", *(cells.get(key, "") for key in _BASELINES)])
    return table(["game", *(f"{task}: {baseline}" for task, baseline in _BASELINES)], rows)


def _loss_and_share(score: dict[str, Any]) -> str:
    return f"{score['loss']:.3f}, {round(score['other'], 2) + 0.0:.0%}"  # and not -0 %


_BASELINES = [
    *(("imitation", "uniform"), ("imitation", "network")),
    *(("belief", "counting"), ("belief", "network")),
    *(("value", "mean"), ("value", "network")),
]


def _gap(score: dict[str, Any] | None) -> str:
    """A gap, if it was measured in two positions or more."""
    if score is None or score["positions"] < 2:
        return ""
    return f"{score['gap']:+.3f} ± {score['within']:.3f}"
