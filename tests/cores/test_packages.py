"""Parameters of packages get the values of a description."""

from pathlib import Path

import pytest

from rsaxcel.catalog.described import describe
from rsaxcel.cores.errors import DescriptionError
from rsaxcel.cores.verilog import with_parameters
from tests.cores import test_described
from tests.cores.test_described import make

forgotten = test_described._forgotten

PACKAGE = """// é
package sizes;
  parameter int WIDTH = 4 + 252, OTHER = 3;
  typedef logic [WIDTH-1:0] number;
endpackage
"""


def core(folder, parameter="sizes::WIDTH"):
    """Write a core whose width is in a package alone."""
    make(folder, changes=[('WIDTH = "nbits"', f'"{parameter}" = "nbits"')])
    file = folder / "core.v"
    text = file.read_text("utf-8")
    head = "#(parameter WIDTH = 8) ("
    assert head in text
    text = text.replace(head, "import sizes::*; (")
    file.write_text(PACKAGE + text, "utf-8")
    return folder


def test_a_value_is_replaced(tmp_path):
    file = tmp_path / "sizes.sv"
    file.write_text(PACKAGE, "utf-8")
    found = with_parameters([file], {"sizes::OTHER": 5, "sizes::WIDTH": 16})
    assert found == {file: PACKAGE.replace("4 + 252", "16").replace("3;", "5;")}
    assert with_parameters([file], {}) == {}


def test_the_width_of_a_core_is_in_its_package(rsaxcel, here):
    where = core(Path("core"))
    done = rsaxcel("sim", where, "--nbits", 8, "--random", 20)
    assert done.status == 0, done
    ports = {x.name: x.nbits for x in describe(where).configure(16).described.core(16).ports}
    assert ports["base"] == 16


def test_an_inner_module_has_the_default_of_a_description(tmp_path):
    where = make(tmp_path / "core", changes=[('WIDTH = "nbits"', '"skeleton_power::WIDTH" = 12')])
    text = describe(where).configure(8).described.text(8)
    assert "module skeleton_power #(parameter WIDTH = 12)" in " ".join(text.split())
    assert "module skeleton_core #(parameter WIDTH = 8)" in " ".join(text.split())


def test_an_unknown_one_is_told(tmp_path):
    where = core(tmp_path / "core", "sizes::LENGTH")
    with pytest.raises(DescriptionError, match="no package or module 'sizes' with"):
        describe(where).configure(8).described.text(8)
