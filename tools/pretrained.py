"""Trains the policies that come with the package, each by its config.

    python -m tools.pretrained            # all of them; `make pretrained`
    python -m tools.pretrained matador    # some
    python -m tools.pretrained net/cuban  # a network that scores moves, for the agent `net`

A run that was stopped goes on; one that is done is not begun again, unless its folder is removed.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import domino_env
from domino_env.agents.networks.player import WEIGHTS
from domino_env.errors import did_you_mean
from domino_env.files import write_whole

ROOT = Path(domino_env.__file__).parent.parent
CONFIGS = ROOT / "configs" / "train"
RUNS = ROOT / "runs" / "pretrained"


def names() -> list[str]:
    """Of the configs: those of the agent `ppo`, and in a folder of their own those of `net`."""
    return [*_stems(CONFIGS), *(f"net/{name}" for name in _stems(CONFIGS / "net"))]


def _stems(folder: Path) -> list[str]:
    return sorted(path.stem for path in folder.glob("*.yaml"))


def shipped_as(name: str) -> Path:
    """The file that the policy of a config becomes."""
    return WEIGHTS / (name if "/" in name else f"ppo/{name}")


def train(name: str) -> tuple[bool, str]:
    """Trains by a config in a process of its own, and ships what comes of it; answers with whether
    something did, and how strong it is or what was wrong."""
    folder = RUNS / name
    command = [sys.executable, "-m", "domino_env.cli.main", "train"]
    command += [str(CONFIGS / f"{name}.yaml"), "--out", str(folder)]
    if (folder / "checkpoint.pt").exists():
        command.append("--resume")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return False, f"{name}: {done.stderr.strip().splitlines()[-1]}"
    write_whole(shipped_as(name).with_suffix(".npz"), (folder / "policy.npz").read_bytes())
    return True, f"{name}: {done.stdout.splitlines()[1]}"


def main(arguments: list[str] | None = None) -> int:
    """Trains all of them, or those that are named; its exit status is 1 if one of them failed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", help="configs of configs/train; all by default")
    parser.add_argument("--jobs", type=int, default=2, help="runs at once (default 2)")
    options = parser.parse_args(arguments)
    chosen = options.names or names()
    for name in chosen:
        if name not in names():
            parser.error(f"unknown config {name!r}{did_you_mean(name, names())}")
    well = True
    with ThreadPoolExecutor(options.jobs) as pool:
        for number, (done, told) in enumerate(pool.map(train, chosen), 1):
            well &= done
            print(f"{number}/{len(chosen)} {told}", flush=True)
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
