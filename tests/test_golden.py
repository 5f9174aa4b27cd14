"""Golden games: whole games as data, played by the engine and by the reference, step for step.

    tests/golden/<variant>/<name>.json

A file holds the deal and the moves, never a seed, so that it stays true whatever shuffles. For each
step it says who decides, what is legal, what is chosen, what every seat gains, and what follows of
itself (`then`: draws, passes, flips, tiles taken out of a hand). Which tile is taken is chance, and
so it is part of the file: whoever plays it is made to take that tile. `end` is how the game stands
after the last step, which need not be the end of the round; curved tiles have the fit of each end
in it too. `goes_back` is a deal that came before, and was dealt again (G5). `source` says what the
game shows, by clause or rulebook. Its `kind` is "hand-worked", with points that were worked out
before anything was run, or "generated": a whole round of the reference at random, so that no file
comes from the engine.

    python -m tests.test_golden --write                 # the whole rounds that are missing
    python -m tests.test_golden --write tavern_draw     # those of a game, anew
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env.deals import read_deal
from tests import reference
from tests.games import AT_A_TABLE, TWISTS

FOLDER = Path(__file__).parent / "golden"
FILES = [path for variant in AT_A_TABLE for path in sorted((FOLDER / variant).glob("*.json"))]
KINDS = ("generated", "hand-worked")
NAMES = [f"{path.parent.name}/{path.stem}" for path in FILES]
IN_ROWS = ("blind",)  # the hands are rows, whose order counts
LANES, MOST_SEEDS = 65_536, 20_000_000  # until one deals what a file says
MOST_TRIES = 2_000  # of the engine's generator, until it takes the tile that the file says

Json = dict[str, Any]

every_file = pytest.mark.parametrize("path", FILES, ids=NAMES)
every_variant = pytest.mark.parametrize("variant", AT_A_TABLE)


def load(path: Path) -> Json:
    return json.loads(path.read_text(encoding="utf-8"))


def write(path: Path, data: Json) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page(data) + "\n", encoding="utf-8")


# In the words of the file ---------------------------------------------------------------------
#
# Spelled here once more, and not with the engine's own `str`, so that its words are tested too.


def tile_words(tile: Sequence[int | str]) -> str:
    return f"{tile[0]}|{tile[1]}"


def move_words(move: tuple[Any, ...]) -> str:
    """A move of the reference as `str(Move)` has it."""
    if move[0] != "play":
        return move[0].upper().replace("_", " ")
    _, tile, end, half = move
    by = f" by {tile[half]}"
    if tile[0] == tile[1]:
        by = " turning left" if half == 1 else ""
    return f"[{tile_words(tile)}]{by} → end {end}"


def event_words(event: tuple[Any, ...]) -> str:
    """An event of the reference as `str(Event)` has it."""
    kind, seat, *rest = event
    who = "the deal" if seat is None else f"seat {seat}"
    if kind == "take":
        loser, taken = rest
        return f"{who} takes [{tile_words(taken)}] from seat {loser}"
    tile = f"[{tile_words(rest[0])}]" if rest else ""
    what = {
        "play": f"plays {tile} on end {rest[1] if len(rest) > 1 else ''}",
        "draw": f"draws {tile}",
        "flip": f"flips {tile}",
        "back": f"puts {tile} at the bottom",
        "start": f"lays out {tile}",
        "pass": "passes",
        "end_turn": "ends the turn",
        "call": "calls",
        "silent": "keeps silent",
        "clockwise": "chooses clockwise",
        "counter": "chooses counterclockwise",
        "reverse": "reverses the turns",
        "keep": "keeps the direction",
        "raise": "raises the stakes",
        "hold": "holds the stakes",
        "accept": "accepts the stakes",
        "refuse": "refuses the stakes",
    }
    return f"{who} {what[kind]}"


def tiles_taken(events: Iterable[str]) -> list[str]:
    """The tiles that these events take out of a hand."""
    return [found[1] for event in events if (found := re.search(r" takes \[(.+)\] from ", event))]


def table_words(table: Iterable[tuple[Any, int | None]]) -> list[str]:
    return [
        f"[{tile_words(tile)}] by {'nobody' if seat is None else f'seat {seat}'}"
        for tile, seat in table
    ]


def hand_words(variant: str, hands: Iterable[Iterable[Sequence[int | str]]]) -> list[list[str]]:
    """Every hand; sorted, where its order does not count."""
    found = [[tile_words(tile) for tile in hand] for hand in hands]
    return found if variant in IN_ROWS else [sorted(hand) for hand in found]


def asked(value: int | str) -> int | str:
    """What an end of the reference asks for: there a colour is the text of its number."""
    return int(value) if str(value).isdigit() else value


def is_curved(variant: str) -> bool:
    return variant in reference.curved.GAMES


# The two who play -------------------------------------------------------------------------------


class EngineGame:
    """The game of a file, played by the engine."""

    def __init__(self, game: Json) -> None:
        self.variant = game["variant"]
        self.batch = engine_batch(self.variant, game["options"])
        if "goes_back" in game:
            self.batch.reset(seed=seed_that_deals(game["goes_back"], game["deal"], self.batch))
        else:
            self.batch.reset(options={"deal": game["deal"]})
        self.gained = [0] * self.batch.num_players
        self.heard = 0

    @property
    def to_move(self) -> int | None:
        return self.batch.position().to_move

    def legal(self) -> list[str]:
        position = self.batch.position()
        assert self.batch.mask[0].nonzero()[0].tolist() == position.legal_actions
        return sorted(map(str, position.legal))

    def play(self, words: str, taken: Sequence[str]) -> list[float]:
        """Makes the move of this name, so that it takes these tiles; the points of every seat."""
        position = self.batch.position()
        found = dict(zip(map(str, position.legal), position.legal_actions, strict=True))
        before = self.batch.save(0)
        self.batch.step([found[words]])
        for chance in range(MOST_TRIES):
            if tiles_taken(self.unheard()) == taken:
                break
            self.batch.restore(0, before)
            self.batch._games["rng"][0] = chance
            self.batch.step([found[words]])
        return self.batch.reward[0].tolist()

    def unheard(self) -> list[str]:
        return [str(event) for event in self.batch.position().events[self.heard :]]

    def news(self) -> list[str]:
        """What has happened since this was last asked."""
        news = self.unheard()
        self.heard += len(news)
        return news

    def standing(self) -> Json:
        """How the game stands."""
        seen = self.batch.position()
        fits = {"fits": [end.fit for end in seen.ends]} if is_curved(self.variant) else {}
        return {
            "over": seen.over,
            "scores": seen.scores,
            "winners": seen.winners,
            "table": table_words(seen.played),
            "ends": [end.value for end in seen.ends],
            **fits,
            "hands": hand_words(self.variant, seen.hands),
            "boneyard": [tile_words(tile) for tile in seen.boneyard],
        }


class ReferenceGame:
    """The game of a file, played by the reference."""

    def __init__(self, game: Json) -> None:
        self.variant = game["variant"]
        self.game = reference_game(self.variant, game["options"])
        if "goes_back" in game:
            with pytest.raises(reference.DealAgain):
                deal_to(self.game, game["goes_back"])
        deal_to(self.game, game["deal"])
        self.heard = 0

    @property
    def to_move(self) -> int | None:
        return self.game.to_move

    def legal(self) -> list[str]:
        return sorted(map(move_words, self.game.legal()))

    def play(self, words: str, taken: Sequence[str]) -> list[float]:
        """Makes the move of this name, so that it takes these tiles; the points of every seat."""
        left = iter(taken)
        self.game.pick_tile = lambda loser, gainer, tiles: tile_named(tiles, next(left))
        return self.play_by_chance(words)

    def play_by_chance(self, words: str) -> list[float]:
        """Makes the move of this name, and lets the referee's `pick_tile` take what it will."""
        found = {move_words(move): move for move in self.game.legal()}
        return [float(points) for points in self.game.apply(found[words])]

    def news(self) -> list[str]:
        """What has happened since this was last asked."""
        heard, self.heard = self.heard, len(self.game.events)
        return [event_words(event) for event in self.game.events[heard:]]

    def standing(self) -> Json:
        """How the game stands."""
        ends = [end for _, end in sorted(self.game.ends().items())]
        fits = {"fits": [fit for *_, fit in ends]} if is_curved(self.variant) else {}
        return {
            "over": self.game.episode_over,
            "scores": list(self.game.scores),
            "winners": sorted(self.game.winners),
            "table": table_words(self.game.table),
            "ends": [asked(value) for value, *_ in ends],
            **fits,
            "hands": hand_words(self.variant, self.game.hands),
            "boneyard": [tile_words(tile) for tile in self.game.boneyard],
        }


