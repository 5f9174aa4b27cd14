"""Data sets of games: played by agents, written as Parquet files, read for learning.

    from domino_env.data import Dataset, DatasetSettings, write_dataset

    write_dataset(DatasetSettings(games=1000, agents=("heuristic",)), "runs/mine")
    next(Dataset("runs/mine").batches(1024))           # a dictionary of NumPy arrays

`domino dataset` does the same from the command line; docs/datasets.md describes the columns.
"""

from typing import TYPE_CHECKING

from domino_env.lazy import lazy_exports

if TYPE_CHECKING:
    from domino_env.data.generate import DatasetSettings as DatasetSettings
    from domino_env.data.generate import Keep as Keep
    from domino_env.data.holdings_reader import HoldingsDataset as HoldingsDataset
    from domino_env.data.reader import Dataset as Dataset
    from domino_env.data.reader import Rows as Rows
    from domino_env.data.reader import tiles_held as tiles_held
    from domino_env.data.torch_reader import Decisions as Decisions
    from domino_env.data.writer import write_dataset as write_dataset

_EXPORTS = {
    "Dataset": "reader",
    "DatasetSettings": "generate",
    "Decisions": "torch_reader",
    "HoldingsDataset": "holdings_reader",
    "Keep": "generate",
    "Rows": "reader",
    "tiles_held": "reader",
    "write_dataset": "writer",
}
__all__ = [*_EXPORTS]
__getattr__, __dir__ = lazy_exports(__name__, _EXPORTS)
