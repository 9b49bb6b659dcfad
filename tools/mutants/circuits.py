"""Writes the Verilog of all variants of the components of a source file.

Run as ``python -m tools.mutants.circuits FILE NAME...`` in a copy of the tree, with a fault or
without: a process keeps the code with which it began. ``NAME`` are the entries that use the file.
It prints JSON: the variants, each with its Verilog and the name of its top module.
"""

import json
import sys
from collections.abc import Sequence

from pymtl3 import Component

from sim.translate import translate
from tools.mutants.parts import circuits, file_of, variant


def variants(file: str, names: Sequence[str]) -> dict[str, list[str]]:
    """Verilog and top module of each class and arguments with which the file's parts are built."""
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
    """Build another one of a component's class and arguments."""
    given = component._dsl
    return type(component)(*given.args, **given.kwargs)


if __name__ == "__main__":
    file, *names = sys.argv[1:]
    print(json.dumps(variants(file, names)))
