"""Operands of a lane that keeps its last result, and the registers that the others are in.

Such a lane multiplies what it has by digits of the other operand. Where neither operand of a
product is sure to be the last result, b is loaded as a whole before.
"""

from collections.abc import Iterator, Mapping
from itertools import product as combinations
from typing import NamedTuple

from plan.programs import Program
from plan.steps import ENTRY, NEXT, Kind, Product, Step, When

LOAD_CYCLES = 3
"""Cycles by which a product whose b is loaded begins later, when all results are in registers."""

_ON_THE_WAY = 5
"""Cycles from a digit of the exponent to the last register that its index is in."""

KEPT = "kept"
"""Name of the last result, as a source of digits."""


def shift_cycles(program: Program, digit_nbits: int) -> int:
    """Cycles that shift exponents and message out of the registers that give them digit by digit.

    Parameters
    ----------
    program : Program
        Whose they are.
    digit_nbits : int
        Bits of a digit of the message.
    """
    digits = program.scan.ndigits if program.loop else 0
    message = -(-program.halves * program.split.nbits // digit_nbits) if program.split else 0
    return max(digits, message) + _ON_THE_WAY


class Fetch(NamedTuple):
    """Where the operands of a product come from.

    Parameters
    ----------
    digits : str
        What is fetched digit by digit: a residue, a constant operand, ``ENTRY``, ``MESSAGE`` or
        ``KEPT``. A residue may be the last result now and then.
    loads : str
        Residue that is loaded; empty where the last result is the other operand.
    tail : str
        Residue that is fetched behind that.
    """

    digits: str
    loads: str = ""
    tail: str = ""


Residue = tuple[str, int]
"""A residue of a half."""


_Moment = tuple[int, int, int]
"""Turn, step and product."""

_BEFORE = (-1, 0, 0)


class _Life:
    """From when to when a residue is needed."""

    def __init__(self, born: _Moment):
        self.born = self.dies = born
        self.is_read = False

    def read(self, moment: _Moment) -> None:
        """Note that it is needed until then."""
        self.dies = max(self.dies, moment)
        self.is_read = True

    def meets(self, other: "_Life") -> bool:
        """Whether there is a moment at which both are needed."""
        return self.born < other.dies and other.born < self.dies


class KeptResults:
    """Sources of the operands of all products that a lane forms.

    Parameters
    ----------
    program : Program
        Steps and residues; of one lane, or of two halves on a lane each.
    lane : int
        Which lane.

    Raises
    ------
    ValueError
        If the program has more lanes than that.

    Attributes
    ----------
    halves : tuple of int
        Those that it works for, one after the other.
    fetches : mapping of Product to Fetch
        The same for a product wherever it stands.
    registers : mapping of Residue to int
        Registers of the residues that it forms or is given. Two may share one, one after the other.
    """

    def __init__(self, program: Program, lane: int = 0):
        if program.lanes not in (1, program.halves):
            raise ValueError(f"lanes={program.lanes}: a lane that keeps its result works alone")
        self._program = program
        turns = [half for turn in program.turns for half in turn]
        self.halves = tuple(turns) if program.lanes == 1 else (lane,)
        self._roles: dict[Product, set[str]] = {}
        for half in self.halves:
            self._walk(half)
        mine = {p: None for step in program.steps for p in step if self._forms(p)}
        self.fetches: Mapping[Product, Fetch] = {
            product: _fetch(product, self._roles.get(product, set())) for product in mine
        }
        self.registers: Mapping[Residue, int] = self._allocate()

    @property
    def count(self) -> int:
        """Registers."""
        return 1 + max(self.registers.values())

    def register(self, name: str, half: int) -> int | None:
        """Register of a residue as a half reads it; None where it is not in this lane."""
        return self.registers.get((name, self._program.owners.get(name, half)))

    def _own(self, step: Step, half: int) -> Step:
        return tuple(p for p in step if p.is_of(half))

    def _forms(self, product: Product) -> bool:
        return any(product.is_of(half) for half in self.halves)

    def _walk(self, half: int) -> None:
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
                    last = self._pass(self._own(step, half), last, index)
        ends = {*last} if not program.scan.fixed else set()
        before: set[str] = set()
        later = False
        while not last <= before:
            before |= last
            for step in program.loop:
                last = self._pass(self._own(step, half), last, 0, later)
            ends |= last
            later = True
        last = ends if program.loop else last
        for step in program.leave:
            last = self._pass(self._own(step, half), last, 0)
        if half != self.halves[-1]:
            return
        for step in program.join:
            for each in self.halves:
                last = self._pass(self._own(step, each), last, 0)

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

    def _allocate(self) -> dict[Residue, int]:
        """Give registers to residues, the same one where the lives of two do not overlap.

        What is formed in the turns of both halves has the same one for each.
        """
        program = self._program
        lives: dict[Residue, _Life] = {}
        # No sets: circuits are numbered by their order, which is to be the same in every process.
        arrived = [(name, half) for _, name, half in program.arrivals]
        for residue in (*arrived, *((x, half) for x in program.ones for half in self.halves)):
            lives[residue] = _Life(_BEFORE)
        for moment, half, p, ends in self._products():
            fetch = self.fetches.get(p)
            for source in fetch or p.operands:
                for residue in self._residues(source, half):
                    lives.setdefault(residue, _Life(moment)).read(max(moment, ends))
            for residue in self._residues(p.dst, half):
                lives.setdefault(residue, _Life(moment))
        alike: dict[str | Residue, list[Residue]] = {}
        for name, half in lives:
            if half in self.halves and lives[name, half].is_read:
                alone = name in program.owners or (name, half) in arrived
                alike.setdefault((name, half) if alone else name, []).append((name, half))
        order = sorted(
            alike.values(), key=lambda x: (lives[x[0]].born, program.residues.index(x[0][0]))
        )
        held: list[list[_Life]] = []
        registers: dict[Residue, int] = {}
        for residues in order:
            mine = [lives[x] for x in residues]
            fitting = (
                i
                for i, others in enumerate(held)
                if not any(x.meets(y) for x in mine for y in others)
            )
            register = next(fitting, len(held))
            if register == len(held):
                held.append([])
            held[register] += mine
            registers |= dict.fromkeys(residues, register)
        return registers

    def _products(self) -> Iterator[tuple[_Moment, int, Product, _Moment]]:
        """All products that read or form residues of this lane: when, of which half, until when.

        What the loop reads, it reads until its end; so does what fills the table.
        """
        program = self._program
        begin = len(program.enter + program.fill + program.begin)
        end, fill = begin + len(program.loop), len(program.enter)
        until = {t: end for t in range(begin, end)} | ({fill: fill + 1} if program.fill else {})
        first = len(program.steps) - len(program.join)
        for t, step in enumerate(program.steps):
            turns = enumerate(self.halves) if t < first else [(len(self.halves), h) for h in (0, 1)]
            for turn, half in turns:
                for k, p in enumerate(step):
                    if p.is_of(half):
                        now = (turn, t, k)
                        yield now, half, p, (turn, until[t], 0) if t in until else now

    def may_be(self, name: str) -> list[str]:
        """Give the residues that an operand or a destination may be."""
        program = self._program
        if name == ENTRY:
            return [*program.entries.values()]
        if name == NEXT and program.table:
            return [program.entries[i + 1] for i in program.table.filled]
        return [name] if name in program.residues else []

    def _residues(self, name: str, half: int) -> list[Residue]:
        return [(x, self._program.owners.get(x, half)) for x in self.may_be(name)]


def _fetch(product: Product, roles: set[str]) -> Fetch:
    if product.kind is Kind.WHOLE:  # the modulus is the lane's
        return Fetch(product.a, product.tail)
    if product.kind is Kind.DOUBLE:
        return Fetch(product.a, "" if "b" in roles else product.b, product.tail)
    if roles == {"a", "b"}:
        return Fetch(KEPT)
    if "b" in roles:
        return Fetch(product.a)
    if "a" in roles:
        return Fetch(product.b)
    return Fetch(product.a, product.b)
