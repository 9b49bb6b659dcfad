"""Step lists: the currency between domains, schedules and the machines that run them.

A *product* is ``dst = mul(a, b)`` on named residues. A *step* is one or more products that do not
depend on each other. A *program* is what one step machine does for one request: steps on entry,
steps once per exponent bit, steps on leaving. The functional level runs a program on integers, the
cycle level adds up its timing, the register-transfer level sequences it over its lanes.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum

ONE = "one"
"""Name of the operand that always reads 1."""


class When(Enum):
    """Condition under which a product is formed; otherwise its destination stays as it is."""

    ALWAYS = "always"
    BIT = "bit"
    """The current exponent bit is 1."""
    CLEAR = "clear"
    """The current exponent bit is 0."""
    MORE = "more"
    """The exponent has a set bit above the current one; bits are scanned from the least one."""


@dataclass(frozen=True)
class Product:
    """One modular product ``dst = mul(a, b)`` on named residues."""

    dst: str
    a: str
    b: str
    when: When = When.ALWAYS


Step = tuple[Product, ...]


@dataclass(frozen=True)
class Program:
    """What one step machine executes for one request.

    Parameters
    ----------
    name : str
        Instance name of the machine.
    residues : tuple of str
        Names of the residue registers.
    receives, sends : tuple of str
        Residues in the request and in the response; ``m`` and ``e`` stand for modulus and exponent.
    lanes : int
        Multipliers side by side; product k of a step runs on lane k modulo ``lanes``.
    ones : tuple of str
        Residues that start as 1.
    constants : tuple of str
        Residues that the domain's constants unit supplies before the first step.
    modulus_constants : tuple of (str, int)
        Constants of the modulus that come with the request for the multipliers; widths in bits.
    enter, loop, leave : tuple of Step
        Steps before, per exponent bit, and after.
    scanned_nbits : int
        0: the significant exponent bits are scanned, least significant first. Otherwise the width
        of the exponent, which is scanned from its most significant bit on, leading zeros included.
    """

    name: str
    residues: tuple[str, ...]
    receives: tuple[str, ...]
    sends: tuple[str, ...]
    lanes: int
    ones: tuple[str, ...] = ()
    constants: tuple[str, ...] = ()
    modulus_constants: tuple[tuple[str, int], ...] = ()
    enter: tuple[Step, ...] = ()
    loop: tuple[Step, ...] = ()
    leave: tuple[Step, ...] = ()
    scanned_nbits: int = 0

    def __post_init__(self) -> None:
        """Check that the steps name residues of the program."""
        known = {*self.residues, ONE}
        for product in (p for step in self.steps for p in step):
            unknown = {product.dst, product.a, product.b} - known
            if unknown or product.dst == ONE:
                raise ValueError(f"program {self.name}: {product} names no residue of {known}")

    def __str__(self) -> str:
        """Give the name; it enters the names of Verilog modules."""
        return self.name

    @property
    def steps(self) -> tuple[Step, ...]:
        """All steps in order: enter, loop, leave."""
        return self.enter + self.loop + self.leave

    def scan(self, exponent: int) -> Iterator[tuple[int, bool]]:
        """Exponent bits in the order of the loop, each with whether ``When.MORE`` holds."""
        if self.scanned_nbits:
            for i in reversed(range(self.scanned_nbits)):
                yield exponent >> i & 1, False
        else:
            while exponent:
                yield exponent & 1, exponent > 1
                exponent >>= 1


@dataclass
class State:
    """Values that a program works on."""

    modulus: int
    exponent: int
    residues: dict[str, int] = field(default_factory=dict)

    def read(self, name: str) -> int:
        """Value of an operand."""
        return 1 if name == ONE else self.residues[name]


def walk(
    program: Program, state: State, product: Callable[[int, int, int], int]
) -> Iterator[list[tuple[int, int, int]]]:
    """Execute a program on integers.

    Yields, step by step, the products formed as ``(position in the step, a, b)``; ``state`` holds
    the results once the iterator is exhausted. An empty list is a step in which no condition held.
    """

    def run(step: Step, bit: int, more: bool) -> list[tuple[int, int, int]]:
        holds = {
            When.ALWAYS: True,
            When.BIT: bool(bit),
            When.CLEAR: not bit,
            When.MORE: more,
        }
        issued = [
            (k, state.read(p.a), state.read(p.b)) for k, p in enumerate(step) if holds[p.when]
        ]
        for k, a, b in issued:
            state.residues[step[k].dst] = product(a, b, state.modulus)
        return issued

    state.residues.update(dict.fromkeys(program.ones, 1))
    for step in program.enter:
        yield run(step, 0, False)
    if program.loop:
        for bit, more in program.scan(state.exponent):
            for step in program.loop:
                yield run(step, bit, more)
    for step in program.leave:
        yield run(step, 0, False)
