"""Reads data sets, as NumPy arrays.

    from domino_env.data import Dataset

    games = Dataset("runs/block_draw")
    for rows in games.batches(1024, columns=("features", "mask", "action"), seed=0):
        rows["features"]                   # float32[1024, F]; rows["mask"] is int8[1024, A]

A folder holds a manifest and Parquet files, a row for each decision, game by game. Features are
kept as they are, in float32: most are 0 or 1 and all are of a few values, which Parquet writes as
numbers of a few bits, so halving them would lose some and save nothing. Every file is compared with
its checksum before anything of it is used. `docs/datasets.md` describes the columns.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from domino_env.arrays import tiles_held as tiles_held
from domino_env.errors import BadDataset, BadOption, did_you_mean, is_whole

Rows: TypeAlias = dict[str, npt.NDArray[Any]]
"""Columns of the same length, by name."""

FORMAT = "domino dataset 1"
MANIFEST = "manifest.json"
ROW_GROUP = 8192  # rows that are compressed together, and read together
PLAIN = {  # scalar columns, in their order
    "game": np.uint32,
    "step": np.uint16,
    "seat": np.uint8,
    "agent": np.uint8,
    "action": np.uint16,
    "reward": np.float32,
    "return": np.float32,
    "done": np.bool_,
    "truncated": np.bool_,
}
EXTRA = {"split": np.uint8, "value": np.float32, "error": np.float32}  # scalars, in some data sets
SCALARS = {**PLAIN, **EXTRA}
WIDE = {"features": np.float32, "mask": np.uint8, "hands": np.uint64}


@dataclass(frozen=True)
class Shape:
    """The sizes that the vector columns depend on."""

    features: int
    actions: int
    players: int
    tiles: int

    @property
    def words(self) -> int:
        """How many words of 64 bits hold a set of tiles."""
        return (self.tiles + 63) // 64

    def width(self, column: str) -> int:
        """The length of a vector column in the file."""
        widths = {
            "features": self.features,
            "mask": (self.actions + 7) // 8,
            "hands": self.players * self.words,
        }
        return widths[column]


# Writing -----------------------------------------------------------------------------------------


def to_parquet(rows: Rows, shape: Shape, about: Mapping[str, Any]) -> bytes:
    """Rows as the content of a file: the same rows, the same bytes. Masks come packed, as bits."""
    fields, columns = [], []
    for name in [*SCALARS, *WIDE]:
        if name in rows:
            column = _column(rows[name], name, shape)
            fields.append(pa.field(name, column.type, nullable=False))
            columns.append(column)
    told = {"domino": json.dumps({"format": FORMAT, **about}, ensure_ascii=False)}
    table = pa.Table.from_arrays(columns, schema=pa.schema(fields, metadata=told))
    file = io.BytesIO()
    pq.write_table(table, file, compression="zstd", row_group_size=ROW_GROUP)
    return file.getvalue()


def _column(values: npt.NDArray[Any], name: str, shape: Shape) -> Any:
    if name in SCALARS:
        return pa.array(values.astype(SCALARS[name], casting="same_kind"))
    flat = np.ascontiguousarray(values, WIDE[name]).ravel()
    item = pa.field("item", pa.from_numpy_dtype(WIDE[name]), nullable=False)
    kind = pa.list_(item, shape.width(name))
    return pa.FixedSizeListArray.from_arrays(pa.array(flat), type=kind)


# Reading -----------------------------------------------------------------------------------------


class FileEntry(NamedTuple):
    """A file of a data set, as its manifest lists it."""

    name: str
    rows: int
    bytes: int
    sha256: str


class Dataset:
    """A data set on disk.

    Args:
        folder: where its manifest is.
        unfinished: also one that is being written or was interrupted, as far as it goes.

    Attributes:
        about: what the manifest says: game, rules, agents by their numbers, versions.
        rows, games: how many there are.
        columns: their names.
        shape: the sizes that the vector columns depend on.
    """

    def __init__(self, folder: Path | str, unfinished: bool = False) -> None:
        self.folder = Path(folder)
        self.about = read_manifest(self.folder)
        if not (self.about["complete"] or unfinished):
            raise BadDataset(
                f"{self.folder} is not complete: {len(self.about['files'])} of "
                f"{self.about['files_in_all']} files are there; `domino dataset` goes on with it"
            )
        try:
            self.files = [FileEntry(**each) for each in self.about["files"]]
            self.columns = tuple(self.about["columns"])
            self.shape = Shape(**self.about["shape"])
            self.games = int(self.about["games"])
            self.rows = sum(file.rows for file in self.files)
        except (TypeError, ValueError, LookupError) as error:
            raise BadDataset(f"{self.folder / MANIFEST} is damaged: {error}") from error

    def batches(
        self,
        batch_size: int,
        columns: Sequence[str] | None = None,
        seed: int | None = None,
        shuffle_buffer: int = 65_536,
        shard: int = 0,
        num_shards: int = 1,
    ) -> Iterator[Rows]:
        """Every row once, in batches; the last may be smaller.

        Args:
            batch_size: rows in a batch.
            columns: which are read; all by default.
            seed: of the order; without one the rows come game by game.
            shuffle_buffer: how many rows are in memory to be shuffled.
            shard, num_shards: only one of several shards, which together have every row once.
        """
        _check_sizes(batch_size=batch_size, shuffle_buffer=shuffle_buffer, num_shards=num_shards)
        if not is_whole(shard) or not 0 <= shard < num_shards:
            raise BadOption(
                f"shard must be a whole number from 0 to {num_shards - 1}, not {shard!r}"
            )
        groups = self._row_groups(self._wanted(columns), seed, shard, num_shards)
        if seed is not None:
            groups = _shuffled(groups, shuffle_buffer, np.random.default_rng([seed, shard]))
        return _in_batches(groups, batch_size)

    def _wanted(self, columns: Sequence[str] | None) -> list[str]:
        for name in columns or ():
            if name not in self.columns:
                raise BadOption(f"no column {name!r} here{did_you_mean(name, self.columns)}")
        return [*(self.columns if columns is None else columns)]

    def _row_groups(
        self, columns: list[str], seed: int | None, shard: int, num_shards: int
    ) -> Iterator[Rows]:
        """The row groups of a shard: whole files, or where files are few, a share of each."""
        order = np.arange(len(self.files))
        if seed is not None:
            np.random.default_rng([seed]).shuffle(order)
        whole = len(order) % num_shards == 0 or len(order) >= 8 * num_shards
        for file in order[shard::num_shards] if whole else order:
            opened = self._opened(self.files[file])
            groups = range(opened.num_row_groups)
            for group in (
                groups if whole else groups[(shard - int(file)) % num_shards :: num_shards]
            ):
                yield self._arrays(opened.read_row_group(group, columns, use_threads=False))

    def _opened(self, file: FileEntry) -> Any:
        """A file, if its row groups are as long as they are written; else they might unpack to
        anything."""
        opened = pq.ParquetFile(io.BytesIO(self.content(file)))
        width = 16 * len(SCALARS) + sum(8 * self.shape.width(name) for name in WIDE)
        about = opened.metadata
        for number in range(about.num_row_groups):
            group = about.row_group(number)
            if group.num_rows > ROW_GROUP or group.total_byte_size > 2 * ROW_GROUP * (width + 64):
                raise BadDataset(f"{self.folder / file.name} has a row group that is too long")
        return opened

    def content(self, file: FileEntry) -> bytes:
        """The bytes of a file, which are those that were written."""
        content = checked_content(self.folder, file)
        if content is None:
            raise BadDataset(
                f"{self.folder / file.name} is missing or damaged: `domino dataset` with the same "
                "settings makes it anew"
            )
        return content

    def _arrays(self, table: Any) -> Rows:
        return {name: self._array(table.column(name), name) for name in table.column_names}

    def _array(self, column: Any, name: str) -> npt.NDArray[Any]:
        if name in SCALARS:
            plain: npt.NDArray[Any] = column.to_numpy()
            return plain
        flat = np.concatenate([each.flatten().to_numpy() for each in column.chunks])
        rows = flat.reshape(-1, self.shape.width(name))
        if name == "mask":
            return np.unpackbits(rows, axis=1, count=self.shape.actions).view(np.int8)
        if name == "hands":
            return rows.reshape(len(rows), self.shape.players, self.shape.words)
        return rows


def _check_sizes(**sizes: Any) -> None:
    for name, value in sizes.items():
        if not is_whole(value) or value < 1:
            raise BadOption(f"{name} must be a whole number of 1 or more, not {value!r}")


def read_manifest(folder: Path) -> dict[str, Any]:
    """What a folder's manifest says."""
    file = folder / MANIFEST
    try:
        found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadDataset(f"{file} cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise BadDataset(f"{file} is damaged: {error}") from error
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise BadDataset(f"{file} is not the manifest of a data set")
    return found


def checked_content(folder: Path, file: FileEntry) -> bytes | None:
    """The bytes of a file; None if it is not there, or not as it was written."""
    try:
        content = (folder / file.name).read_bytes()
    except OSError:
        return None
    return content if sha256(content).hexdigest() == file.sha256 else None


# In batches --------------------------------------------------------------------------------------


def _shuffled(pieces: Iterator[Rows], buffer: int, rng: np.random.Generator) -> Iterator[Rows]:
    """A shuffle buffer: when it is full its rows are permuted and half of them leave; the others
    are permuted again with those that come next."""
    kept: list[Rows] = []
    held = 0
    for piece in pieces:
        kept.append(piece)
        held += _length(piece)
        if held >= buffer:
            permuted = _permuted(kept, rng)
            yield _cut(permuted, 0, held - held // 2)
            kept = [_cut(permuted, held - held // 2, held)]
            held //= 2
    if held:
        yield _permuted(kept, rng)


def _permuted(pieces: list[Rows], rng: np.random.Generator) -> Rows:
    together = _joined(pieces)
    order = rng.permutation(_length(together))
    return {name: column[order] for name, column in together.items()}


def _in_batches(pieces: Iterator[Rows], size: int) -> Iterator[Rows]:
    kept: list[Rows] = []
    held = 0
    for piece in pieces:
        kept.append(piece)
        held += _length(piece)
        if held < size:
            continue
        together = _joined(kept)
        for start in range(0, held - size + 1, size):
            yield _cut(together, start, start + size)
        kept, held = [_cut(together, held - held % size, held)], held % size
    if held:
        yield _joined(kept)


def _joined(pieces: list[Rows]) -> Rows:
    return {name: np.concatenate([piece[name] for piece in pieces]) for name in pieces[0]}


def _cut(rows: Rows, start: int, stop: int) -> Rows:
    return {name: column[start:stop] for name, column in rows.items()}


def _length(rows: Rows) -> int:
    return len(next(iter(rows.values())))
