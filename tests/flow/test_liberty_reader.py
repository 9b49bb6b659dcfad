"""Syntax of Liberty files: its freedoms, faults with their lines, and files of any content."""

import hashlib
import json
import math
import os
import random
import re
import time
from dataclasses import fields, is_dataclass
from pathlib import Path

import numpy as np
import pytest

from rsaxcel.flow.errors import PowerError
from rsaxcel.flow.libraries import find_kit
from rsaxcel.flow.power.liberty_reader import LibertyGroup, liberty_file, read_liberty
from rsaxcel.flow.yosys import Yosys, in_yosys
from rsaxcel.store.errors import SetupError
from tests.shared.tables import each_row, tables

PDK = Path(os.environ.get("RSAXCEL_PDK", Path(__file__).resolve().parents[3] / "shared" / "pdk"))

#: First digits of the SHA-256 of a file, and of its tree as libparse 0.3.1 read it.
TREES = {
    "freepdk-45nm": ("0f936d453c0a2680", "5f030d25143fcdd2"),
    "osu018": ("86f79b2000f1ac46", "672456d35828ec53"),
    "sg13g2_stdcell_fast_1p32V_m40C": ("f191a3132d0f2f59", "1f7990ac8c5893cb"),
    "sg13g2_stdcell_slow_1p08V_125C": ("1ac6a0301184b3a8", "e3445e7c82cc71c6"),
    "sg13g2_stdcell_typ_1p20V_25C": ("7677a8918689f452", "f94ebc9ea74cb4fb"),
}
LIBRARIES = ("freepdk-45nm", "osu018", *(f"sg13g2_stdcell_{x}" for x in ("fast", "slow", "typ")))


@pytest.fixture(params=LIBRARIES)
def liberty(request) -> Path:
    """Liberty file of a library; the test is skipped if the library is not there."""
    if request.param.startswith("sg13g2"):
        for path in sorted(PDK.glob(f"ihp-sg13g2/libs.ref/*/lib/{request.param}_*.lib")):
            return path
        pytest.skip(f"no {request.param}: set RSAXCEL_PDK to a folder that has ihp-sg13g2")
    try:
        return find_kit(request.param).liberty
    except SetupError as missing:
        pytest.skip(str(missing))


def members(group: LibertyGroup) -> list:
    """Attributes and groups in the order of the file."""
    return sorted([*group.attributes, *group.children], key=lambda x: x.at)


def rows(group: LibertyGroup) -> list:
    """Name, value, arguments and number of members of a group, then of all in it."""
    found = [[group.name, "", group.arguments, len(members(group))]]
    for member in members(group):
        if isinstance(member, LibertyGroup):
            found += rows(member)
        else:
            found.append([member.name, member.value or "", member.arguments, 0])
    return found


def test_trees_are_those_of_libparse(liberty):
    content = hashlib.sha256(liberty.read_bytes()).hexdigest()[:16]
    trees = dict(TREES.values())
    if content not in trees:
        pytest.skip(f"{liberty} is another release of the library")
    with liberty_file(liberty) as top:
        text = json.dumps(rows(top))
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == trees[content]


def read_by_yosys(liberty: Path, target: Path) -> None:
    Yosys().run(
        f"read_liberty -lib -ignore_miss_func -ignore_miss_data_latch {liberty}",
        f"write_json {target}",
    )


def test_cells_pins_areas_and_capacitances_are_those_of_yosys(liberty, tmp_path):
    """Yosys has a reader of its own; it leaves out cells without a function."""
    in_yosys(tmp_path / "yosys.log", read_by_yosys, liberty, tmp_path / "cells.json")
    theirs = json.loads((tmp_path / "cells.json").read_text())["modules"]
    with liberty_file(liberty) as top:
        cells = {cell.names()[0]: cell for cell in top.groups("cell")}
    loads = 0
    for name, module in theirs.items():
        assert cells[name].number("area") == float(module["attributes"]["area"])
        pins = {pin.names()[0]: pin for pin in cells[name].groups("pin")}
        assert {k: x.get("direction") for k, x in pins.items() if k in module["ports"]} == {
            k: x["direction"] for k, x in module["ports"].items()
        }
        for net, known in module["netnames"].items():
            if load := known["attributes"].get("capacitance"):
                assert pins[net].number("capacitance") == float(load)
                loads += 1
    assert loads > len(theirs) > 30


