"""Operands of a lane that keeps its last result, and the registers that the others are in.

Such a lane multiplies what it has by digits of the other operand. Where neither operand of a
product is sure to be the last result, b is loaded as a whole before.
"""

from collections.abc import Mapping
from itertools import product as combinations
from typing import NamedTuple

from fl.steps import ENTRY, NEXT, Product, Program, Step, When

LOAD_CYCLES = 3
"""Cycles by which a product whose b is loaded begins later, when all results are in registers."""

KEPT = "kept"
"""Name of the last result, as a source of digits."""


class Fetch(NamedTuple):
    """Where the operands of a product come from.

    Parameters
    ----------
    digits : str
        What is fetched digit by digit: a residue, ``ENTRY``, ``ONE``, ``FACTOR`` or ``KEPT``. A
        residue may be the last result now and then.
    loads : str
        Residue that is loaded; empty where the last result is the other operand.
    """

    digits: str
    loads: str = ""


class KeptResults:
    """Sources of all operands of a program on one lane.

    Parameters
    ----------
    program : Program
        Steps and residues.

    Raises
    ------
    ValueError
        If the program has more lanes than one.

    Attributes
    ----------
    fetches : mapping of Product to Fetch
        The same for a product wherever it stands.
    registers : mapping of str to int
        Registers of the residues that need one; residues may share one, one after the other.
    """

    def __init__(self, program: Program):
        if program.lanes != 1:
            raise ValueError(f"lanes={program.lanes}: a lane that keeps its result works alone")
        self._program = program
        self._roles: dict[Product, set[str]] = {}
        self._walk()
        self.fetches: Mapping[Product, Fetch] = {
            product: _fetch(product, self._roles.get(product, set()))
            for step in program.steps
            for product in step
        }
        self.registers: Mapping[str, int] = self._allocate()

    @property
    def count(self) -> int:
        """Registers."""
        return 1 + max(self.registers.values())

    def _walk(self) -> None:
        """Find out which operands are the last result, whatever the exponent is."""
        program = self._program
        last = {""}
        for steps, indices in (
            (program.enter, (0,)),
            (program.fill, program.table.filled if program.table else ()),
            (program.begin, (0,)),
        ):
            for step in steps:
                for index in indices:
                    last = self._pass(step, last, index)
        ends = {*last} if not program.scan.fixed else set()
        before: set[str] = set()
        later = False
        while not last <= before:
            before |= last
            for step in program.loop:
                last = self._pass(step, last, 0, later)
            ends |= last
            later = True
        last = ends if program.loop else last
        for step in program.leave:
            last = self._pass(step, last, 0)

    def _pass(self, step: Step, last: set[str], index: int, later: bool = False) -> set[str]:
        """Note the roles of the last result in a step; give what may be the last result then."""
        after = set()
        for now, is_set, more in combinations(last, (True, False), (True, False)):
            holds = {
                When.ALWAYS: True,
                When.SET: is_set,
                When.CLEAR: not is_set,
                When.MORE: more,
                When.LATER: later,
                When.FIRST: not later,
            }
            for p in step:
                if holds[p.when]:
                    roles = {r for r in ("a", "b") if self._named(getattr(p, r), index) == now}
                    self._roles[p] = self._roles.get(p, roles) & roles
                    now = self._named(p.dst, index)
            after.add(now)
        return after

    def _named(self, operand: str, index: int) -> str:
        """Residue that an operand or a destination is, with a known index of the table."""
        if index > 0 and operand in (ENTRY, NEXT):
            return self._program.entries[index + (operand == NEXT)]
        return operand

    def _allocate(self) -> dict[str, int]:
        """Give registers to residues, the same one where the lives of two do not overlap."""
        program = self._program
        first = len(program.steps) - len(program.leave) - len(program.loop)
        end, fill = first + len(program.loop), len(program.enter)
        # What is repeated reads until it ends.
        until = {t: end for t in range(first, end)} | ({fill: fill + 1} if program.fill else {})
        born = dict.fromkeys((*program.receives, *program.ones), (-1, 0))
        dies: dict[str, tuple[int, int]] = {}
        for t, step in enumerate(program.steps):
            for k, p in enumerate(step):
                for name in self._residues(p.dst):
                    born.setdefault(name, (t, k))
                for name in (x for source in self.fetches[p] for x in self._residues(source)):
                    dies[name] = (until[t], 0) if t in until else (t, k)
        registers: dict[str, int] = {}
        free_from: list[tuple[int, int]] = []
        for name in sorted(dies, key=lambda x: (born[x], program.residues.index(x))):
            fitting = [i for i, moment in enumerate(free_from) if moment <= born[name]]
            if not fitting:
                fitting = [len(free_from)]
                free_from.append(born[name])
            registers[name] = fitting[0]
            free_from[fitting[0]] = dies[name]
        return registers

    def _residues(self, name: str) -> tuple[str, ...]:
        """Residues that an operand or a destination may be."""
        entries = self._program.entries
        if name == ENTRY:
            return tuple(entries.values())
        if name == NEXT and self._program.table:
            return tuple(entries[i + 1] for i in self._program.table.filled)
        return (name,) if name in self._program.residues else ()


def _fetch(product: Product, roles: set[str]) -> Fetch:
    if roles == {"a", "b"}:
        return Fetch(KEPT)
    if "b" in roles:
        return Fetch(product.a)
    if "a" in roles:
        return Fetch(product.b)
    return Fetch(product.a, product.b)
