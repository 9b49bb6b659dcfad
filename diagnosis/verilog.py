"""Checks a circuit that somebody wrote in Verilog: its syntax, its modules, its top's ports."""

from __future__ import annotations

from pyslang import DiagnosticEngine, DiagnosticSeverity, SourceManager, ast, syntax

from rsaxcel.diagnosis.error import DesignError
from rsaxcel.rtl.lib.verilog_core import VerilogCore, VerilogText

_OUTPUT = "an output"
_SEVERE = (DiagnosticSeverity.Error, DiagnosticSeverity.Fatal)


def check_core(core: VerilogText) -> None:
    """Check an elaborated component's Verilog: errors; of a core the top module and its ports."""
    manager = SourceManager()
    name = f"{core.module}.v"
    compilation = ast.Compilation()
    compilation.addSyntaxTree(syntax.SyntaxTree.fromText(core.text, manager, name, name))
    engine = DiagnosticEngine(manager)
    for each in compilation.getAllDiagnostics():
        if engine.getSeverity(each.code, each.location) in _SEVERE:
            line = manager.getLineNumber(each.location)
            raise DesignError(f"{name}:{line}: {engine.formatMessage(each)}", "")
    if not isinstance(core, VerilogCore):
        return
    tops = {top.name: top for top in compilation.getRoot().topInstances}
    if core.module not in tops:
        found = ", ".join(tops) or "none"
        told = f"{name}: no top module {core.module}, but {found}"
        raise DesignError(told, f"module {core.module}, in which all other modules are")
    body = tops[core.module].body
    found_ports = {x.name: _words(x.direction.name, x.type.bitWidth) for x in body.portList}
    for port, wanted in _ports(core).items():
        if (own := found_ports.pop(port, "missing")) != wanted:
            raise DesignError(f"{name}: port {port} of {core.module} is {own}", wanted)
    for port, own in found_ports.items():
        if not own.startswith(_OUTPUT):
            told = f"{name}: nothing drives port {port} of {core.module}"
            raise DesignError(told, f"{', '.join(_ports(core))}, and further outputs")


def _ports(core: VerilogCore) -> dict[str, str]:
    """Direction and width of each port, by name."""
    inputs = {"clk": 1, "reset": 1, "recv__msg": core.recv.msg._dsl.Type.nbits}
    inputs |= {"recv__val": 1, "send__rdy": 1}
    outputs = {"recv__rdy": 1, "send__msg": core.send.msg._dsl.Type.nbits, "send__val": 1}
    found = {name: _words("In", width) for name, width in inputs.items()}
    return found | {name: _words("Out", width) for name, width in outputs.items()}


def _words(direction: str, width: int) -> str:
    kind = {"In": "an input", "Out": _OUTPUT}.get(direction, direction.lower())
    return f"{kind} of {width} bit{'s' * (width > 1)}"