def write(folder: Path, text: str | bytes) -> Path:
    path = folder / "cells.lib"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize(
    "text",
    [
        'library (a) { b : 1; c (2, x) ; g (h) { i : "j k"; } }',
        'library(a){b:1;c(2,x);g(h){i:"j k";}}',
        '\ufefflibrary (a) {\r\n b : 1\r\n c (2 x)\r\n g (h) {\r\n i : "j k"\r\n }\r\n}\r\n',
        'library\n(a)\n{\nb\n:\\\n1 ;; c ("2", \\\n x) \n g (h) ; \n g ("h")\n{ i :\n "j k"}};\n',
        '/* ; { " */ library /* ( */ (/* ) */ a) // {\n'
        "{ b /**/ : /* ; */ 1 /* } */ ; // }\n c (2, // 3\n x /* , */) g (h) /* ; */\n"
        '{ i : "j \\\nk" // \n}}',
    ],
)
def test_freedoms_of_the_syntax(tmp_path, text):
    with liberty_file(write(tmp_path, text)) as top:
        assert top.get("b") == "1"
        assert top.number("b") == 1
        (group,) = (x for x in top.groups("g"))
        assert re.sub(" +", " ", group.get("i")) == "j k"
        found = rows(top)
    assert ["c", "", ["2", "x"], 0] in found
    assert found[0][:3] == ["library", "", ["a"]]


def test_what_strings_and_values_may_hold(tmp_path):
    text = r"""library (a) {
      function : "!(A & B); }"; note : "say \"so\""; path (a/b, "http://c"); bare : (A & B)' | C/D;
      twice : 1; twice : 2; values ("1, -2.5e-3", \
        ".5,+4." /* 5 */); none : "";
    }"""
    with liberty_file(write(tmp_path, text)) as top:
        assert top.get("function") == "!(A & B); }"
        assert top.get("note") == 'say "so"'
        assert rows(top)[3] == ["path", "", ["a/b", "http://c"], 0]
        assert top.get("bare") == "(A & B)' | C/D"
        assert top.get("none") == ""
        assert top.get("absent") is None
        assert top.number("twice") == 2
        assert top.numbers("values").tolist() == [1, -0.0025, 0.5, 4]


@each_row(__file__, "faults", "text", "line", "message")
def test_a_fault_is_told_with_its_line(tmp_path, text, line, message):
    path = write(tmp_path, text)
    with pytest.raises(PowerError) as error, liberty_file(path):
        pass
    assert str(error.value).startswith(f"{path}, line {line}: ")
    assert message in str(error.value)


@pytest.mark.parametrize("number", tables(__file__)["numbers"])
def test_numbers_are_finite_and_plain(tmp_path, number):
    with pytest.raises(PowerError, match=r"line 2: library\(a\): b must be a number, not "):
        with liberty_file(write(tmp_path, f'library (a) {{\n b : "{number}";\n}}')) as top:
            top.number("b")
    text = f'library (a) {{\n\n b ("1, {number} 2");\n}}'
    if number in ("", "1,5"):
        return
    with pytest.raises(PowerError, match=r"line 3: library\(a\): b must be numbers in parenth"):
        with liberty_file(write(tmp_path, text)) as top:
            top.numbers("b")


