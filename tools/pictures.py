"""Draws the pictures of the docs: every game, well into a round.

python -m tools.pictures            # rewrites docs/images
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import domino_env
from domino_env import agents
from domino_env.files import write_whole
from domino_env.position import Position
from domino_env.render import svg
from domino_env.render.compose import compose

ROOT = Path(domino_env.__file__).parent.parent
IMAGES = ROOT / "docs" / "images"
SEATS = 3  # at most; with more, hands fill the picture
SO_FAR = 0.75  # of the round
DEALS = 16  # of which the one is shown that comes to the most


def shown(game: str) -> Position:
    """A game as it stands after most of a round that practised players play, from a deal where
    there is much to see."""
    positions = [_well_into_a_round(game, seed) for seed in range(DEALS)]
    return max(positions, key=lambda seen: (len(seen.ends), len(seen.played), len(seen.events)))


def _well_into_a_round(game: str, seed: int) -> Position:
    rules = domino_env.rules(game)
    seats = max(players for players in rules.players if players <= max(SEATS, rules.players[0]))
    batch = domino_env.batch(rules, 1, num_players=seats, seed=seed, autoreset=False)
    batch.reset()
    lanes = np.zeros(1, np.int64)
    names = agents.names(game)
    player = agents.make_seeded("heuristic" if "heuristic" in names else "random", 0)
    saves = []
    while batch.seat[0] >= 0:
        saves.append(batch.save(0))
        batch.step(player.act(batch, lanes))
    batch.restore(0, saves[int(SO_FAR * (len(saves) - 1))])
    return batch.position(0)


def picture(game: str) -> str:
    """As the player sees it whose turn it is."""
    position = shown(game)
    return svg.paint(compose(position, position.to_move or 0)) + "\n"


def main() -> int:
    """Writes all of them."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    for game in domino_env.variants():
        write_whole(IMAGES / f"{game}.svg", picture(game))
        print(f"wrote docs/images/{game}.svg")
    return 0


if __name__ == "__main__":
    sys.exit(main())
