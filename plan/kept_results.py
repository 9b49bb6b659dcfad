"""Plan for a lane that keeps its last result: sources of operands, registers of residues.

The last result is one operand of the next product; the other is read digit by digit
(``rtl.lib.lanes``). Where neither operand is the last result, or the exponent decides which
one is, operand b is loaded in parallel before the product.
"""

from collections.abc import Iterator, Mapping
from itertools import product as combinations
from typing import NamedTuple

from rsaxcel.plan.programs import Program
from rsaxcel.plan.steps import ENTRY, NEXT, Kind, Product, Step, When

#: Cycles by which a product is delayed if operand `b` is loaded. At their end, earlier results are
#: in registers.
LOAD_CYCLES = 3

#: Cycles in which the table index of an exponent digit passes through all pipeline registers.
_ON_THE_WAY = 5

KEPT = "kept"  #: the lane's last result as a source of digits


def shift_cycles(program: Program, digit_nbits: int) -> int:
    """Cycles in which the registers of exponent and message shift out all of their digits."""
    digits = program.scan.ndigits if program.loop else 0
    message = -(-program.halves * program.split.nbits // digit_nbits) if program.split else 0
    return max(digits, message) + _ON_THE_WAY


class OperandSources(NamedTuple):
    """Sources of the operands of a product."""

    #: Operand that is read digit by digit: a residue (for some exponents the last result), a
    #: constant operand such as ONE, ENTRY (of the table of powers), MESSAGE or KEPT.
    digits: str
    #: residue loaded in parallel before the product; empty: the other operand is the last result
    loads: str = ""
    tail: str = ""  #: residue whose digits follow; empty: none


Residue = tuple[str, int]  #: name of a residue, and its half


#: Numbers of the turn (Program.turns), of the step, and of its product.
_Moment = tuple[int, int, int]

_BEFORE = (-1, 0, 0)


class _Lifetime:
    """Lifetime of a residue, from the product that forms it to the last product that reads it."""

    def __init__(self, born: _Moment):
        self.born = self.dies = born
        self.is_read = False

    def read(self, moment: _Moment) -> None:
        """Extend the lifetime to a moment at which the residue is read."""
        self.dies = max(self.dies, moment)
        self.is_read = True

    def meets(self, other: "_Lifetime") -> bool:
        return self.born < other.dies and other.born < self.dies


class KeptResults:
    """Sources of the operands of all products that a lane forms, and registers of its residues.

    ``halves``: those of the lane, in order. Equal products have the same ``fetches`` in every step.
    ``registers`` may be shared by residues whose lifetimes do not overlap. ``ValueError`` for a
    program with several lanes that are not one for each half.
    """

    def __init__(self, program: Program, lane: int = 0):
        if program.lanes not in (1, program.halves):
            raise ValueError(f"lanes={program.lanes}: one, or one for each half, is allowed")
        self._program = program
        turns = [half for turn in program.turns for half in turn]
        self.halves = tuple(turns) if program.lanes == 1 else (lane,)
        self._roles: dict[Product, set[str]] = {}
        for half in self.halves:
            self._walk(half)
            self._walk_check(half)
        mine = {p: None for step in program.steps for p in step if self._forms(p)}
        self.fetches: Mapping[Product, OperandSources] = {
            product: _fetch(product, self._roles.get(product, set())) for product in mine
        }
        self.registers: Mapping[Residue, int] = self._allocate()

    @property
    def count(self) -> int:
        return 1 + max(self.registers.values())

    @property
    def keeps_itself(self) -> bool:
        """Whether the entry that is the loop's own result always is the last result."""
        loop = [p for step in self._program.loop for p in step if p.a == ENTRY]
        return all("b" in self._roles.get(p, ()) for p in loop)

    def register(self, name: str, half: int) -> int | None:
        """Register of a residue that a half reads; None: the residue is not in this lane."""
        return self.registers.get((name, self._program.owners.get(name, half)))

    def _own(self, step: Step, half: int) -> Step:
        return tuple(p for p in step if p.is_of(half))

    def _forms(self, product: Product) -> bool:
        return any(product.is_of(half) for half in self.halves)

    def _walk(self, half: int) -> None:
        """Find operands of a half's products that always are the lane's last result."""
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
                if program.dummy:  # any number of dummies may follow
                    last |= self._pass(program.dummy, last, 0)
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

    def _walk_check(self, half: int) -> None:
        """Follow the last result of a half through the check, before which the lane has none."""
        check = self._program.check
        if check is None:
            return
        last = {""}
        for step in check.enter:
            last = self._pass(self._own(step, half), last, 0)
        before: set[str] = set()
        while not last <= before:
            before |= last
            for step in check.loop:
                last = self._pass(self._own(step, half), last, 0)
        for step in check.leave:
            last = self._pass(self._own(step, half), last, 0)

    def _pass(self, step: Step, last: set[str], index: int, later: bool = False) -> set[str]:
        """Follow the possible last results through a step.

        ``_roles`` keeps the operands that always are a last result.
        """
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
        """Return the residue of an operand or destination.

        `index` is the table entry of `ENTRY`, `NEXT`.
        """
        if index > 0 and operand in (ENTRY, NEXT):
            return self._program.entries[index + (operand == NEXT)]
        return operand

    def _allocate(self) -> dict[Residue, int]:
        """Assign registers to residues; residues whose lifetimes do not overlap can share one.

        A residue that both halves form has the same register for both, unless one half's is read
        after the other half forms its own.
        """
        program = self._program
        lifetimes: dict[Residue, _Lifetime] = {}
        # No sets are used: register numbers follow the order of these lists, and the order of a set
        # can differ between processes.
        from_request = [(each.name, each.half) for each in program.request_residues]
        for residue in (*from_request, *((x, half) for x in program.ones for half in self.halves)):
            lifetimes[residue] = _Lifetime(_BEFORE)
        for moment, half, p, ends, index in self._products():
            fetch = self.fetches.get(p)
            for source in fetch or p.operands:
                for residue in self._residues(source, half, index):
                    lifetimes.setdefault(residue, _Lifetime(moment)).read(max(moment, ends))
            for residue in self._residues(p.dst, half, index):
                lifetimes.setdefault(residue, _Lifetime(moment))
        alike: dict[str | Residue, list[Residue]] = {}
        for (name, half), lifetime in lifetimes.items():
            if half in self.halves and lifetime.is_read:
                others = [lifetimes.get((name, x)) for x in self.halves if x != half]
                alone = any(other and lifetime.meets(other) for other in others)
                alike.setdefault((name, half) if alone else name, []).append((name, half))
        order = sorted(
            alike.values(), key=lambda x: (lifetimes[x[0]].born, program.residues.index(x[0][0]))
        )
        occupied: list[list[_Lifetime]] = []
        used: list[set[str]] = []  #: ways in which each register is used
        registers: dict[Residue, int] = {}
        for residues in order:
            mine = [lifetimes[x] for x in residues]
            ways = {way for name, _ in residues for way in self._ways(name)}
            fitting = [
                i
                for i, others in enumerate(occupied)
                if not any(x.meets(y) for x in mine for y in others)
            ]
            register = min(fitting, key=lambda i: len(ways - used[i]), default=len(occupied))
            if register == len(occupied):
                occupied.append([])
                used.append(set())
            occupied[register] += mine
            used[register] |= ways
            registers |= dict.fromkeys(residues, register)
        return registers

    def _ways(self, residue: str) -> set[str]:
        """Ways in which a residue is used; each takes gates for all bits of its register."""
        found = set()
        for product, fetch in self.fetches.items():
            for way, names in (
                ("read by digits", (fetch.digits, fetch.tail)),
                ("loaded", (fetch.loads,)),
                ("written", (product.dst,)),
            ):
                if any(residue in self.may_be(name) for name in names):
                    found.add(way)
        return found

    def _products(self) -> Iterator[tuple[_Moment, int, Product, _Moment, int | None]]:
        """Yield each product that may use residues of this lane: moment, half, product, last read.

        Products of a loop may read until its last repetition ends. The step that fills the table
        comes once for each entry, with the index; other ones have None.
        """
        program = self._program
        begin = len(program.enter + program.fill + program.begin)
        end, fill = begin + len(program.loop), len(program.enter)
        until = {t: end for t in range(begin, end)}
        filled = program.table.filled if program.table else ()
        join, count, loop_first = program.join_range, len(self.halves), begin
        if program.check:
            begin = join.stop + len(program.check.enter)
            end = begin + len(program.check.loop)
            until |= {t: end for t in range(begin, end)}
        for number, step in enumerate(program.steps):
            t = loop_first if program.dummy and step is program.dummy else number
            turns = [*enumerate(self.halves, count + 1 if t >= join.stop else 0)]
            for turn, half in [(count, h) for h in (0, 1)] if t in join else turns:
                for k, p in enumerate(step):
                    if p.is_of(half):
                        now = (turn, t, k)
                        if t == fill and filled:
                            for index in filled:
                                yield (turn, t, index), half, p, (turn, t, index), index
                            continue
                        yield now, half, p, (turn, until[t], 0) if t in until else now, None

    def may_be(self, name: str, index: int | None = None) -> list[str]:
        """Return the residues for which an operand or a destination may stand.

        ``index`` is that of the table entry, if it is known.
        """
        table = self._program.table
        if table and name in (ENTRY, NEXT):
            every = table.filled if name == NEXT else table.entries
            known = every if index is None else (index,)
            entries = [table.entries[i + (name == NEXT)] for i in known]
            return [x for x in entries if x != table.itself or not self.keeps_itself]
        return [name] if name in self._program.residues else []

    def _residues(self, name: str, half: int, index: int | None = None) -> list[Residue]:
        return [(x, self._program.owners.get(x, half)) for x in self.may_be(name, index)]


def _fetch(product: Product, roles: set[str]) -> OperandSources:
    if product.kind is Kind.WHOLE:  # b is the modulus, which the lane holds
        return OperandSources(product.a, product.tail)
    if product.kind is Kind.DOUBLE:
        return OperandSources(product.a, "" if "b" in roles else product.b, product.tail)
    if roles == {"a", "b"}:
        return OperandSources(KEPT)
    if "b" in roles:
        return OperandSources(product.a)
    if "a" in roles:
        return OperandSources(product.b)
    return OperandSources(product.a, product.b)
