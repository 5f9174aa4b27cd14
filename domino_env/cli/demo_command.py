"""`domino demo`: trains for a minute, and then plays a tournament."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from domino_env.cli.arguments import add_settings, load_settings
from domino_env.extras import must_have


def add(commands: Any) -> None:
    """Declares its arguments."""
    command = commands.add_parser("demo", help="train for a minute, then play a tournament")
    command.add_argument(
        "--config",
        metavar="FILE",
        default="demo",
        help="settings: a YAML file, or a shipped config (default demo)",
    )
    add_settings(command, "tournament.deals=200")
    command.set_defaults(run=run, extra="train")


def run(options: argparse.Namespace) -> int:
    """Trains, plays, and shows the results."""
    must_have("matplotlib", "sb3_contrib", "tensorboard", "torch", extra="train")
    from domino_env.cli import demo

    settings = load_settings(options, demo.DemoSettings, options.config, "")
    if settings is None:
        return 0
    demo.run(settings, Path(options.out or settings.out))
    return 0
