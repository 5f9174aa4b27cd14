"""Data sets of games for PyTorch's `DataLoader`.

    from torch.utils.data import DataLoader
    from domino_env.data.torch_reader import Decisions

    decisions = Decisions("runs/block_draw", size=1024, columns=("features", "mask", "action"))
    for epoch in range(10):
        decisions.epoch = epoch                       # another order each time
        for rows in DataLoader(decisions, batch_size=None, num_workers=2):
            rows["features"]                          # float32[1024, F]

It gives whole batches, so `batch_size=None`. The workers of a loader share the rows among them; so
do several processes that train together, if each is told its `rank` of how many `ranks`.
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
        size, columns, seed, buffer: as of `Dataset.batches`; without a seed nothing is shuffled.
        rank, ranks: which of several processes this is, and how many there are.

    Attributes:
        epoch: goes into the seed; set it before each epoch.
    """

    def __init__(
        self,
        dataset: Dataset | Path | str,
        size: int,
        columns: Sequence[str] | None = None,
        seed: int | None = 0,
        buffer: int = 65_536,
        rank: int = 0,
        ranks: int = 1,
    ) -> None:
        if not is_whole(ranks) or not is_whole(rank) or not 0 <= rank < ranks:
            raise BadOption(f"rank must be a whole number below ranks, not {rank!r} of {ranks!r}")
        self.dataset = dataset if isinstance(dataset, Dataset) else Dataset(dataset)
        self.epoch = 0
        self._options: dict[str, Any] = {"size": size, "columns": columns, "buffer": buffer}
        self._seed, self._rank, self._ranks = seed, rank, ranks

    def __iter__(self) -> Iterator[dict[str, torch.Tensor]]:
        """The share of this process, and in it of this worker."""
        worker = get_worker_info()
        number, workers = (0, 1) if worker is None else (worker.id, worker.num_workers)
        rows = self.dataset.batches(
            **self._options,
            seed=None if self._seed is None else self._seed + 1_000_003 * self.epoch,
            part=self._rank * workers + number,
            parts=self._ranks * workers,
        )
        for batch in rows:
            yield {name: torch.from_numpy(_taken(column)) for name, column in batch.items()}


def _taken(column: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """In a type that PyTorch calculates with: whole numbers are int64, of hands the same bits."""
    if column.dtype.kind == "u":
        return column.view(np.int64) if column.itemsize == 8 else column.astype(np.int64)
    return np.array(column)
