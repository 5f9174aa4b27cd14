"""Figures of a training run, kept until they are dumped, and written for TensorBoard if asked."""

from __future__ import annotations

from typing import Any


class MetricLog:
    """Takes figures by their names.

    Attributes:
        name_to_value: what has been recorded since the last dump.
    """

    def __init__(self, folder: str | None = None) -> None:
        self.name_to_value: dict[str, float] = {}
        self._writer: Any = None
        if folder is not None:
            from torch.utils.tensorboard import SummaryWriter  # it takes seconds to import

            self._writer = SummaryWriter(folder)

    def record(self, key: str, value: Any) -> None:
        """Notes a figure."""
        self.name_to_value[key] = float(value)

    def dump(self, step: int = 0) -> None:
        """Writes what has been noted since the last dump."""
        if self._writer is not None:
            for key, value in self.name_to_value.items():
                self._writer.add_scalar(key, value, step)
            self._writer.flush()
        self.name_to_value.clear()
