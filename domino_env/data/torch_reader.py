"""Reads data sets for PyTorch's `DataLoader`.

    from torch.utils.data import DataLoader
    from domino_env.data import Decisions

    decisions = Decisions("runs/block_draw", 1024, columns=("features", "mask", "action"))
    for epoch in range(10):
        decisions.epoch = epoch                       # another order each time
        for rows in DataLoader(decisions, batch_size=None, num_workers=2):
            rows["features"]                          # float32[1024, F]

It gives whole batches, so `batch_size=None`. The workers of a loader share the rows among them; so
do several processes that train together, if each is given its `rank` and the `world_size`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch.utils.data import IterableDataset, get_worker_info

from domino_env.data.reader import Dataset
from domino_env.errors import BadOption, is_whole


class Decisions(IterableDataset[dict[str, torch.Tensor]]):
    """The rows of a data set, shuffled, as batches of tensors.

    Args:
        dataset: one, or its folder.
        batch_size, columns, seed, shuffle_buffer: as of `Dataset.batches`; without a seed nothing
            is shuffled.
        rank, world_size: which of several processes this is, and how many there are.

    Attributes:
        epoch: goes into the seed; set it before each epoch.
    """

    def __init__(
        self,
        dataset: Dataset | Path | str,
        batch_size: int,
        columns: Sequence[str] | None = None,
        seed: int | None = 0,
        shuffle_buffer: int = 65_536,
        rank: int = 0,
        world_size: int = 1,
    ) -> None:
        if not is_whole(world_size) or not is_whole(rank) or not 0 <= rank < world_size:
            raise BadOption(
                f"rank must be a whole number below world_size, not {rank!r} of {world_size!r}"
            )
        self.dataset = dataset if isinstance(dataset, Dataset) else Dataset(dataset)
        self.epoch = 0
        self._options: dict[str, Any] = {
            "batch_size": batch_size,
            "columns": columns,
            "shuffle_buffer": shuffle_buffer,
        }
        self._seed, self._rank, self._world_size = seed, rank, world_size

    def __iter__(self) -> Iterator[dict[str, torch.Tensor]]:
        """The shard of this worker of this process."""
        worker = get_worker_info()
        number, workers = (0, 1) if worker is None else (worker.id, worker.num_workers)
        rows = self.dataset.batches(
            **self._options,
            seed=None if self._seed is None else self._seed + 1_000_003 * self.epoch,
            shard=self._rank * workers + number,
            num_shards=self._world_size * workers,
        )
        for batch in rows:
            yield {name: torch.from_numpy(_taken(column)) for name, column in batch.items()}


def _taken(column: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """In a type that PyTorch calculates with: whole numbers are int64, of hands the same bits."""
    if column.dtype.kind == "u":
        return column.view(np.int64) if column.itemsize == 8 else column.astype(np.int64)
    return np.array(column)
