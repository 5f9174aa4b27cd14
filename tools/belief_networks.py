"""Trains the belief networks that come with the package.

    python -m tools.belief_networks               # all of them; `make belief-networks`
    python -m tools.belief_networks block_draw    # some

Each takes a minute or two. The games are those of `GAMES`: the networks are in the wheel, so they
are few and small.
"""

from __future__ import annotations

import argparse
import sys
import time

from rich.console import Console
from rich.progress import Progress

from domino_env.agents.networks.belief_network import WEIGHTS
from domino_env.errors import did_you_mean
from domino_env.files import write_whole
from domino_env.games import variants
from domino_env.train.belief_learner import BeliefSettings, learn_beliefs

GAMES = ("all_fives", "block_draw", "matador", "partnership_block")


def main(arguments: list[str] | None = None) -> int:
    """Trains the networks of all games, or of those that are named."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", help=f"games; by default {', '.join(GAMES)}")
    options = parser.parse_args(arguments)
    for name in options.names:
        if name not in variants():
            parser.error(f"unknown game {name!r}{did_you_mean(name, variants())}")
    console = Console(stderr=True)
    for name in options.names or GAMES:
        train(BeliefSettings(game=name), console)
    return 0


def train(settings: BeliefSettings, console: Console) -> None:
    """Trains one, with a progress bar, and puts it among the weights."""
    began = time.process_time()
    with Progress(console=console, transient=True) as progress:
        bar = progress.add_task(settings.game, total=settings.iterations)

        def show(done: int, loss: float) -> None:
            progress.update(bar, completed=done, description=f"{settings.game} {loss:.4f}")

        network = learn_beliefs(settings, show)
    content = network.to_bytes()
    WEIGHTS.mkdir(parents=True, exist_ok=True)
    write_whole(WEIGHTS / f"{settings.game}.npz", content)
    spent = time.process_time() - began
    told = f"{settings.game}: {network.notes['loss']} nats a tile, {len(content):,} bytes"
    console.print(f"{told}, {spent:.0f} s of the processor", highlight=False)


if __name__ == "__main__":
    sys.exit(main())