Player = EngineGame | ReferenceGame


def engine_batch(variant: str, options: Json) -> domino_env.Batch:
    """A batch of one with the options of a file."""
    changes = dict(options["rules"])
    if "hand_size" in changes:
        changes["players"] = (options["players"],)  # a hand too large for more is large enough
    return domino_env.batch(
        domino_env.rules(variant, set=options["set"], **changes),
        1,
        options["players"],
        episode=options["episode"],
        calls=options["calls"],
        reward="points",
        autoreset=False,
    )


def seed_that_deals(first: Json, then: Json, batch: domino_env.Batch) -> int:
    """A seed that deals one deal, which goes back, and then another: a deal that goes back cannot
    be given. What comes first is told by Fours, which shuffles and draws lots alike, and sends
    nothing back."""
    usual = batch.rules
    dealt_alike = {"set": usual.set, "hand_size": usual.hand_size, "players": usual.players}
    ours, fours = (
        domino_env.batch(rules, LANES, batch.num_players, seed=0)
        for rules in (usual, domino_env.rules("fours", **dealt_alike))
    )
    wanted = [read_deal(batch.setup, deal) for deal in (first, then)]
    for seed in range(0, MOST_SEEDS, LANES):
        found = np.ones(LANES, np.bool_)
        for dealt, (deck, starter) in zip((fours, ours), wanted, strict=True):
            dealt.reset(seed)
            found &= (dealt.events[:, : len(deck)] == deck).all(1)
            found &= dealt.games["starter"] == starter
        if found.any():
            return seed + int(found.argmax())
    raise AssertionError("no seed deals these two deals")


