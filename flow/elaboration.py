"""Which instances Verilog has once it is elaborated, told by slang (the wheel `pyslang`)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

# Yosys's front end `read_slang` leaves out the text between such comments; so does this module.
_OFF = (
    "synthesis,translate_off,translate_on",
    "synopsys,translate_off,translate_on",
    "pragma,translate_off,translate_on",
    "synopsys,synthesis_off,synthesis_on",
    "pragma,synthesis_off,synthesis_on",
)
_OPTIONS = ("-DSYNTHESIS=1", *(f"--translate-off-format {words}" for words in _OFF))


@dataclass(frozen=True)
class Elaboration:
    # Number by module, in the order of the text; the top counts as one, interfaces do not.
    instances: Mapping[str, int]
    alike: bool  # No module has parameters or interfaces that an instance could choose
    faultless: bool  # slang finds no error


def elaborate(verilog: Path, top: str) -> Elaboration:
    """Elaborate ``top`` as Yosys's `read_slang` does.

    The result is empty if there is no such module.
    """
    from pyslang import DiagnosticSeverity, ast, driver

    slang = driver.Driver()
    slang.addStandardArgs()
    # The first word stands for the program. Quotes protect blanks in the path.
    words = ("slang", *_OPTIONS, f"--top {top}", f'"{verilog}"')
    slang.parseCommandLine(" ".join(words), driver.CommandLineOptions())
    if not (slang.processOptions() and slang.parseAllSources()):
        return Elaboration({}, alike=False, faultless=False)
    compilation = slang.createCompilation()
    found: list[ast.InstanceSymbol] = []

    def visit(symbol: object) -> ast.VisitAction:
        if isinstance(symbol, ast.InstanceSymbol):
            found.append(symbol)
        # These contain no instances, and most of the text.
        plain = isinstance(symbol, ast.ProceduralBlockSymbol | ast.ContinuousAssignSymbol)
        return ast.VisitAction.Skip if plain else ast.VisitAction.Advance

    for instance in compilation.getRoot().topInstances:
        instance.visit(visit)
    errors = DiagnosticSeverity.Error, DiagnosticSeverity.Fatal
    modules = [x for x in found if not x.isInterface]
    where = {x.definition.name: x.definition.location.offset for x in modules}
    count = Counter(x.definition.name for x in modules)
    return Elaboration(
        {name: count[name] for name in sorted(count, key=where.__getitem__)},
        alike=bool(modules)
        and modules == found
        and all(re.fullmatch(r"\w+", name, re.ASCII) for name in count)
        and all(parameter.isLocalParam for x in modules for parameter in x.body.parameters),
        faultless=not any(
            slang.diagEngine.getSeverity(x.code, x.location) in errors
            for x in compilation.getAllDiagnostics()
        ),
    )
