"""The archives that policies and checkpoints are kept in: what can be wrong with one."""

from __future__ import annotations

import zipfile
import zlib
from io import BytesIO
from pickle import UnpicklingError
from tokenize import TokenError

DAMAGED = (
    *(OSError, ValueError, LookupError, TypeError, AttributeError, EOFError, RuntimeError),
    *(MemoryError, zipfile.BadZipFile, zlib.error, UnpicklingError, TokenError),
)
"""All that readers raise over content that is not what it should be."""


def must_be_whole(content: bytes) -> BytesIO:
    """The content, to be read. An archive has a sum of each part, but neither NumPy nor PyTorch is
    sure to compare it: a bit that has flipped on a disk would be read as another number."""
    file = BytesIO(content)
    with zipfile.ZipFile(file) as archive:
        if (part := archive.testzip()) is not None:
            raise zipfile.BadZipFile(part)
    file.seek(0)
    return file