def reference_game(variant: str, options: Json) -> reference.Referee:
    """A referee with the options of a file."""
    return reference.new_game(
        variant,
        options["players"],
        set=options["set"],
        calls=options["calls"],
        episode=options["episode"],
        **options["rules"],
    )


def deal_to(game: reference.Referee, deal: Json) -> None:
    """Starts a round of a referee with the deal of a file."""
    hands = [[tile_named(game.tiles, tile) for tile in hand] for hand in deal["hands"]]
    boneyard = [tile_named(game.tiles, tile) for tile in deal["boneyard"]]
    game.start_round(hands, boneyard, deal.get("starter"))


def tile_named(tiles: Iterable[Any], words: str) -> Any:
    """The one of these tiles that is written so."""
    return next(tile for tile in tiles if tile_words(tile) == words)


# Playing a file -----------------------------------------------------------------------------------


def follow(game: Json, player: Player) -> None:
    """Plays the moves of a file, and compares everything that it says."""
    assert player.news() == game["opening"]
    for number, step in enumerate(game["steps"]):
        where = f"step {number}"
        assert player.to_move == step["seat"], where
        assert player.legal() == sorted(step["legal"]), where
        then = step.get("then", [])
        assert player.play(step["move"], tiles_taken(then)) == step["points"], where
        assert follows_of_itself(player.news()) == then, where
    standing = player.standing()
    assert {key: standing[key] for key in game["end"]} == game["end"]


def follows_of_itself(news: list[str]) -> list[str]:
    """The events of a step without the one that only repeats the decision."""
    return news if " draws " in news[0] else news[1:]


@every_file
def test_the_engine_plays_a_golden_game_step_for_step(path: Path) -> None:
    game = load(path)
    follow(game, EngineGame(game))


@every_file
def test_the_reference_plays_a_golden_game_step_for_step(path: Path) -> None:
    game = load(path)
    follow(game, ReferenceGame(game))


@every_file
def test_a_golden_game_says_what_it_shows(path: Path) -> None:
    game = load(path)
    assert game["variant"] == path.parent.name
    assert game["kind"] in KINDS
    assert game["source"].endswith(".")
    assert game["steps"]
    told = {"over", "scores", "winners", "table", "ends", "hands", "boneyard"}
    assert set(game["end"]) == told | ({"fits"} if is_curved(game["variant"]) else set())


