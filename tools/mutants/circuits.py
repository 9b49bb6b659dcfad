"""``python -m tools.mutants.circuits FILE NAME...``: Verilog of the variants in a source file.

The module runs in a copy of the tree, anew after each change, because it imports the file. A
variant is a class with its arguments, and has its Verilog and top module in the JSON.
"""

import json
import sys
from collections.abc import Sequence

from pymtl3 import Component

from rsaxcel.sim.translate import translate
from tools.mutants.parts import circuits, file_of, variant


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
    file, *names = sys.argv[1:]
    print(json.dumps(variants(file, names)))
