"""Reads positions with who holds what for PyTorch's `DataLoader`.

    from torch.utils.data import DataLoader
    from domino_env.data import HoldingsDataset

    for some in DataLoader(HoldingsDataset("block_draw"), batch_size=64):
        some["observation"], some["shares"], some["holders"]

NumPy arrays of the same are those of `domino_env.belief.holdings`, which says what they are.
"""

from __future__ import annotations

import torch
from torch.utils.data import Dataset

from domino_env.belief import Holdings, holdings


class HoldingsDataset(Dataset[dict[str, torch.Tensor]]):
    """The positions of a game as tensors.

    Args:
        game: its id, or its positions.

    Each is a dictionary: `observation` float32[F], `hidden` bool[tiles], `holders` int64[tiles],
    -1 where a tile is not hidden (as `cross_entropy` ignores it with `ignore_index=-1`), and
    `shares` float32[tiles, columns].
    """

    def __init__(self, game: str | Holdings) -> None:
        some = holdings(game) if isinstance(game, str) else game
        self._tensors = {
            "observation": torch.from_numpy(some.observations),
            "hidden": torch.from_numpy(some.hidden),
            "holders": torch.from_numpy(some.holders).long(),
            "shares": torch.from_numpy(some.shares).float(),
        }

    def __len__(self) -> int:
        return len(self._tensors["holders"])

    def __getitem__(self, number: int) -> dict[str, torch.Tensor]:
        """One position."""
        return {name: each[number] for name, each in self._tensors.items()}
