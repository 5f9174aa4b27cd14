"""What the tests of clients share."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

Record = Callable[[str, float | str], None]


@pytest.fixture
def record_figure() -> Record:
    """Takes note of what has been measured, for the table of clients in the README.

    The runner says by `DOMINO_FIGURES` into which file; without a runner it is printed.
    """

    def record(name: str, value: float | str) -> None:
        kept = value if isinstance(value, str) else round(float(value), 3)
        path = os.environ.get("DOMINO_FIGURES")
        if path is None:
            print(f"{name}: {kept}")
            return
        file = Path(path)
        figures = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        file.write_text(json.dumps({**figures, name: kept}), encoding="utf-8")

    return record


@pytest.fixture
def nodes() -> Iterator[Any]:
    """A Ray cluster: a head that only directs, and a node that works."""
    import ray  # not every client has it
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    try:
        made.add_node(num_cpus=1)
        ray.init(address=made.address, log_to_driver=False, logging_level="ERROR")
        yield made
    finally:
        ray.shutdown()
        made.shutdown()
