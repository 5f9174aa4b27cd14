"""What the observations of a batch are made of: floats, or bytes and the scale of each."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env import lanes as loops
from domino_env.batches.memory import BatchMemory
from domino_env.batches.options import short
from domino_env.compiling import prepared
from domino_env.engine.state import BYTES
from domino_env.errors import BadOption


class BatchObservations(BatchMemory):
    """The observations of a batch, as their fields declare them."""

    def bounds(self) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """The least and the greatest value of each number of an observation."""
        if self.observation_dtype == BYTES:
            least = np.zeros(self.num_features, BYTES)
            return least, ~least
        return self._of_fields("low"), self._of_fields("high")

    @property
    def observation_scale(self) -> npt.NDArray[np.float32]:
        """float32[F]: what 1 is worth in each number of an observation; see `as_floats`."""
        if self.observation_dtype == BYTES:
            return self._of_fields("scale")
        return np.ones(self.num_features, np.float32)

    @property
    def observation_offset(self) -> npt.NDArray[np.float32]:
        """float32[F]: what stands for 0 in each number of an observation; see `as_floats`."""
        if self.observation_dtype == BYTES:
            return self._of_fields("offset")
        return np.zeros(self.num_features, np.float32)

    def as_floats(self, observation: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
        """An observation of this batch, or several, as float32 features: of bytes
        `(observation - observation_offset) * observation_scale`; of floats it is the same array."""
        self._must_be_observed(observation)
        if self.observation_dtype != BYTES:
            return observation
        if self._byte_scale is None:
            self._byte_scale = self.observation_offset, self.observation_scale
        offset, scale = self._byte_scale
        floats: npt.NDArray[np.float32] = observation.astype(np.float32)
        floats -= offset
        floats *= scale
        return floats

    def _must_be_observed(self, observation: Any) -> None:
        alike = isinstance(observation, np.ndarray) and observation.dtype == self.observation_dtype
        if not alike or observation.shape[-1:] != (self.num_features,):
            raise BadOption(
                f"as_floats takes observations of this batch, an array of {self.observation_dtype} "
                f"with {self.num_features} in its last axis; not {short(observation)}"
            )

    def _of_fields(self, name: str) -> npt.NDArray[np.float32]:
        """Something that fields declare, for each of their numbers."""
        declared = [getattr(field, name) for field in self.fields]
        return np.repeat(np.array(declared, np.float32), [field.size for field in self.fields])

    def _new_view(self) -> Any:
        """Where one seat's view of one game is written, and what writes it."""
        lanes, seats = np.zeros(1, np.int64), np.zeros(1, np.int64)
        view = np.zeros((1, self.num_features), self.observation_dtype)
        arguments = (self._rule_table, self._games, lanes, seats, view)
        kernel = prepared(self._direct(loops.observe_lanes, arguments), arguments, ())
        self._one_view = lanes, seats, view, kernel
        return self._one_view
