"""LaneSources: numbers all sources from which a lane reads operands: registers and others."""

from collections.abc import Iterable

from rsaxcel.plan.kept_results import KEPT, KeptResults, OperandSources
from rsaxcel.plan.programs import Program
from rsaxcel.plan.steps import (
    EXPONENT,
    FACTOR,
    MESSAGE,
    MINUS_ONE,
    ONE,
    REFERENCE,
    RESULT,
    Kind,
    Product,
)
from rsaxcel.rtl.lib.slots import Slots

_NO_REGISTER = (KEPT, ONE, FACTOR, MINUS_ONE, MESSAGE)

_SAME_AS = {RESULT: MESSAGE}  #: the result replaces the message in its register


class LaneSources:
    """Numbers the sources from which a lane reads digits, and lists the products that read them.

    Registers of the lane (``plan.kept_results``) come first, then the last result, constants and
    the message, then residues of the other lane. ``given`` is what the request loads.
    """

    def __init__(self, program: Program, lane: int):
        self.program, self.lane = program, lane
        self.kept = KeptResults(program, lane)
        self.registers = self.kept.count
        self.from_other_lane = _read_from_other(program, lane)
        self.for_other_lane = _read_from_other(program, 1 - lane)
        self.given = [each for each in program.request_residues if each.half in self.kept.halves]
        read = {name for step in program.steps for p in step for name in p.operands}
        more = (REFERENCE,) if REFERENCE in read else ()
        self._unregistered = (*_NO_REGISTER, *more, *self.from_other_lane)
        self.count = self.registers + len(self._unregistered)

    def __repr__(self) -> str:
        """PyMTL3 tells parameters of components apart by this text."""
        return f"LaneSources({self.program!r}, {self.lane})"

    @property
    def products(self) -> list[Product | None]:
        """Product in each slot of the lane; None: the slot is empty."""
        slots = Slots(self.program)
        return [slots.product(self.lane, j) for j in range(slots.per_lane)]

    @property
    def doubles(self) -> bool:
        """Whether the lane forms products with an operand of twice the length (``Kind.DOUBLE``)."""
        return any(p.kind is Kind.DOUBLE for p in self.products if p)

    @property
    def wholes(self) -> bool:
        """Whether the lane forms the joined result, without a reduction (``Kind.WHOLE``)."""
        return any(p.kind is Kind.WHOLE and p.dst != EXPONENT for p in self.products if p)

    def number(self, name: str) -> int:
        return self.registers + self._unregistered.index(_SAME_AS.get(name, name))

    @property
    def messages(self) -> int:
        """Sources that are the message or its copy, as mask."""
        return sum(1 << self.number(x) for x in (MESSAGE, REFERENCE) if x in self._unregistered)

    def mask(self, name: str, half: int) -> int:
        """Source of an operand of a half, as one-hot mask; 0: there is no such source."""
        if _SAME_AS.get(name, name) in self._unregistered:
            return 1 << self.number(name)
        register = self.kept.register(name, half)
        return 0 if register is None else 1 << register

    def registers_of(self, names: Iterable[str]) -> set[int]:
        """List the registers of all halves and table entries that can hold these names."""
        kept = self.kept
        found = {
            kept.register(residue, half)
            for name in names
            for residue in kept.may_be(name)
            for half in kept.halves
        }
        return {register for register in found if register is not None}

    @property
    def fetched(self) -> set[int]:
        """Registers that are read digit by digit."""
        return self.registers_of(x for f in self._fetches for x in (f.digits, f.tail))

    @property
    def loaded(self) -> set[int]:
        """Registers that are loaded into the lane as a whole."""
        return self.registers_of(f.loads for f in self._fetches)

    @property
    def written(self) -> set[int]:
        """Registers to which results are written."""
        return self.registers_of(p.dst for p in self.products if p)

    @property
    def ones(self) -> set[int]:
        """Registers whose initial value is 1."""
        return self.registers_of(self.program.ones)

    @property
    def _fetches(self) -> list[OperandSources]:
        return [*self.kept.fetches.values()]


def _read_from_other(program: Program, lane: int) -> tuple[str, ...]:
    """Residues that products of this lane read and that the other lane holds."""
    if program.lanes == 1 or lane not in range(program.lanes):
        return ()
    read = {name for step in program.steps for p in step if p.is_of(lane) for name in p.operands}
    return tuple(sorted(x for x in read if program.owners.get(x, lane) != lane))