@every_file
def test_a_golden_game_is_written_one_step_to_a_line(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == page(load(path)) + "\n"


@every_variant
def test_every_variant_has_a_whole_generated_round(variant: str) -> None:
    games = [load(path) for path in (FOLDER / variant).glob("*.json")]
    assert any(game["kind"] == "generated" and game["end"]["over"] for game in games)


@every_variant
def test_every_variant_has_hand_worked_games(variant: str) -> None:
    games = [load(path) for path in (FOLDER / variant).glob("*.json")]
    assert len([game for game in games if game["kind"] == "hand-worked"]) >= 2


@every_variant
def test_every_variant_has_a_match_that_its_first_round_decides(variant: str) -> None:
    games = [load(path) for path in (FOLDER / variant).glob("*.json")]
    assert any(game["options"]["episode"] == "match" and game["end"]["over"] for game in games)


# Writing a file -------------------------------------------------------------------------------


def record(game: Json, random: Random) -> Json:
    """Plays a deal with the reference at random, and writes down what a golden file holds."""
    player = ReferenceGame(game)
    player.game.pick_tile = lambda loser, gainer, tiles: random.choice(tiles)
    opening, steps = player.news(), []
    while player.to_move is not None:
        seat, legal = player.to_move, player.legal()
        move = random.choice(legal)
        points = [int(gained) for gained in player.play_by_chance(move)]
        step = {"seat": seat, "legal": legal, "move": move, "points": points}
        then = follows_of_itself(player.news())
        steps.append({**step, "then": then} if then else step)
    return {**game, "opening": opening, "steps": steps, "end": player.standing()}


def page(value: Any, indent: int = 0) -> str:
    """A text as a person would lay it out: one line for each step and each hand."""
    if _height(value) < (2 if isinstance(value, list) else 3):
        return json.dumps(value, ensure_ascii=False)
    new_line = "\n" + " " * (indent + 1)
    if isinstance(value, list):
        lines = [page(item, indent + 1) for item in value]
    else:
        lines = [f"{json.dumps(key)}: {page(item, indent + 1)}" for key, item in value.items()]
    first, last = "[]" if isinstance(value, list) else "{}"
    return first + new_line + f",{new_line}".join(lines) + "\n" + " " * indent + last


def _height(value: Any) -> int:
    """How deep lists and dicts lie in each other here."""
    if not isinstance(value, (list, dict)):
        return 0
    items = value.values() if isinstance(value, dict) else value
    return 1 + max(map(_height, items), default=0)


def whole_round(variant: str, options: Json, name: str) -> Json:
    """A random round of the reference, from a deal that it does not send back."""
    random = Random(f"golden {variant} {options['players']} {name}")
    game: Json = {
        "variant": variant,
        "kind": "generated",
        "options": options,
        "source": "A whole round of random moves by the reference, "
        f"{options['players']} players, {name}.",
    }
    while True:
        deal = random_deal(reference_game(variant, options), random)
        try:
            return record({**game, "deal": deal}, random)
        except reference.DealAgain:
            continue


def random_deal(game: reference.Referee, random: Random) -> Json:
    """The whole set, shuffled and dealt."""
    tiles = [tile_words(tile) for tile in game.tiles]
    random.shuffle(tiles)
    size, dealt = game.hand_size, game.hand_size * game.players
    hands = [tiles[seat * size : (seat + 1) * size] for seat in range(game.players)]
    deal: Json = {"hands": hands, "boneyard": tiles[dealt:]}
    return {**deal, "starter": random.randrange(game.players)} if game.draws_lots else deal


def whole_rounds(variant: str) -> list[tuple[Json, str]]:
    """The options of the rounds to generate, each with a word for what it is played with.

    One for the fewest players, and one for the most with a larger set. A curved game has one set,
    so there it is one for every number of players, and one with all its twists and every call.
    """
    rules = domino_env.rules(variant)
    larger = "double_9" if "double_9" in rules.sets else rules.set
    sizes = [(min(rules.players), rules.set), (max(rules.players), larger)]
    if is_curved(variant):
        sizes = [(players, rules.set) for players in rules.players]
    found = [(plain_options(players, name), name) for players, name in sizes]
    if is_curved(variant) and rules.has_calls:
        twisted = plain_options(max(rules.players), rules.set)
        twisted |= {"calls": "explicit", "rules": dict.fromkeys(TWISTS, True)}
        found.append((twisted, "all_twists"))
    return found


def plain_options(players: int, name: str) -> Json:
    """What a file says of a round by the rulebook."""
    return {"set": name, "players": players, "calls": "automatic", "episode": "round", "rules": {}}


def write_whole_rounds(anew: Sequence[str]) -> list[Path]:
    """Generates the whole rounds of some games anew, or those of all that are not there yet."""
    written = []
    for variant in anew or AT_A_TABLE:
        for options, name in whole_rounds(variant):
            path = FOLDER / variant / f"whole_round_{options['players']}_players_{name}.json"
            if anew or not path.exists():
                write(path, whole_round(variant, options, name))
                written.append(path)
    return written


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Writes the golden games that are generated.")
    parser.add_argument("--write", action="store_true", required=True)
    parser.add_argument("variants", nargs="*", choices=[[], *AT_A_TABLE], metavar="variant")
    for path in write_whole_rounds(parser.parse_args(arguments).variants):
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
