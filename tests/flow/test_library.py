"""Cell libraries are read once."""

from dataclasses import fields, is_dataclass

import numpy as np
import pytest

from rsaxcel.flow.errors import PowerError
from rsaxcel.flow.library import kept_library
from tests.flow.flow_circuits import KIT, library


def same(one, other):
    """Whether two libraries are equal, including the order of their cells."""
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other)
    if is_dataclass(one):
        return type(one) is type(other) and all(
            same(getattr(one, x.name), getattr(other, x.name)) for x in fields(one)
        )
    if isinstance(one, dict):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other


def test_a_kept_library_is_what_was_read(tmp_path, monkeypatch):
    monkeypatch.setenv("RSAXCEL_CACHE", str(tmp_path))
    assert same(kept_library(KIT.liberty), library())
    monkeypatch.setattr("rsaxcel.flow.power.liberty_reader.liberty_file", lambda path: 1 / 0)
    assert same(kept_library(KIT.liberty), library())


def test_tables_of_a_kept_library_share_equal_arrays(tmp_path, monkeypatch):
    monkeypatch.setenv("RSAXCEL_CACHE", str(tmp_path))
    pins = [pin for cell in kept_library(KIT.liberty).cells.values() for pin in cell.pins.values()]
    tables = [x for pin in pins for arc in pin.delay_arcs for x in arc.tables.values()]
    axes = [x for table in tables for x in (table.slews_s, table.columns)]
    assert len({id(x) for x in axes}) == len({(x.shape, x.tobytes()) for x in axes}) < len(axes)


def test_a_library_that_is_none_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv("RSAXCEL_CACHE", str(tmp_path))
    with pytest.raises(PowerError, match=r"absent\.lib: No such file"):
        kept_library(tmp_path / "absent.lib")
    (tmp_path / "no.lib").write_text("cells () {}")
    with pytest.raises(PowerError, match="has no library group"):
        kept_library(tmp_path / "no.lib")