DEEP, LONG = 100_000, 300_000
CONTENTS = {
    "nested": "a () {" * DEEP + "}" * DEEP,
    "nested functions": f'library (a) {{ b : "{"(" * DEEP}A{")" * DEEP}"; }}',
    "never closed": "library (a) {" * LONG,
    "blanks": " \n" * LONG,
    "comments": "/**/" * LONG,
    "comments within": f"library {'/**/' * LONG} (a) {{ }}",
    "a string": f'library (a) {{ b : "{"x" * LONG}',
    "escapes": f'library (a) {{ b : "{chr(92) * LONG}',
    "strings": f"library (a) {{ b ({chr(34) * LONG}",
    "quotes": '"' * LONG,
    "slashes": "library (a) { b : " + "/ " * LONG,
    "stars": "/*" + "*" * LONG,
    "continued": "\\\n" * LONG,
    "parentheses": "(" * LONG,
    "opened": "a(" * LONG,
    "a name": "a" * LONG,
    "a number": f"library (a) {{ nom_voltage : {'9' * LONG}; }}",
    "zeros": b"\0" * LONG,
    "bytes": random.Random(1).randbytes(LONG),
    "utf-16": "library (a) { }".encode("utf-16"),
}


@pytest.mark.parametrize("what", CONTENTS)
@pytest.mark.parametrize("times", [1, pytest.param(60, marks=pytest.mark.slow)])
def test_no_content_hangs(tmp_path, what, times):
    """Content of a few hundred kilobytes takes milliseconds; of 60 times that, seconds."""
    content = CONTENTS[what]
    path = write(tmp_path, content * times)
    began = time.process_time()
    with pytest.raises(PowerError) as error:
        read_liberty(path)
    assert time.process_time() - began < 0.5 * times
    assert re.match(rf"{path}, line \d+: ", str(error.value))
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 500 + len(str(path))


#: Something of everything that is read.
SMALL = Path(__file__).with_name("small.lib").read_text("utf-8")
PARTS = re.findall(r'\w+|"[^"]*"|\s+|.', SMALL)
STRANGE = tables(__file__)["strange"]


def numbers(model: object) -> list[float]:
    """All numbers of a model, but not the infinite limits of outputs without one."""
    if is_dataclass(model):
        names = (x.name for x in fields(model) if x.name != "max_capacitance_f")
        return [x for name in names for x in numbers(getattr(model, name))]
    if isinstance(model, dict):
        return [x for value in model.values() for x in numbers(value)]
    if isinstance(model, tuple):
        return [x for value in model for x in numbers(value)]
    if isinstance(model, np.ndarray):
        return model.ravel().tolist()
    return [model] if isinstance(model, float) else []


def test_a_damaged_library_is_read_or_refused_in_a_line(tmp_path):
    """Parts of a library are dropped, doubled, exchanged, or replaced by something strange."""
    chance = random.Random(77)
    read, refused = 0, []
    for _ in range(400):
        parts = PARTS.copy()
        for _ in range(chance.choice((1, 1, 2, 5))):
            at = chance.randrange(len(parts))
            other = chance.choice((chance.choice(STRANGE), chance.choice(PARTS), parts[at] * 2))
            parts[at : at + chance.choice((0, 1, 1, 1, 30))] = [other]
        path = write(tmp_path, "".join(parts))
        try:
            found = read_liberty(path)
        except PowerError as error:
            refused.append(str(error))
        else:
            assert all(map(math.isfinite, numbers(found)))
            read += 1
    assert all(re.match(rf"{path}, line \d+: \S", x) and x.isprintable() for x in refused)
    assert read > 50 < len(refused)


@pytest.mark.parametrize(
    ("attribute", "told"),
    [
        ("slew_upper_threshold_pct_rise : 100", "thresholds of rise: expected 0 < slew_lower"),
        ("slew_lower_threshold_pct_fall : 85", "thresholds of fall: expected 0 < slew_lower"),
        ("output_threshold_pct_fall : 0", "thresholds of fall: .* output between 0 and 100"),
        ("slew_derate_from_library : 0", "slew_derate_from_library must be above 0"),
    ],
)
def test_levels_that_no_edge_crosses_are_refused(tmp_path, attribute, told):
    units = "capacitive_load_unit (1, ff); nom_voltage : 1"
    path = write(tmp_path, f"library (a) {{ {units}; {attribute}; }}")
    with pytest.raises(PowerError, match=told):
        read_liberty(path)
