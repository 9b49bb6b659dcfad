"""Mistakes in a multiplier as ``rsaxcel new`` writes it, from ``mistakes.toml``."""

from dataclasses import dataclass
from textwrap import indent

from tests.shared.tables import tables

ADDED = "            s.product @= s.added\n"
FF = "        @update_ff\n        def seq_operands():\n"
COMPONENT = '''

class {name}(Component):
    """Has an output that follows from its input."""

    def construct(s{parameter}):
        s.i = InPort({width})
        s.o = OutPort({out})

        @update
        def comb_o():
            s.o @= {value}
'''
COMPONENTS = {
    "": "",
    "Not": COMPONENT.format(name="Not", parameter="", width=1, out=1, value="~s.i"),
    "Pass": COMPONENT.format(name="Pass", parameter=", nbits", width="nbits", out=8, value="s.i"),
}


@dataclass(frozen=True)
class Mistake:
    old: str  #: text of the circuit
    new: str  #: its replacement
    told: tuple[str, ...]  #: parts of the message's first line, after file and line number
    allowed: str  #: part of the message's last line
    shown: str  #: part of the reported statement
    part: str  #: text of a component to put before the circuit


def _mistake(told, allowed, at="", old="", new="", component="", **planted) -> Mistake:
    told = [told] if isinstance(told, str) else told
    match planted:
        case {"product": value}:
            old, new = ADDED, f"            s.product @= {value}\n"
        case {"before": statements}:
            old, new = ADDED, indent(f"{statements.rstrip()}\n", 12 * " ") + ADDED
        case {"add": lines}:
            old, new = FF, indent(f"{lines.rstrip()}\n\n", 8 * " ") + FF
    if old == ADDED and planted:
        told = [*told, "comb_add"]
    shown = at or new.strip().splitlines()[0].strip()
    return Mistake(old, new, tuple(told), allowed, shown, COMPONENTS[component])


MISTAKES = {
    kind: {name: _mistake(**found) for name, found in all_of.items()}
    for kind, all_of in tables(__file__).items()
}
