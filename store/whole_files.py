"""Files that are read or written whole: no read is endless, and no file is left half written."""

import errno
import io
import os
import stat
import tempfile
from pathlib import Path
from typing import BinaryIO

MOST_NBYTES = 1 << 28  #: most bytes that are read of a file


def read_whole(source: str | Path | BinaryIO, most_nbytes: int = MOST_NBYTES) -> bytes:
    """Read to the end; ``OSError`` for more bytes than allowed, such as of an endless device."""
    if isinstance(source, str | Path):
        with open(source, "rb") as file:
            return read_whole(file, most_nbytes)
    content = source.read(most_nbytes + 1)
    if len(content) > most_nbytes:
        raise OSError(errno.EFBIG, f"more than {most_nbytes:,} bytes", source.name)
    return content


def read_text(source: str | Path | BinaryIO, errors: str = "strict") -> str:
    """Read UTF-8 text to its end, without a byte-order mark; lines end in a line feed."""
    content = read_whole(source).decode("utf-8-sig", errors)
    return io.StringIO(content, newline=None).read()


def write_whole(path: Path, content: bytes | str, *, secret: bool = False) -> None:
    """Write a file beside its place, then rename it; a device or pipe is written as it is.

    A link stays, and its target is replaced. A file that cannot be written whole stays as it was.
    ``secret``: only the owner may read it. Else a file keeps its mode, and a new file has the usual
    mode.
    """
    data = content.encode() if isinstance(content, str) else content
    try:
        mode = path.stat().st_mode if path.exists() else None
        if mode is not None and not stat.S_ISREG(mode):
            with path.open("wb") as file:
                file.write(data)
            return
        if mode is not None and not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        _replace(Path(os.path.realpath(path)), data, 0o600 if secret else mode)
    except OSError as error:  # the error may name the file beside the path, or none
        raise OSError(error.errno, error.strerror, str(path)) from error


def _replace(path: Path, data: bytes, mode: int | None) -> None:
    """Replace a file that may exist; ``mode`` None: the umask decides."""
    if mode is None:
        os.umask(umask := os.umask(0))  # the umask can be read only by setting it
        mode = 0o666 & ~umask
    # mkstemp makes the file with mode 0600
    descriptor, draft = tempfile.mkstemp(prefix=".", dir=path.parent)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
        os.chmod(draft, stat.S_IMODE(mode))
        os.replace(draft, path)
    except BaseException:
        os.unlink(draft)
        raise
