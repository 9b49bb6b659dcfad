"""Programs: the steps that one executor runs for one request.

A program has steps that convert operands, steps that fill a table, steps for each digit of the
exponent, and steps that convert the result. FL executes a program on integers (``plan.walk``), CL
adds up the timing of its steps, RTL sequences it over its lanes.

A program may have two *halves*, each with a modulus, an exponent and residues of its own. The steps
up to ``leave`` are executed for both halves, side by side on two lanes or one half after the other
on one lane. The steps of ``join`` then combine the two results.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rsaxcel.plan.dummies import Places
from rsaxcel.plan.halves import Halves
from rsaxcel.plan.modulus_constants import ModulusConstant
from rsaxcel.plan.scan import Scan
from rsaxcel.plan.steps import (
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

SINGLE, DOUBLED = "single", "doubled"

STATES: Mapping[str, str] = {
    SINGLE: "each state machine is there once",
    DOUBLED: "each state machine has a copy; if they differ, the response is a fault",
}
"""Description of how often a circuit has its state machines, by token."""


def multiple_nbits(cofactor: int, nbits: int) -> int:
    """Width in bits of ``cofactor`` times the largest modulus of ``nbits`` bits."""
    return (cofactor * ((1 << nbits) - 1)).bit_length()


@dataclass(frozen=True)
class Reduction:
    """How the result of the final product is brought below the modulus m.

    Parameters
    ----------
    excess_nbits : int
        The result of the final product is below ``2**excess_nbits * m``.
    steps : int
        Cycles of the reduction; the circuit is applied once in each cycle.
    kind : str
        Combinational circuit, a key of ``rtl.reductions.CIRCUITS``.
    params : tuple of (str, value)
        Parameters of the circuit in addition to the width of m and ``excess_nbits``.
    """

    excess_nbits: int
    steps: int
    kind: str
    params: tuple[tuple[str, Any], ...] = ()


class Given(NamedTuple):
    """Residue that comes with the request.

    Parameters
    ----------
    field : str
        Field of the request.
    name : str
        Name of the residue.
    half : int
        Half to which the residue belongs.
    low, nbits : int
        Lowest bit of the residue in the field, and its width in bits; 0 bits: the whole field.
    """

    field: str
    name: str
    half: int
    low: int = 0
    nbits: int = 0


@dataclass(frozen=True)
class Program:
    """Steps that one executor runs for one request.

    Parameters
    ----------
    name : str
        Instance name of the executor.
    residues : tuple of str
        Names of the residues, entries of the table included.
    receives, sends : tuple of str
        Fields of the request and of the response; ``m`` is the modulus, ``e`` the exponent.
    lanes : int
        Number of lanes.
    scan : Scan
        How the exponent is read.
    ones : tuple of str
        Residues whose initial value is 1.
    computed_constants : tuple of ModulusConstant
        Constants that units of this executor compute before the first step; they are residues,
        or the multipliers read them.
    multiplier_constants : tuple of ModulusConstant
        Constants that the multipliers read.
    enter, begin, loop, leave : tuple of Step
        Steps, in this order: before the table is filled, after it is filled, for each digit of the
        exponent, at the end.
    join : tuple of Step
        Steps that combine the results of two halves.
    check : Check or None
        Steps that check the joined result, in as many turns as the steps before ``join``; None: the
        result is not checked.
    dummy : Step
        Step that is formed ``split.dummies.count`` times in each turn, at random places in the
        loop; its result has no use. Empty: there is none.
    split : Halves or None
        Layout of two halves within modulus and exponent; None: there are no halves. On one lane,
        half 1 is executed before half 0.
    table : Table or None
        Table that is filled between ``enter`` and ``begin``; None: there is none.
    cofactor : int
        c: products are formed modulo c * m.
    factor : int
        Number by which the store divides in its final reduction; the operand ``FACTOR`` reads it.
    reduction : Reduction or None
        Reduction after the last step; None: the result of the last step is below the modulus, or
        the store reduces it.
    doubled : bool
        Whether the circuit has a copy of each state machine, to detect faults; results and cycles
        are the same.

    Raises
    ------
    ValueError
        If a step names a residue that the program does not have, two products of a step have the
        same destination, or a product could read a result of its own step.
    """

    name: str
    residues: tuple[str, ...]
    receives: tuple[str, ...]
    sends: tuple[str, ...]
    lanes: int
    scan: Scan
    ones: tuple[str, ...] = ()
    computed_constants: tuple[ModulusConstant, ...] = ()
    multiplier_constants: tuple[ModulusConstant, ...] = ()
    enter: tuple[Step, ...] = ()
    table: Table | None = None
    begin: tuple[Step, ...] = ()
    loop: tuple[Step, ...] = ()
    leave: tuple[Step, ...] = ()
    join: tuple[Step, ...] = ()
    check: Check | None = None
    dummy: Step = field(default=(), repr=False)
    split: Halves | None = None
    cofactor: int = 1
    factor: int = 1
    reduction: Reduction | None = None
    doubled: bool = field(default=False, repr=False)

    def __post_init__(self) -> None:
        """Check that the steps name only residues of the program, and are free of conflicts."""
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

        A product on a free lane reads its operands at the start of the step. A product that waits
        for its lane reads them later, when other products may have written their results.
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
        """Give the name."""
        return self.name

    def product_nbits(self, nbits: int) -> int:
        """Width in bits of ``cofactor`` times the modulus; with halves, times a half's modulus."""
        return multiple_nbits(self.cofactor, self.split.nbits if self.split else nbits)

    @property
    def fill(self) -> tuple[Step, ...]:
        """Step that fills the table, as a tuple; empty if no entry is computed."""
        return (self.table.fill,) if self.table and self.table.filled else ()

    @property
    def steps(self) -> tuple[Step, ...]:
        """All steps in order: enter, fill, begin, loop, leave, join, check; the dummy is last."""
        checks = self.check.steps if self.check else ()
        return self.turn + self.join + checks + ((self.dummy,) if self.dummy else ())

    @property
    def turn(self) -> tuple[Step, ...]:
        """Steps of a turn in order: enter, fill, begin, loop, leave."""
        return self.enter + self.fill + self.begin + self.loop + self.leave

    @property
    def join_range(self) -> range:
        """Numbers of the steps that combine two halves, among all ``steps``."""
        return range(len(self.turn), len(self.turn) + len(self.join))

    def places(self, seed: int) -> Places:
        """Give the places of the dummies for a random number of a request."""
        count = self.split.dummies.count if self.split else 0
        return Places(count, self.dummy_limits, seed)

    @property
    def dummy_limits(self) -> tuple[int, int]:
        """Limits of random bits, below which a dummy follows a step (``Dummies.limits``)."""
        if not self.dummy or self.split is None:
            return (0, 0)
        begin = len(self.loop) - 1
        return self.split.dummies.limits(begin, self.scan.ndigits * len(self.loop) - begin)

    @property
    def halves(self) -> int:
        """Number of halves: 2, or 1 without ``split``."""
        return 2 if self.split else 1

    @property
    def exponent_nbits(self) -> int:
        """Width in bits of the exponent in a request."""
        return self.split.exponents_nbits if self.split else self.scan.exponent_nbits

    @property
    def turns(self) -> tuple[tuple[int, ...], ...]:
        """For each turn, the halves that it executes.

        A turn is one execution of the steps up to ``leave``. Without halves, there is one turn,
        with half 0. Two lanes execute both halves in one turn. One lane executes half 1 in a first
        turn, and half 0 in a second turn.
        """
        if self.halves == 1:
            return ((0,),)
        return ((0, 1),) if self.lanes > 1 else ((1,), (0,))

    @property
    def turn_count(self) -> int:
        """Number of all turns; the check has as many as the steps before ``join``."""
        return len(self.turns) * (2 if self.check else 1)

    @property
    def owners(self) -> Mapping[str, int]:
        """Half that forms a residue, for each residue that only one half forms."""
        formed: dict[str, set[int | None]] = {}
        for product in (p for step in self.steps for p in step):
            formed.setdefault(product.dst, set()).add(product.half)
        alone = {name: halves.pop() for name, halves in formed.items() if len(halves) == 1}
        return {name: half for name, half in alone.items() if half is not None}

    @property
    def request_residues(self) -> tuple[Given, ...]:
        """Residues that come with the request."""
        if self.split is None:
            return tuple(Given(name, name, 0) for name in self.receives if name in self.residues)
        named = (name.rpartition("_") for name in self.receives if name not in ("b", "e", "m"))
        constants = (Given(f"{name}_{half}", name, int(half)) for name, _, half in named)
        parts = (Given("e", x.name, x.half, x.low, x.nbits) for x in self.split.parts)
        return (*constants, *parts)

    @property
    def blinds_exponents(self) -> bool:
        """Whether the exponents are formed by products (``EXPONENT``), not given as they are."""
        return any(p.dst == EXPONENT for step in self.enter for p in step)

    @property
    def ends_reduced(self) -> bool:
        """Whether the store brings the final result below the modulus."""
        return any(product.reduced for step in self.steps for product in step)

    def lane(self, product: Product, half: int) -> int:
        """Give the number of the lane that forms a product for a half."""
        return (half if self.halves > 1 else product.lane) % self.lanes

    @property
    def entries(self) -> Mapping[int, str]:
        """Names of the residues that hold the table entries, by index."""
        return self.table.entries if self.table else {}


def formed_together(p: Product, q: Product, joined: bool = False) -> bool:
    """Whether there can be a digit of the exponent for which both products are formed.

    Both products have to belong to the same half, unless ``joined``: then they may belong to
    different halves.
    """
    of_one_half = None in (p.half, q.half) or p.half == q.half
    return not p.when.excludes(q.when) and (joined or of_one_half)
