"""Circuits with full adders of gates, and adder cells in their place."""

from rsaxcel.flow.physical.array_netlist import ArrayNetlist
from rsaxcel.flow.physical.embedded.session import session
from tests.flow.physical.layouts import laid_out
from tests.flow.physical.netlists import KIT, Netlist

BITS = 12


def xors(name: str, a: str, b: str, c: str) -> dict[str, tuple[str, dict[str, str]]]:
    return {
        f"{name}.x": ("XOR2_X1", {"A": a, "B": b, "Z": f"{name}.x"}),
        f"{name}.sum": ("XOR2_X1", {"A": f"{name}.x", "B": c, "Z": f"{name}.s"}),
    }


def nands(name: str, a: str, b: str, c: str):
    """Carry of three NANDs."""
    return xors(name, a, b, c) | {
        f"{name}.n1": ("NAND2_X1", {"A1": a, "A2": b, "ZN": f"{name}.n1"}),
        f"{name}.n2": ("NAND2_X1", {"A1": c, "A2": f"{name}.x", "ZN": f"{name}.n2"}),
        f"{name}.carry": ("NAND2_X1", {"A1": f"{name}.n1", "A2": f"{name}.n2", "ZN": f"{name}.c"}),
    }


def multiplexer(name: str, a: str, b: str, c: str):
    """Sum of XNORs, carry of a multiplexer, and a buffer on the way."""
    return {
        f"{name}.x": ("XNOR2_X1", {"A": a, "B": b, "ZN": f"{name}.xn"}),
        f"{name}.buf": ("BUF_X1", {"A": f"{name}.xn", "Z": f"{name}.xb"}),
        f"{name}.sum": ("XNOR2_X1", {"A": f"{name}.xb", "B": c, "ZN": f"{name}.s"}),
        f"{name}.carry": ("MUX2_X1", {"A": c, "B": a, "S": f"{name}.xb", "Z": f"{name}.c"}),
    }


def complements(name: str, a: str, b: str, c: str):
    """The outputs are complements, which are inverted again."""
    return {
        f"{name}.x": ("XOR2_X1", {"A": a, "B": b, "Z": f"{name}.x"}),
        f"{name}.sum": ("XNOR2_X1", {"A": f"{name}.x", "B": c, "ZN": f"{name}.sn"}),
        f"{name}.and": ("AND2_X1", {"A1": a, "A2": b, "ZN": f"{name}.g"}),
        f"{name}.or": ("OR2_X1", {"A1": a, "A2": b, "ZN": f"{name}.p"}),
        f"{name}.carry": (
            "AOI21_X1",
            {"A": f"{name}.g", "B1": c, "B2": f"{name}.p", "ZN": f"{name}.cn"},
        ),
        f"{name}.i0": ("INV_X1", {"A": f"{name}.sn", "ZN": f"{name}.s"}),
        f"{name}.i1": ("INV_X1", {"A": f"{name}.cn", "ZN": f"{name}.c"}),
    }


STYLES = (nands, multiplexer, complements)


def rows(bits: int = BITS) -> Netlist:
    """Full adders of several styles between registers; the carry is kept one bit higher."""
    made = Netlist({"clk": 1, "a": 3}, {"y": 1})
    for bit in range(bits):
        for k in range(3):
            data = f"a[{k}]" if bit == 0 else f"q{bit - 1}s"
            pins = {"D": data, "CK": "clk", "Q": f"q{bit}{k}"}
            made.cells[f"core.r{bit}{k}"] = ("DFF_X1", pins)
        made.cells |= STYLES[bit % 3](f"core.fa{bit}", *(f"q{bit}{k}" for k in range(3)))
        for out in "sc":
            pins = {"D": f"core.fa{bit}.{out}", "CK": "clk", "Q": f"q{bit}{out}"}
            made.cells[f"core.{out}{bit}"] = ("DFF_X1", pins)
    made.cells["out"] = ("XOR2_X1", {"A": f"q{bits - 1}c", "B": f"q{bits - 2}c", "Z": "y"})
    return made


def with_adders(netlist: Netlist, folder, period_ns: float):
    layout = laid_out(netlist, folder)
    with session(layout.netlist, KIT) as opened:
        before = opened.time(period_ns)
        after = opened.repair(period_ns, limit=False, adders=True)
        design, copies = opened.read()
        assert not copies
        return design, opened.adders, before, after


def pin_of(design: ArrayNetlist, cell: str, name: str) -> int:
    at = design.names.index(cell)
    return int(design.pin_start[at]) + [x.name for x in design.kinds[design.kind[at]].pins].index(
        name
    )
