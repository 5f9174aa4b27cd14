"""Checkpoints of training runs: written whole or not at all, and read without running any code."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import torch

from domino_env.agents.networks.archive import DAMAGED, must_be_whole, read_at_most
from domino_env.config.loader import as_dict, with_current_names
from domino_env.errors import BadOption
from domino_env.files import write_whole
from domino_env.train.settings import TrainSettings
from domino_env.train.training import Training

CHECKPOINT = "checkpoint.pt"
MOST_BYTES = 1 << 34  # of a checkpoint
FREE = ("out", "checkpoint")  # settings that may be different when a run goes on


def save(training: Training, folder: Path) -> None:
    """Keeps the state of a run in its folder."""
    file = io.BytesIO()
    settings = json.dumps(as_dict(training.settings))
    kept = {"settings": settings, "engine": training.backend.engine, "state": training.state()}
    torch.save(kept, file)
    write_whole(folder / CHECKPOINT, file.getvalue())


def resume(training: Training, folder: Path) -> None:
    """Puts a run where its last checkpoint was."""
    file = folder / CHECKPOINT
    try:
        content = read_at_most(file, MOST_BYTES)
    except OSError as error:
        raise BadOption(f"{file} cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        raise BadOption(f"{file} is too large to be a checkpoint") from error
    try:
        # Nothing in it is packed: what says that it is, is none of ours.
        kept = torch.load(must_be_whole(content, len(content)), weights_only=True)
        settings = with_current_names(TrainSettings, json.loads(kept["settings"]))
        engine, state = kept["engine"], kept["state"]
    except DAMAGED as error:
        raise BadOption(f"{file} is damaged, or is not a checkpoint") from error
    if engine != training.backend.engine:
        raise BadOption(f"{file} is of a run with --engine {engine}: resume it as it was begun")
    _must_agree(settings, training.settings, file)
    try:
        training.restore(state)
    except DAMAGED as error:
        raise BadOption(f"{file} is damaged, or of another version of domino-env") from error


def _must_agree(kept: dict[str, Any], settings: TrainSettings, file: Path) -> None:
    """Refuses to go on with other settings than the run was begun with."""
    given = json.loads(json.dumps(as_dict(settings)))
    for name in sorted({*kept, *given} - {*FREE}):
        if kept.get(name) != given.get(name):
            raise BadOption(
                f"{file} is of a run with {name}: {_short(kept.get(name))}, not "
                f"{_short(given.get(name))}; resume it as it was begun, or give another --out"
            )


def _short(value: Any) -> str:
    return json.dumps(value)
