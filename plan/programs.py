"""Programs: what one step machine does for one request.

A program has steps on entry, steps that fill a table, steps once per digit of the exponent, and
steps on leaving. The functional level runs a program on integers (``plan.walk``), the cycle level
adds up their timing, the register-transfer level sequences it over its lanes.

A program may have two *halves*, each with a modulus, an exponent and residues of its own. All its
steps are executed for both, side by side on two lanes or one after the other on one, and then the
steps that join them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from plan.halves import Halves
from plan.modulus_constants import ModulusConstant
from plan.scan import Scan
from plan.steps import CONSTANT_OPERANDS, ENTRY, MESSAGE, MODULUS, NEXT, Product, Step, Table


def multiple_nbits(cofactor: int, nbits: int) -> int:
    """Bits of a multiple of a modulus of ``nbits`` bits."""
    return (cofactor * ((1 << nbits) - 1)).bit_length()


@dataclass(frozen=True)
class Reduction:
    """How the result of the last product gets below the modulus m.

    Parameters
    ----------
    excess_nbits : int
        That result is below ``2**excess_nbits * m``.
    steps : int
        Cycles in which the circuit is applied to it, again and again.
    kind : str
        Which combinational circuit, by its name in ``rtl.reductions.CIRCUITS``.
    params : tuple of (str, value)
        Its parameters besides the width of m and ``excess_nbits``.
    """

    excess_nbits: int
    steps: int
    kind: str
    params: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True)
class Program:
    """What one step machine executes for one request.

    Parameters
    ----------
    name : str
        Instance name of the machine.
    residues : tuple of str
        Names of the residues that it holds, those of a table included.
    receives, sends : tuple of str
        Values in the request and in the response; ``m`` and ``e`` stand for modulus and exponent.
    lanes : int
        Multipliers side by side.
    scan : Scan
        How the exponent is read.
    ones : tuple of str
        Residues that start as 1.
    supplied : tuple of ModulusConstant
        Constants that units of this machine supply before the first step, as residues or to the
        multipliers.
    held : tuple of ModulusConstant
        Constants that the multipliers read.
    enter, begin, loop, leave : tuple of Step
        Steps before the table is filled and after, per digit of the exponent, and at the end.
    join : tuple of Step
        Steps when both halves are there.
    split : Halves or None
        How modulus and exponent carry two halves; None: they do not. Half 1 comes first where there
        is one lane.
    table : Table or None
        What is computed between ``enter`` and ``begin``.
    cofactor : int
        Products run modulo so many times the modulus.
    factor : int
        What ``FACTOR`` reads.
    reduction : Reduction or None
        What follows the last step; None where its result is below the modulus, or where the store
        of an engine sees to it.

    Raises
    ------
    ValueError
        Where a step names no residue of the program, or a product could read what another one of
        its step has written.
    """

    name: str
    residues: tuple[str, ...]
    receives: tuple[str, ...]
    sends: tuple[str, ...]
    lanes: int
    scan: Scan
    ones: tuple[str, ...] = ()
    supplied: tuple[ModulusConstant, ...] = ()
    held: tuple[ModulusConstant, ...] = ()
    enter: tuple[Step, ...] = ()
    table: Table | None = None
    begin: tuple[Step, ...] = ()
    loop: tuple[Step, ...] = ()
    leave: tuple[Step, ...] = ()
    join: tuple[Step, ...] = ()
    split: Halves | None = None
    cofactor: int = 1
    factor: int = 1
    reduction: Reduction | None = None

    def __post_init__(self) -> None:
        """Check the steps."""
        written = {*self.residues, *((NEXT,) if self.table else ())}
        read = {*self.residues, *CONSTANT_OPERANDS, *((ENTRY,) if self.table else ())}
        if self.halves > 1:
            read |= {MESSAGE, MODULUS}
        for step in self.steps:
            for product in step:
                if not {*product.operands} <= read or product.dst not in written:
                    known = ", ".join(sorted(read))
                    raise ValueError(f"program {self.name}: {product} names no residue of {known}")
            self._check_independent(step)

    def _check_independent(self, step: Step) -> None:
        """Products that begin a step read what it finds; those that wait for a lane come later."""
        for k, product in enumerate(step):
            others = [p for p in step if p is not product and formed_together(p, product)]
            if any(p.dst == product.dst for p in others):
                raise ValueError(f"program {self.name}: two products of a step give {product.dst}")
            waits = any(
                p.lane % self.lanes == product.lane % self.lanes for p in step[:k] if p in others
            )
            if waits and any(p.dst in product.operands for p in others):
                raise ValueError(
                    f"program {self.name}: {product} may read what its step has written"
                )

    def __str__(self) -> str:
        """Give the name."""
        return self.name

    def product_nbits(self, nbits: int) -> int:
        """Width of the modulus of the products, where moduli have ``nbits`` bits."""
        return multiple_nbits(self.cofactor, self.split.nbits if self.split else nbits)

    @property
    def fill(self) -> tuple[Step, ...]:
        """Steps that fill the table, none where there is nothing to compute."""
        return (self.table.fill,) if self.table and self.table.filled else ()

    @property
    def steps(self) -> tuple[Step, ...]:
        """All steps in order: enter, fill, begin, loop, leave, join."""
        return self.enter + self.fill + self.begin + self.loop + self.leave + self.join

    @property
    def halves(self) -> int:
        """How many: 1 or 2."""
        return 2 if self.split else 1

    @property
    def exponent_nbits(self) -> int:
        """Width of the exponent as it travels, in bits."""
        return self.split.joined_nbits if self.split else self.scan.exponent_nbits

    @property
    def turns(self) -> tuple[tuple[int, ...], ...]:
        """Halves that the steps up to ``leave`` are executed for side by side, turn by turn."""
        if self.halves == 1:
            return ((0,),)
        return ((0, 1),) if self.lanes > 1 else ((1,), (0,))

    @property
    def owners(self) -> Mapping[str, int]:
        """Halves of the residues that only one of them forms."""
        formed: dict[str, set[int | None]] = {}
        for product in (p for step in self.steps for p in step):
            formed.setdefault(product.dst, set()).add(product.half)
        alone = {name: halves.pop() for name, halves in formed.items() if len(halves) == 1}
        return {name: half for name, half in alone.items() if half is not None}

    @property
    def arrivals(self) -> tuple[tuple[str, str, int], ...]:
        """Values in the request that are residues: field, residue and half."""
        if self.halves == 1:
            return tuple((name, name, 0) for name in self.receives if name in self.residues)
        named = (name.rpartition("_") for name in self.receives if name not in ("b", "e", "m"))
        return tuple((f"{name}_{half}", name, int(half)) for name, _, half in named)

    @property
    def ends_reduced(self) -> bool:
        """Whether a store has brought the last result below the modulus."""
        return any(product.reduced for step in self.steps for product in step)

    def lane(self, product: Product, half: int) -> int:
        """Lane that forms a product of a half."""
        return (half if self.halves > 1 else product.lane) % self.lanes

    @property
    def entries(self) -> Mapping[int, str]:
        """Residues of the table's entries by their index."""
        return self.table.entries if self.table else {}


def formed_together(p: Product, q: Product, joined: bool = False) -> bool:
    """Whether there is a digit for which both are formed: of one half, or joined, of any."""
    of_one_half = None in (p.half, q.half) or p.half == q.half
    return not p.when.excludes(q.when) and (joined or of_one_half)
