"""Files that are read and written whole."""

import os
import resource
import stat
from pathlib import Path

import pytest

from rsaxcel.store.whole_files import read_text, read_whole, write_whole


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "file"
    path.write_text("old")
    return path


@pytest.fixture
def full():
    """No file can have more than a kilobyte."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_reads_have_a_limit(file):
    assert read_whole(file, 3) == b"old"
    for source, most in ((file, 2), (str(file), 2), (Path("/dev/zero"), 1 << 20)):
        with pytest.raises(OSError, match=f"more than {most:,} bytes") as caught:
            read_whole(source, most)
        assert caught.value.filename == str(source)
    with file.open("rb") as stream, pytest.raises(OSError, match="more than 1 bytes"):
        read_whole(stream, 1)


def test_texts(file):
    file.write_bytes("\ufeffone\r\ntwo\rthree\n".encode())
    assert read_text(file) == "one\ntwo\nthree\n"
    file.write_bytes(b"\xff")
    assert read_text(file, "replace") == "\ufffd"
    with pytest.raises(UnicodeDecodeError):
        read_text(file)


@pytest.mark.parametrize("umask", [0, 0o022, 0o077])
def test_modes(tmp_path, file, umask):
    """A secret is its owner's only; other files keep their mode, or have the usual one."""
    before = os.umask(umask)
    try:
        write_whole(tmp_path / "secret", b"new", secret=True)
        write_whole(tmp_path / "usual", "new")
        assert os.umask(umask) == umask
    finally:
        os.umask(before)
    assert mode(tmp_path / "secret") == 0o600
    assert mode(tmp_path / "usual") == 0o666 & ~umask
    for allowed in (0o600, 0o664):
        file.chmod(allowed)
        write_whole(file, "new")
        assert (mode(file), file.read_text()) == (allowed, "new")
    write_whole(file, "new", secret=True)
    assert mode(file) == 0o600


def test_links_stay(tmp_path, file):
    (tmp_path / "link").symlink_to("file")
    (tmp_path / "null").symlink_to(os.devnull)
    for name in ("link", "null"):
        write_whole(tmp_path / name, "new", secret=True)
        assert (tmp_path / name).is_symlink()
    assert file.read_text() == "new"
    assert not stat.S_ISREG(Path(os.devnull).stat().st_mode)


def test_a_full_disk_changes_nothing(tmp_path, file, full):
    for path in (file, tmp_path / "new"):
        with pytest.raises(OSError, match="File too large") as caught:
            write_whole(path, bytes(2000))
        assert caught.value.filename == str(path)
    assert file.read_text() == "old"
    assert os.listdir(tmp_path) == ["file"]


def test_what_cannot_be_written(tmp_path):
    for path, reason in (
        (tmp_path / "none" / "file", "No such file"),
        (tmp_path, "Is a directory"),
    ):
        with pytest.raises(OSError, match=reason) as caught:
            write_whole(path, "new")
        assert caught.value.filename == str(path)
