"""Baselines of the three tasks of the canonical data set (`data.canonical`).

    from domino_env.train.offline_baselines import score_tasks

    for score in score_tasks("runs/canonical-small-matador"):
        print(score.task, score.baseline, score.loss, score.other)

    imitation   which of its legal actions a seat takes: log loss, and how often the likeliest is it
    belief      where each tile is that it has not seen: log loss a tile, and how often ...
    value       what it earns from here to the end: squared error, and the part that is explained

Each is learned from the split `train`, stopped by `validation` and measured in `test`. Networks
have one hidden layer and read the features; beside them stands what can be said without learning.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from domino_env.arrays import tiles_held
from domino_env.batches import Batch
from domino_env.data.reader import Dataset, Rows
from domino_env.data.splits import SPLITS
from domino_env.errors import BadOption
from domino_env.games import rules
from domino_env.train.local_backend import torch_threads

SEEN = -1  # the target of a tile that is not hidden
IMPOSSIBLE = -30.0  # the logarithm of the share of a place that has no room
HIDDEN_SIZE, LEARNING_RATE, BATCH_SIZE = 128, 1e-3, 256
EPOCHS, PATIENCE = 60, 4  # at the most; without a better loss in `validation`
MOST_ROWS = 400_000  # that are read

Tensors = tuple[torch.Tensor, ...]
Loss = Callable[[torch.Tensor, Tensors], torch.Tensor]


@dataclass(frozen=True)
class TaskScore:
    """How well a baseline does in the split `test`.

    Attributes:
        game, task, baseline: of what.
        loss: nats a decision, nats a tile, or squared points.
        other: the share of right guesses; of value, the part of the variance that is explained.
        rows: how many decisions it was measured in.
    """

    game: str
    task: str
    baseline: str
    loss: float
    other: float
    rows: int


class Task(NamedTuple):
    """A task as tensors: inputs, what losses need besides, and how many numbers come out."""

    name: str
    splits: list[Tensors]
    """Of each split: features first, then what the loss takes."""
    outputs: int
    loss: Loss
    rightness: Callable[[torch.Tensor, Tensors], float]
    without_learning: str
    """The name of the baseline that puts zeros for what a network says."""


def score_tasks(folder: Path | str, threads: int = 1, seed: int = 0) -> list[TaskScore]:
    """Scores the baselines of all tasks in a data set."""
    dataset = Dataset(folder)
    if "split" not in dataset.columns or "hands" not in dataset.columns:
        raise BadOption(f"{folder} is no canonical data set: it has no splits, or no hands")
    game, columns = dataset.about["settings"]["game"], _read(dataset)
    tasks = [_imitation(columns), _value(columns)]
    if not rules(game).rows:  # there nobody knows the own tiles: all are alike
        tasks.insert(1, _belief(dataset, columns))
    found = []
    with torch_threads(threads):
        for task in tasks:
            found += [_without_learning(game, task), _learned(game, task, seed)]
    return found


def _read(dataset: Dataset) -> Rows:
    """The columns of a data set, or of as much of it as is read."""
    wanted = ("features", "mask", "action", "return", "hands", "split")
    parts, number = [], 0
    for rows in dataset.batches(8192, columns=wanted):
        parts.append(rows)
        number += len(rows["action"])
        if number >= MOST_ROWS:
            break
    return {name: np.concatenate([rows[name] for rows in parts]) for name in wanted}


def _by_split(columns: Rows, chosen: npt.NDArray[np.bool_], *arrays: Any) -> list[Tensors]:
    """Tensors of the chosen rows of each split."""
    found = []
    for split in range(len(SPLITS)):
        rows = np.flatnonzero(chosen & (columns["split"] == split))
        if not len(rows):
            raise BadOption(f"too few decisions: none of them is in the split {SPLITS[split]!r}")
        found.append(tuple(torch.as_tensor(np.asarray(each)[rows]) for each in arrays))
    return found


# The tasks ---------------------------------------------------------------------------------------


def _imitation(columns: Rows) -> Task:
    """Decisions with more than one legal action."""
    mask = columns["mask"]
    illegal = np.where(mask > 0, 0.0, IMPOSSIBLE).astype(np.float32)
    chosen, actions = mask.sum(1) > 1, columns["action"].astype(np.int64)
    splits = _by_split(columns, chosen, columns["features"], illegal, actions)
    return Task("imitation", splits, mask.shape[1], _log_loss, _accuracy, "uniform")


def _belief(dataset: Dataset, columns: Rows) -> Task:
    """Where each hidden tile is, with what counting says as a start."""
    hidden = _hidden(dataset, columns)
    seats, tiles = dataset.shape.players, dataset.shape.tiles
    held = tiles_held(columns["hands"], tiles) & hidden[:, None]  # [row, seat, tile]
    where = np.where(hidden, np.where(held.any(1), held.argmax(1), seats), SEEN)
    room = np.concatenate([held.sum(2), (where == seats).sum(1, keepdims=True)], axis=1)
    with np.errstate(divide="ignore"):
        prior = np.maximum(np.log(room / np.maximum(hidden.sum(1), 1)[:, None]), IMPOSSIBLE)
    prior = np.repeat(prior.astype(np.float32)[:, None], tiles, axis=1)
    splits = _by_split(columns, hidden.sum(1) > 0, columns["features"], prior, where)
    outputs = tiles * (seats + 1)
    return Task("belief", splits, outputs, _log_loss, _accuracy, "counting")


def _hidden(dataset: Dataset, columns: Rows) -> npt.NDArray[np.bool_]:
    """bool[rows, tiles]: the tiles that are neither in the own hand nor on the table, but of those
    that are played with."""
    game, tiles = dataset.about["settings"]["game"], dataset.shape.tiles
    batch, at = Batch(rules(game), 1, dataset.shape.players), 0
    seen = np.zeros((len(columns["action"]), tiles), np.bool_)
    seen |= tiles_held(batch.rule_table["left_out"], tiles)
    for name, size in dataset.about["fields"]:
        if name == "hand" or name.startswith("played["):
            seen |= columns["features"][:, at : at + size] > 0
        at += size
    return ~seen


def _value(columns: Rows) -> Task:
    """What is earned from here, in units of the standard deviation in `train`, from the mean."""
    learned = columns["split"] == 0
    returns = columns["return"].astype(np.float32)
    mean, scale = returns[learned].mean(), max(float(returns[learned].std()), 1e-6)
    targets = (returns - mean) / scale
    units = np.full(len(returns), scale, np.float32)
    every = np.ones(len(returns), np.bool_)
    splits = _by_split(columns, every, columns["features"], targets, units)
    return Task("value", splits, 1, _squared_error, _explained, "mean")


# Losses ------------------------------------------------------------------------------------------


def _logits(outputs: torch.Tensor, given: Tensors) -> torch.Tensor:
    """What a network says with what is known without it, as [..., classes]."""
    prior = given[1]
    return outputs.reshape(prior.shape) + prior


def _log_loss(outputs: torch.Tensor, given: Tensors) -> torch.Tensor:
    logits, targets = _logits(outputs, given), given[2]
    flat = logits.reshape(-1, logits.shape[-1])
    return torch.nn.functional.cross_entropy(flat, targets.flatten(), ignore_index=SEEN)


def _accuracy(outputs: torch.Tensor, given: Tensors) -> float:
    """How often the likeliest is right; several that are as likely share."""
    logits, targets = _logits(outputs, given), given[2]
    best = logits >= logits.max(-1, keepdim=True).values - 1e-6
    right = best.gather(-1, targets.clamp(min=0)[..., None])[..., 0] / best.sum(-1)
    return float(right[targets != SEEN].mean())


def _squared_error(outputs: torch.Tensor, given: Tensors) -> torch.Tensor:
    return (((outputs[:, 0] - given[1]) * given[2]) ** 2).mean()


def _explained(outputs: torch.Tensor, given: Tensors) -> float:
    returns = given[1] * given[2]
    return 1 - float(_squared_error(outputs, given) / returns.var(correction=0).clamp(min=1e-12))


# Scores ------------------------------------------------------------------------------------------


def _scored(game: str, task: Task, baseline: str, outputs: torch.Tensor) -> TaskScore:
    given = task.splits[2]
    loss, other = float(task.loss(outputs, given)), task.rightness(outputs, given)
    return TaskScore(game, task.name, baseline, loss, other, len(outputs))


def _without_learning(game: str, task: Task) -> TaskScore:
    zeros = torch.zeros(len(task.splits[2][0]), task.outputs)
    return _scored(game, task, task.without_learning, zeros)


def _learned(game: str, task: Task, seed: int) -> TaskScore:
    network = _train(task, seed)
    with torch.no_grad():
        return _scored(game, task, "network", network(task.splits[2][0]))


def _train(task: Task, seed: int) -> torch.nn.Module:
    """The network of the epoch with the least loss in `validation`."""
    torch.manual_seed(seed)
    train, validation, _ = task.splits
    network = torch.nn.Sequential(
        torch.nn.Linear(train[0].shape[1], HIDDEN_SIZE),
        torch.nn.ReLU(),
        torch.nn.Linear(HIDDEN_SIZE, task.outputs),
    )
    optimizer = torch.optim.Adam(network.parameters(), LEARNING_RATE)
    best, least, waited = deepcopy(network), float("inf"), 0
    for _ in range(EPOCHS):
        _epoch(network, optimizer, task.loss, train)
        with torch.no_grad():
            loss = float(task.loss(network(validation[0]), validation))
        waited += 1
        if loss < least:
            best, least, waited = deepcopy(network), loss, 0
        if waited == PATIENCE:
            break
    return best


def _epoch(
    network: torch.nn.Module, optimizer: torch.optim.Optimizer, loss: Loss, train: Tensors
) -> None:
    order = torch.randperm(len(train[0]))
    for first in range(0, len(order), BATCH_SIZE):
        some = tuple(each[order[first : first + BATCH_SIZE]] for each in train)
        optimizer.zero_grad()
        loss(network(some[0]), some).backward()  # type: ignore[no-untyped-call]
        optimizer.step()
