"""Programs: the steps that one executor runs for one request.

Steps convert operands, fill a table, run for each digit of the exponent, and convert the result. FL
executes a program on integers (``plan.walk``), CL adds up the timing of its steps, RTL sequences
it.

Two *halves* each have a modulus, an exponent and residues. Steps up to ``leave`` are executed for
both, on two lanes or one after the other on one lane; then ``join`` combines the results.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from rsaxcel.plan.halves import Halves
from rsaxcel.plan.measures import WITHOUT_DUMMIES, Dummies, Places
from rsaxcel.plan.modulus_constants import ModulusConstant
from rsaxcel.plan.scan import Scan
from rsaxcel.plan.steps import (
    BY_DIGIT,
    CONSTANT_OPERANDS,
    ENTRY,
    EXPONENT,
    MESSAGE,
    MODULUS,
    NEXT,
    ORDER,
    REFERENCE,
    RESULT,
    Check,
    Product,
    Step,
    Table,
)


def multiple_nbits(cofactor: int, nbits: int) -> int:
    return (cofactor * ((1 << nbits) - 1)).bit_length()


@dataclass(frozen=True)
class Reduction:
    """Reduction of the result of the final product below the modulus m."""

    excess_nbits: int  #: the result is below `2**excess_nbits * m`
    steps: int  #: number of cycles; the circuit is applied once in each
    kind: str  #: key of rtl.reducers.CIRCUITS
    params: tuple[tuple[str, Any], ...] = ()  #: further parameters of the circuit


class Given(NamedTuple):
    """Residue that comes with the request."""

    field: str
    name: str
    half: int
    low: int = 0  #: lowest bit in the field
    nbits: int = 0  #: width in the field; 0: the whole field


@dataclass(frozen=True)
class Program:
    """Steps that one executor runs for one request.

    ``ValueError`` for unknown residues or conflicts.
    """

    name: str  #: name of the executor's instance
    residues: tuple[str, ...]  #: residues, with entries of the table
    receives: tuple[str, ...]  #: fields of the request; `m` is the modulus, `e` the exponent
    sends: tuple[str, ...]  #: fields of the response
    lanes: int
    scan: Scan
    ones: tuple[str, ...] = ()  #: residues whose initial value is 1
    #: Constants that units compute before the first step; these are residues, or multipliers read
    #: them.
    computed_constants: tuple[ModulusConstant, ...] = ()
    multiplier_constants: tuple[ModulusConstant, ...] = ()
    enter: tuple[Step, ...] = ()  #: steps before the table is filled
    table: Table | None = None  #: table, filled between `enter` and `begin`
    begin: tuple[Step, ...] = ()  #: steps after the table is filled
    loop: tuple[Step, ...] = ()  #: steps for each digit of the exponent
    leave: tuple[Step, ...] = ()
    join: tuple[Step, ...] = ()  #: steps that combine the results of two halves
    #: check of the joined result, in as many turns as the steps before `join`
    check: Check | None = None
    #: Products without a use, formed in each turn, at random places in the loop.
    dummies: Dummies = field(default=WITHOUT_DUMMIES, repr=False)
    #: Layout of halves within modulus and exponent; on one lane, half 1 comes before half 0.
    split: Halves | None = None
    cofactor: int = 1  #: c: products are formed modulo c * m
    factor: int = 1  #: divisor of the store's final reduction; FACTOR reads it
    #: Reduction after the last step; None: not needed, or done by the store.
    reduction: Reduction | None = None
    #: (axis, token) of choices that only some designs have, for measures that change the circuit
    #: alone: same results and cycles.
    own_choices: tuple[tuple[str, str], ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        written = {*self.residues, *((NEXT,) if self.table else ())}
        read = {*self.residues, *CONSTANT_OPERANDS, *((ENTRY,) if self.table else ())}
        if self.halves > 1:
            read |= {MESSAGE, MODULUS, ORDER, RESULT, REFERENCE}
            written.add(EXPONENT)
        for step in self.steps:
            for product in step:
                if not {*product.operands} <= read or product.dst not in written:
                    known = ", ".join(sorted(read))
                    raise ValueError(f"program {self.name}: {product} names no residue of {known}")
            self._check_independent(step)

    def _check_independent(self, step: Step) -> None:
        """Check that no product reads or overwrites a result of its own step.

        A product that waits for its lane reads operands when others may have written results.
        """
        for k, product in enumerate(step):
            others = [p for p in step if p is not product and formed_together(p, product)]
            if any(p.dst == product.dst for p in others):
                raise ValueError(f"program {self.name}: two products of a step write {product.dst}")
            waits = any(
                p.lane % self.lanes == product.lane % self.lanes for p in step[:k] if p in others
            )
            if waits and any(p.dst in product.operands for p in others):
                raise ValueError(
                    f"program {self.name}: {product} may read a result of its own step"
                )

    def __str__(self) -> str:
        return self.name

    def product_nbits(self, nbits: int) -> int:
        return multiple_nbits(self.cofactor, self.split.nbits if self.split else nbits)

    @cached_property
    def fill(self) -> tuple[Step, ...]:
        """Step that fills the table, as a tuple; empty if no entry is computed."""
        return (self.table.fill,) if self.table and self.table.filled else ()

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """All steps: the ordered ones, and the dummy."""
        return self.ordered + ((self.dummy,) if self.dummy else ())

    @property
    def ordered(self) -> tuple[Step, ...]:
        """Steps in the order in which they are executed, each once."""
        return tuple(step for steps in self.sections.values() for step in steps)

    @property
    def sections(self) -> Mapping[str, tuple[Step, ...]]:
        """Steps by section, in order."""
        found = {"enter": self.enter, "table": self.fill, "begin": self.begin, "loop": self.loop}
        found |= {"leave": self.leave, "join": self.join}
        return {**found, **(self.check.sections if self.check else {})}

    @property
    def turn(self) -> tuple[Step, ...]:
        """Steps of a turn in order: enter, fill, begin, loop, leave."""
        return self.enter + self.fill + self.begin + self.loop + self.leave

    @property
    def join_range(self) -> range:
        """Numbers of the steps that combine two halves, among all ``steps``."""
        return range(len(self.turn), len(self.turn) + len(self.join))

    @cached_property
    def dummy(self) -> Step:
        return self.dummies.step

    def places(self, seed: int) -> Places:
        return Places(self.dummies.count, self.dummy_limits, seed)

    @cached_property
    def dummy_limits(self) -> tuple[int, int]:
        """Limits of random bits, below which a dummy follows a step (``Dummies.limits``)."""
        if not self.dummies:
            return (0, 0)
        begin = len(self.loop) - 1
        return self.dummies.limits(begin, self.scan.ndigits * len(self.loop) - begin)

    @cached_property
    def halves(self) -> int:
        return 2 if self.split else 1

    @property
    def exponent_nbits(self) -> int:
        """Width in bits of the exponent in a request."""
        return self.split.exponents_nbits if self.split else self.scan.exponent_nbits

    @cached_property
    def turns(self) -> tuple[tuple[int, ...], ...]:
        """Halves that each turn (execution of the steps up to ``leave``) executes."""
        # Two lanes execute both halves in one turn. One lane executes half 1, then half 0.
        if self.halves == 1:
            return ((0,),)
        return ((0, 1),) if self.lanes > 1 else ((1,), (0,))

    @cached_property
    def turn_count(self) -> int:
        """Number of all turns; the check has as many as the steps before ``join``."""
        return len(self.turns) * (2 if self.check else 1)

    @cached_property
    def owners(self) -> Mapping[str, int]:
        """Half that forms a residue, for each residue that only one half forms."""
        formed: dict[str, set[int | None]] = {}
        for product in (p for step in self.steps for p in step):
            formed.setdefault(product.dst, set()).add(product.half)
        alone = {name: halves.pop() for name, halves in formed.items() if len(halves) == 1}
        return {name: half for name, half in alone.items() if half is not None}

    @property
    def request_residues(self) -> tuple[Given, ...]:
        if self.split is None:
            return tuple(Given(name, name, 0) for name in self.receives if name in self.residues)
        named = (name.rpartition("_") for name in self.receives if name not in ("b", "e", "m"))
        constants = (Given(f"{name}_{half}", name, int(half)) for name, _, half in named)
        parts = (Given("e", x.name, x.half, x.low, x.nbits) for x in self.split.parts)
        return (*constants, *parts)

    @property
    def forms_exponents(self) -> bool:
        """Whether products form the exponents (``EXPONENT``), which else come with the request."""
        return any(p.dst == EXPONENT for step in self.enter for p in step)

    @cached_property
    def judges(self) -> bool:
        """Whether the store compares results, and gives only those that it confirms."""
        return any(product.compared for step in self.steps for product in step)

    @cached_property
    def ends_reduced(self) -> bool:
        """Whether the store brings the final result below the modulus."""
        return any(product.reduced for step in self.steps for product in step)

    @cached_property
    def lane_of(self) -> Mapping[tuple[Product, int], int]:
        return {
            (product, half): (half if self.halves > 1 else product.lane) % self.lanes
            for step in self.steps
            for product in step
            for half in range(self.halves)
        }

    @cached_property
    def entries(self) -> Mapping[int, str]:
        return self.table.entries if self.table else {}


def formed_together(p: Product, q: Product, joined: bool = False) -> bool:
    """Whether both products are formed for some digit; unless ``joined``, in the same half."""
    of_one_half = None in (p.half, q.half) or p.half == q.half
    return not p.when.excludes(q.when) and (joined or of_one_half)


def exponent_reaches(programs: Iterable[Program], operands: Collection[str]) -> bool:
    """Whether an operand (``"a"``, ``"b"``) of any product depends on the exponent.

    Only for fixed scans, in which the exponent does not change the number of products. A result
    depends on the exponent if an operand does, or if the digit decides whether the product is
    formed. In a right-to-left scan, by contrast, the squares depend on the base alone. The programs
    are in the order of a request; a residue has the same name in all of them.
    """
    reached = {ENTRY}  # the digit decides which table entry is read
    found = False
    for program in programs:
        passed: set[str] = set()
        while passed != reached:  # repeat the loop until no residue is added
            passed = set(reached)
            for step in program.loop:
                found |= any(_differs(p, step, reached, operands) for p in step)
                reached |= {p.dst for p in step if p.when in BY_DIGIT or {p.a, p.b} & reached}
        for step in program.leave:
            found |= any(_differs(p, step, reached, operands) for p in step)
            reached |= {p.dst for p in step if {p.a, p.b} & reached}
    return found


def _differs(
    product: Product, step: Step, reached: Collection[str], operands: Collection[str]
) -> bool:
    """Whether an operand depends on the exponent, through ``reached`` or an optional product."""
    # An optional product counts unless the lane forms a product with the same operands instead.
    names = [getattr(product, operand) for operand in operands]
    others = [
        [getattr(p, operand) for operand in operands]
        for p in step
        if p.when.excludes(product.when) and p.lane == product.lane
    ]
    alone = product.when in BY_DIGIT and names not in others
    return alone or any(name in reached for name in names)
