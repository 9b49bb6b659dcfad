"""A bad description, or bad Verilog, gets one line with what is wrong."""

import pytest

from rsaxcel.catalog.described import describe
from rsaxcel.cores.errors import DescriptionError
from tests.cores.test_described import make, told_of
from tests.shared.tables import tables

ROWS = tables(__file__)["bad"]
_SAMPLE = 12  # one of so many rows is quick

CASES = [
    pytest.param(row, id=row["told"][:60], marks=[pytest.mark.slow] if n % _SAMPLE else [])
    for n, row in enumerate(ROWS)
]


@pytest.mark.parametrize("row", CASES)
def test_one_line_tells_it(row, tmp_path):
    folder = make(tmp_path / "core", row.get("protocol", "start_done"))
    file = folder / "core.toml"
    text = file.read_text("utf-8")
    assert row.get("old", "") in text
    file.write_text(text.replace(row.get("old", ""), row.get("new", ""), 1), "utf-8")
    if "verilog" in row:
        (folder / "more.v").write_text(row["verilog"])
    if "link" in row:
        (tmp_path / "outside.v").write_text("module outside(); endmodule")
        (folder / row["link"]).symlink_to(tmp_path / "outside.v")
    told = told_of(folder)
    assert row["told"] in told, told


def test_a_long_chain_does_not_end_the_process(tmp_path):
    folder = make(tmp_path / "core")
    (folder / "more.v").write_text(f"module more; wire a = {' + '.join('1' * 6000)}; endmodule")
    with pytest.raises(DescriptionError, match="more than 5,000 operators"):
        describe(folder).configure(8)


def test_there_are_enough():
    assert len(ROWS) >= 240


def test_a_file_that_is_none(tmp_path):
    for content, told in ((b"\xff", "byte 0 is not UTF-8"), (b"#" * (1 << 19), "more than 256 KB")):
        (tmp_path / "core.toml").write_bytes(content)
        with pytest.raises(DescriptionError, match=told):
            describe(tmp_path)
    (tmp_path / "core.toml").write_text("a = " + "[" * 5000)
    with pytest.raises(DescriptionError, match="no TOML: "):
        describe(tmp_path)
    with pytest.raises(DescriptionError, match="there is no such file"):
        describe(tmp_path / "other.toml")
