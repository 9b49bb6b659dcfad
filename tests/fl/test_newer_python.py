"""PyMTL3 with what newer Pythons have removed."""

import re
import subprocess
import sys
from pathlib import Path

import pymtl3
import pytest

from rsaxcel.fl import newer_python

ROOT = Path(__file__).parents[2]
PYMTL3 = Path(pymtl3.__file__).parent
REMOVED = re.compile(r"\bast\.(Num|Str|Bytes|NameConstant|Ellipsis)\b|\bdef visit_(Num|Str)\b")

#: What Python 3.14 does not have, taken from this Python.
REMOVE = """
import ast, sys
if sys.version_info < (3, 14):
    for name in ("Num", "Str", "Bytes", "NameConstant", "Ellipsis"):
        vars(ast).pop(name, None)
    ast.__dict__.pop("__getattr__", None)
    for name in ("n", "s"):
        delattr(ast.Constant, name)
    del ast.NodeVisitor.visit_Constant
"""
#: A constant index, a slice, a number, and a lambda that reads a variable of its function.
READ = """
from pymtl3 import *
import sys
{adapt}
class Circuit(Component):
    def construct(s):
        s.a, s.x, s.y = InPort(8), OutPort(8), OutPort(1)
        s.t = [Wire(8) for _ in range(2)]
        bit = 3
        s.y //= lambda: s.a[bit]
        @update
        def comb_x():
            s.t[0] @= s.a + 5
            s.t[1] @= s.a
            s.x @= concat(s.t[0][0:4], s.t[1][4:8])
c = Circuit()
c.elaborate()
c.apply(DefaultPassGroup())
c.sim_reset()
c.a @= 0x1a
c.sim_eval_combinational()
assert (c.x, c.y) == (0xf1, 1), (c.x, c.y)
from pymtl3.passes.backends.verilog import VerilogTranslationPass
c = Circuit()
c.elaborate()
c.set_metadata(VerilogTranslationPass.enable, True)
c.apply(VerilogTranslationPass())
print(open(c.get_metadata(VerilogTranslationPass.translated_filename)).read())
"""


def run(folder: Path, text: str) -> "subprocess.CompletedProcess[str]":
    (folder / "source.py").write_text(text)  # PyMTL3 reads the sources of components
    command = [sys.executable, "-W", "error::DeprecationWarning:pymtl3", "source.py"]
    variables = {"PATH": "/usr/bin:/bin"}
    return subprocess.run(
        command, cwd=folder, env=variables, capture_output=True, text=True, check=False
    )


def test_every_module_that_names_what_is_removed():
    """PyMTL3 needs fl/newer_python.py: if this fails after an update, it may need it no longer."""
    texts = {
        path: path.read_text()
        for path in PYMTL3.rglob("*.py")
        if "test" not in str(path.relative_to(PYMTL3))
    }
    found = [path for path, text in texts.items() if REMOVED.search(text)]
    named = {
        ".".join(("pymtl3", *path.relative_to(PYMTL3).with_suffix("").parts)) for path in found
    }
    assert named == {module.__name__ for module in newer_python.READERS}
    assert "cls.__dict__.get('__annotations__'" in texts[PYMTL3 / "datatypes" / "bitstructs.py"]


def test_components_without_the_removed_classes(tmp_path):
    adapt = "from rsaxcel.fl.newer_python import read_constants as read; read()"
    without = run(tmp_path, REMOVE + READ.format(adapt=""))
    assert without.returncode == 1, "PyMTL3 needs no fl/newer_python.py any more"
    assert "AttributeError" in without.stderr
    adapted = run(tmp_path, REMOVE + READ.format(adapt=adapt))
    assert adapted.returncode == 0, adapted.stderr
    if sys.version_info < (3, 12):
        lines = "\n" * REMOVE.count("\n")  # the Verilog names the lines of the source
        plain = run(tmp_path, lines + READ.format(adapt=""))
        assert plain.stdout == adapted.stdout
    assert "module Circuit" in adapted.stdout


@pytest.mark.parametrize("form", ["class", "function"])
def test_bit_structs(tmp_path, form):
    """Fields are annotations of a class, or given to mk_bitstruct; one may be a list."""
    made = {
        "class": "@bitstruct\nclass Pair:\n    a: Bits4\n    b: [Bits2] * 2",
        "function": "Pair = mk_bitstruct('Pair', {'a': Bits4, 'b': [Bits2] * 2})",
    }
    text = f"""
from pymtl3 import *
import sys
from rsaxcel.fl.newer_python import read_annotations
if sys.version_info < (3, 14):
    read_annotations()
{made[form]}
pair = Pair.from_bits(Bits8(0x9b))
assert (pair.a, list(pair.b)) == (9, [3, 2])
assert pair == Pair(9, [Bits2(3), Bits2(2)])
try:
    @bitstruct
    class Empty:
        pass
except AttributeError:
    print("refused")
"""
    done = run(tmp_path, text)
    assert (done.stdout, done.returncode) == ("refused\n", 0), done.stderr
