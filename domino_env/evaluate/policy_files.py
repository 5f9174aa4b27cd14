"""What training leaves in a folder, as entrants: the file of a policy, or a folder of seeds."""

from __future__ import annotations

from pathlib import Path

from domino_env import agents
from domino_env.errors import BadOption
from domino_env.evaluate.entrants import Entrant, read_entrant

POLICY = "policy.npz"
SEEDED = "seed-"
PLAYER = "net"  # it plays any policy file, whichever way that was trained


def folder_of_seed(folder: Path, seed: int) -> Path:
    """Where the run of a seed is, in the folder of all of them."""
    return folder / f"{SEEDED}{seed}"


def entrants_of(text: str) -> list[Entrant]:
    """The entrants that a word of a command means: the policies in a folder, that of a file, or an
    agent as `read_entrant` reads it."""
    path = Path(text)
    if text not in agents.names() and path.is_dir():
        return policies_in(path)
    if path.suffix == ".npz":
        return [policy_at(path, path.stem)]
    return [read_entrant(text)]


def policies_in(folder: Path) -> list[Entrant]:
    """The policy of a training run, or one of each seed that `domino train --seeds` has trained; an
    entrant is named after the folders: `runs/five/seed-2/policy.npz` is `five/seed-2`."""
    name = folder.resolve().name
    if (folder / POLICY).exists():
        return [policy_at(folder / POLICY, name)]
    seeds = sorted(folder.glob(f"{SEEDED}*/{POLICY}"), key=_number_of_seed)
    if not seeds:
        raise BadOption(
            f"there is no {POLICY} in {folder}, nor in folders of seeds in it: name the folder of "
            "`domino train`, once a run is done"
        )
    return [policy_at(file, f"{name}/{file.parent.name}") for file in seeds]


def _number_of_seed(file: Path) -> tuple[int, str]:
    number = file.parent.name.removeprefix(SEEDED)
    return int(number) if number.isdecimal() else -1, number


def policy_at(file: Path, name: str) -> Entrant:
    """The player of a policy file."""
    return Entrant(PLAYER, name, {"file": str(file)})
