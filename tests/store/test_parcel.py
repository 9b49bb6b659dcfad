"""Parcels: entries of a store, packed for another machine."""

import io
import tarfile
import zlib

import pytest

from rsaxcel.eval.measure.transfer import adopt, label, pack, size_of, unpack
from rsaxcel.store.folders import find_json, keep_json, used_entries


def test_entries_are_kept_as_if_they_had_been_made_here(tmp_path):
    there, here = tmp_path / "there", tmp_path / "here"
    keep_json(there, "one", lambda: {"cycles": 1})
    keep_json(there, "two", lambda: {"cycles": 2})
    keep_json(here, "two", lambda: {"cycles": 3})
    entries = used_entries(there)
    assert [x.name for x in entries] == ["one", "two"]
    content = pack({label("results", x): x for x in entries})
    assert content == pack({label("results", x): x for x in entries})
    unpack(content, tmp_path / "parcel")
    adopt(tmp_path / "parcel", {"results": here, "others": tmp_path / "others"})
    assert find_json(here, "one") == {"cycles": 1}
    assert find_json(here, "two") == {"cycles": 3}  # existing entries stay


def test_designs_have_no_caches(tmp_path):
    folder = tmp_path / "booth" / "__pycache__"
    folder.mkdir(parents=True)
    (folder / "booth.pyc").write_bytes(b"1234")
    (folder.parent / "booth.py").write_text("x = 1\n")
    assert size_of([folder.parent]) == 6
    unpack(pack({"0/booth": folder.parent}), tmp_path / "there")
    assert [x.name for x in (tmp_path / "there" / "0" / "booth").iterdir()] == ["booth.py"]


@pytest.mark.parametrize("name", ["../outside", "/outside", "folder/../../outside"])
def test_what_would_lie_elsewhere_is_refused(tmp_path, name):
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w") as parcel:
        parcel.addfile(tarfile.TarInfo(name), io.BytesIO())
    with pytest.raises(ValueError, match=r"no parcel: .*outside in it"):
        unpack(zlib.compress(content.getvalue()), tmp_path / "folder")
    with pytest.raises(ValueError, match="no parcel"):
        unpack(b"something else", tmp_path / "folder")
