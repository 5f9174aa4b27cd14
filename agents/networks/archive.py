"""Reading the archives of policies and checkpoints safely.

A small archive can claim to unpack to gigabytes. So the sizes it declares are added up before
anything is unpacked, and no part is read beyond its declared size.
"""

from __future__ import annotations

import zipfile
import zlib
from io import BytesIO
from pathlib import Path
from pickle import UnpicklingError
from tokenize import TokenError
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.lib import format as npy

DAMAGED = (
    *(OSError, ValueError, LookupError, TypeError, AttributeError, EOFError, RuntimeError),
    *(MemoryError, ArithmeticError, RecursionError, SyntaxError, zipfile.BadZipFile, zlib.error),
    *(UnpicklingError, TokenError),
)
"""All that readers raise over content that is not what it should be."""
PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # others are unpacked without a bound
MOST_PARTS = 100_000
MOST_HEADER = 10_000  # bytes before the numbers of an array


def read_at_most(file: Path, most: int) -> bytes:
    """The content of a file; refused, and not read, if it is longer."""
    content = bytearray()
    with open(file, "rb") as stream:
        while piece := stream.read(1 << 20):  # Python makes room for all that is asked for
            content += piece
            if len(content) > most:
                raise ValueError(f"{file} has more than {most} bytes")
    return bytes(content)


def must_be_whole(content: bytes, most: int) -> BytesIO:
    """The content, to be read, if it unpacks to so many bytes at the most. An archive has a sum of
    each part, but neither NumPy nor PyTorch is sure to compare it: a bit that has flipped on a disk
    would be read as another number."""
    file = BytesIO(content)
    with zipfile.ZipFile(file) as archive:
        parts = archive.infolist()
        if len(parts) > MOST_PARTS or len({part.filename for part in parts}) < len(parts):
            raise zipfile.BadZipFile("too many parts, or two of one name")
        if any(part.compress_type not in PACKINGS for part in parts):
            raise zipfile.BadZipFile("packed in another way")
        if sum(part.file_size for part in parts) > most:
            raise zipfile.BadZipFile(f"more than {most} bytes")
        if (name := archive.testzip()) is not None:  # it reads no more of a part than that says
            raise zipfile.BadZipFile(name)
    file.seek(0)
    return file


def read_arrays(content: bytes, most: int) -> dict[str, npt.NDArray[Any]]:
    """The arrays of a NumPy archive, if they come to so many bytes at the most."""
    found: dict[str, npt.NDArray[Any]] = {}
    with zipfile.ZipFile(must_be_whole(content, most)) as archive:
        for part in archive.infolist():
            found[part.filename.removesuffix(".npy")] = _array(archive.read(part))
    return found


def _array(content: bytes) -> npt.NDArray[Any]:
    """The array of one part. NumPy makes room for as many numbers as the header says, so that is
    compared with what there is before."""
    file = BytesIO(content)
    read_header = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
    shape, by_columns, dtype = read_header[npy.read_magic(file)](file, max_header_size=MOST_HEADER)
    if dtype.hasobject:
        raise ValueError("objects are not read")
    wanted = dtype.itemsize
    for length in shape:
        wanted *= int(length)
    if min(shape, default=0) < 0 or wanted != len(content) - file.tell():
        raise ValueError(f"{shape} of {dtype} are not {len(content)} bytes")
    flat: npt.NDArray[Any] = np.frombuffer(content, dtype, offset=file.tell())
    return flat.reshape(shape, order="F" if by_columns else "C")
