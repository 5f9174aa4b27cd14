"""What comes of the benchmark: a page, JSON with every version and hash, and how it is cited."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from domino_env.errors import BadOption
from domino_env.evaluate.benchmark import benchmark
from domino_env.evaluate.benchmark_run import BenchmarkScore, GameScore
from domino_env.execution.versions import versions
from domino_env.files import write_whole

FORMAT = 1
MARKDOWN, FIGURES = "benchmark.md", "benchmark.json"


def plain(score: BenchmarkScore, code_sum: str | None = None) -> dict[str, Any]:
    """All that makes the score, for JSON: equal for equal play, on any machine."""
    chosen = score.benchmark
    return {
        "format": FORMAT,
        "benchmark": chosen.version,
        "sha256": chosen.sha256,
        "quick": score.quick,
        "variance": score.variance,
        "agent": score.agent,
        "code_sha256": code_sum,
        "score": round(score.score, 3),
        "within": round(score.within, 3),
        "games": [_plain_game(each) for each in score.games],
        "versions": versions(),
    }


def _plain_game(game: GameScore) -> dict[str, Any]:
    names = ("name", "score", "within", "margin", "margin_within", "deals", "played")
    figures = {name: getattr(game, name) for name in names}
    rounded = {
        name: round(value, 4) if isinstance(value, float) else value
        for name, value in figures.items()
    }
    return {**rounded, "standings": [asdict(each) for each in game.standings]}


def markdown(score: BenchmarkScore) -> str:
    """The page."""
    chosen = score.benchmark
    rows = [
        f"| {each.name} | {_score(each)} | {each.deals:,} | "
        f"{each.margin:+.2f} ± {each.margin_within:.2f} | "
        f"{', '.join(f'{s.second} {s.margin:+.2f}' for s in each.standings)} |"
        for each in score.games
    ]
    return "\n".join(
        [
            f"# Domino benchmark v{chosen.version}: {score.agent}",
            "",
            f"**{score.score:.1f} ± {score.within:.1f}** ({form(score)}; 0 is random play, 100 is "
            f"{chosen.reference}; ± is a 95 % interval).",
            "",
            "| game | score | deals | points a round over the opponents | over each |",
            "| --- | --- | --- | --- | --- |",
            *rows,
            "",
            f"Benchmark file {chosen.sha256}.",
            "",
            "```bibtex",
            bibtex(score),
            "```",
            "",
        ]
    )


def form(score: BenchmarkScore) -> str:
    """Which form it was, and how many deals it had."""
    chosen = score.benchmark
    if not score.quick:
        return f"{chosen.deals:,} duplicate deals of each game and opponent"
    if not score.cut_short:
        return f"quick form, {chosen.quick_deals:,} duplicate deals of each game and opponent"
    numbers = {each.deals for each in score.games if each.played}
    range_of = " to ".join(f"{each:,}" for each in sorted({min(numbers), max(numbers)}))
    return (
        f"quick form, cut short by time: {range_of} of {chosen.quick_deals:,} duplicate deals of "
        "each game and opponent; the interval of a game with fewer than thirty is too narrow"
    )


def _score(game: GameScore) -> str:
    return f"{game.score:.1f} ± {game.within:.1f}" if game.played else "0, not played"


def bibtex(score: BenchmarkScore) -> str:
    """An entry for who cites the benchmark."""
    chosen = score.benchmark
    return (
        f"@misc{{domino_benchmark_v{chosen.version},\n"
        f"  title = {{Domino Benchmark v{chosen.version}}},\n"
        "  howpublished = {The domino environment suite, \\texttt{domino-env} "
        f"{versions()['domino-env']}}},\n"
        f"  note = {{SHA-256 of the benchmark file: {chosen.sha256}}}\n"
        "}"
    )


def write(score: BenchmarkScore, folder: Path, code_sum: str | None = None) -> None:
    """Writes the page and the figures into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    told = json.dumps(plain(score, code_sum), indent=1) + "\n"
    write_whole(folder / FIGURES, told)
    write_whole(folder / MARKDOWN, markdown(score))


# Entries of the leaderboard -----------------------------------------------------------------------


def read_entry(file: Path) -> dict[str, Any]:
    """The figures of a file, if they are of a whole benchmark and agree with each other."""
    try:
        told: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        _must_be_whole(told)
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise BadOption(f"{file} is no entry: {error}") from error
    return told


def _must_be_whole(told: dict[str, Any]) -> None:
    chosen = benchmark(told["benchmark"])
    if told["format"] != FORMAT or told["sha256"] != chosen.sha256:
        raise ValueError("it is of another benchmark")
    if told["quick"]:
        raise ValueError("it is of the quick form")
    names = [each["name"] for each in told["games"]]
    if names != [each.name for each in chosen.games]:
        raise ValueError("its games are not those of the benchmark")
    for game, found in zip(chosen.games, told["games"], strict=True):
        expected = game.score(found["margin"]) if found["played"] else 0.0
        if abs(expected - found["score"]) > 0.01:
            raise ValueError(f"the score of {game.name} is not that of its margin")
        if found["played"] and any(s["deals"] != chosen.deals for s in found["standings"]):
            raise ValueError(f"{game.name} has not been played on all deals")
    mean = sum(each["score"] for each in told["games"]) / len(names)
    if abs(mean - told["score"]) > 0.01:
        raise ValueError("the score is not the mean of the games'")
