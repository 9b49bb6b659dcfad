"""``python -m tools.mutants.parts``: source files of each design, multiplier and system."""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from types import FrameType
from typing import Any

from pymtl3 import Component

from rsaxcel import catalog
from rsaxcel.catalog import Configuration
from rsaxcel.fl.contract import MODULUS
from rsaxcel.proc.systems import find_system
from rsaxcel.sim.translate import translate
from rsaxcel.store.code import closure
from tools.mutants.reach import Use

NBITS = 8
_WITH_HOST_CONSTANTS = "systolic_l2r_always"
#: Systems that together contain all components outside the exponentiators.
SYSTEMS = (
    "proc_null",
    "proc_mulrem_r2l",
    "axi_mulrem_r2l",
    f"proc_{_WITH_HOST_CONSTANTS}",
    f"axi_{_WITH_HOST_CONSTANTS}",
)

#: Number of values of a parameter that are tried at most, in addition to its default. Few
#: parameters have more values.
_VALUES = 3
_ROOT = Path(__file__).parents[2]


def circuits(name: str) -> Iterator[Component]:
    """Yield elaborated circuits at the smallest width: with defaults, then one other value each."""
    if name in SYSTEMS:
        tops = [find_system(name, NBITS).component()]
    else:
        tops = [x.component("rtl") for x in _configurations(name)]
    for top in tops:
        top.elaborate()
        yield top


def names() -> list[str]:
    """Names of all entries with a circuit: multipliers, then designs, then systems."""
    return [*catalog.multipliers(), *catalog.DESIGNS, *SYSTEMS]


def parts_of(name: str) -> dict[str, Use]:
    """Return the entry's use of each source file (relative) of its components and models."""
    found: dict[str, set[str]] = {}
    built: list[dict[str, set[int]]] = []
    with executed(_ROOT) as lines:
        for top in circuits(name):
            built.append({file: set(x) for file, x in lines.items()})
            for component in top.get_all_components():
                if file := file_of(type(component)):
                    found.setdefault(file, set()).add(variant(component))
    if name not in SYSTEMS:
        for configuration in _configurations(name):
            for file in _models(configuration):
                found.setdefault(file, set()).add(name)
    return {
        file: Use(
            " ".join(sorted(texts)),
            sorted(built[0].get(file, ())),
            sorted(built[-1].get(file, set()) - built[0].get(file, set())),
        )
        for file, texts in sorted(found.items())
    }


@contextmanager
def executed(root: Path) -> Iterator[dict[str, set[int]]]:
    """Record the lines that are executed in the block, by file relative to ``root``."""
    found: dict[str, set[int]] = {}
    top = f"{root}/"

    def begin(frame: FrameType, event: str, argument: Any) -> Any:
        file = frame.f_code.co_filename
        if not file.startswith(top):
            return None
        lines = found.setdefault(file.removeprefix(top), set())

        def step(frame: FrameType, event: str, argument: Any) -> Any:
            lines.add(frame.f_lineno)
            return step

        return step

    before = sys.gettrace()
    sys.settrace(begin)
    try:
        yield found
    finally:
        sys.settrace(before)


def variant(component: Component) -> str:
    given = component._dsl
    shown = [_shown(x) for x in given.args] + [f"{k}={_shown(x)}" for k, x in given.kwargs.items()]
    return f"{type(component).__qualname__}({', '.join(shown)})"


def _shown(value: Any) -> str:
    """Text of a value, without a memory address."""
    text = getattr(value, "__qualname__", None) or repr(value)
    return " ".join(word for word in text.split() if not word.startswith("0x"))


def _configurations(name: str) -> Iterator[catalog.AnyConfiguration]:
    """Yield configurations at the smallest width: with defaults, then one other value each."""
    entry = catalog.find(name)
    nbits = max(NBITS, entry.widths[0])
    yield entry.configure(nbits)
    for parameter in entry.parameters:
        default = parameter.default(nbits)
        others = (x for x in parameter.allowed(nbits) if x != default)
        if parameter is not MODULUS:
            for value in islice(others, _VALUES):
                try:
                    yield entry.configure(nbits, **{parameter.name: value})
                except ValueError:  # in a CRT design, the halves are too narrow for this value
                    break


def _models(configuration: catalog.AnyConfiguration) -> list[str]:
    """List the files of a configuration's cycle models, and the files of cl that they import."""
    timing: Any = configuration.timing
    models = [configuration.component("cl"), timing]
    if isinstance(configuration, Configuration):
        models += [timing.multiplier, *timing.units]
    files = [_ROOT / file for x in models if (file := file_of(type(x)))]
    return [x.relative_to(_ROOT).as_posix() for x in closure(files, [_ROOT / "cl"])]


def file_of(kind: type) -> str:
    """File of a class, relative to the top of the tree; empty for a class outside rtl, cl, proc."""
    if not kind.__module__.startswith(("rsaxcel.rtl.", "rsaxcel.cl.", "rsaxcel.proc.")):
        return ""
    return Path(sys.modules[kind.__module__].__file__ or "").relative_to(_ROOT).as_posix()


def variants(file: str, names: Sequence[str]) -> dict[str, list[str]]:
    """Return Verilog and top module by variant: a class of the file with its arguments, as text."""
    found: dict[str, list[str]] = {}
    for name in names:
        for top in circuits(name):
            for component in sorted(top.get_all_components(), key=repr):
                label = variant(component)
                if file_of(type(component)) == file and label not in found:
                    module = translate(_again(component), check=lambda _: None)
                    found[label] = [module.text, module.top]
    return found


def _again(component: Component) -> Component:
    """Return a new component of the same class, with the same arguments."""
    given = component._dsl
    return type(component)(*given.args, **given.kwargs)


if __name__ == "__main__":
    file, *entries = [*sys.argv[1:], ""]
    asked = variants(file, entries[:-1]) if file else {name: parts_of(name) for name in names()}
    print(json.dumps(asked))
