"""Prints the Verilog of all variants of the components in a source file.

``python -m tools.mutants.circuits FILE NAME...`` runs in a copy of the source tree, with or without
a fault. It is started anew after each change of the file, which it imports. Each ``NAME`` is a
design, a multiplier or a system that uses the file. The output is JSON: the variants (a class with
its arguments), each with its Verilog and the name of its top module.
"""

import json
import sys
from collections.abc import Sequence

from pymtl3 import Component

from rsaxcel.sim.translate import translate
from tools.mutants.parts import circuits, file_of, variant


def variants(file: str, names: Sequence[str]) -> dict[str, list[str]]:
    """Return the Verilog and the name of its top module, for each variant of the file's components.

    A variant is a class with its arguments, as text.
    """
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
    file, *names = sys.argv[1:]
    print(json.dumps(variants(file, names)))
