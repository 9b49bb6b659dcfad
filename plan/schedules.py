"""Schedules: the order of the products of an exponentiation.

An entry of ``SCHEDULES`` gives direction and digits of the scan, the steps for each bit and each
digit, and the table of powers that the steps read. The powers are residues of the store, which
reads them by ``rtl.lib.selects`` or ``rtl.stores.digit_choice``.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from rsaxcel.plan.domains import Domain
from rsaxcel.plan.modulus_constants import ModulusConstant, from_host, from_units
from rsaxcel.plan.parameters import Parameter
from rsaxcel.plan.programs import Program
from rsaxcel.plan.scan import Scan
from rsaxcel.plan.steps import ENTRY, NEXT, Product, Step, Table, When

#: A schedule with `fixed` scans all of these bits for every exponent.
EXPONENT_NBITS = Parameter(
    "exponent_nbits",
    lambda nbits: nbits,
    lambda nbits: range(1, 2 * nbits + 1),
    "width of the exponent; all of its bits are scanned, leading zeros included",
)

#: Width of the exponent with `counts`; each bit doubles the greatest latency.
COUNTED_NBITS = Parameter(
    EXPONENT_NBITS.name,
    lambda nbits: 8,
    lambda nbits: range(1, 18),
    "width of the exponent, whose value is the number of products; 65537 has 17 bits",
)

WINDOW_NBITS = Parameter(
    "window_nbits",
    lambda nbits: 4,
    lambda nbits: range(1, 9),
    "exponent bits of a window; the table of powers doubles with each",
)


_WIDE_NBITS = 256  #: least width for which a third bit of a window saves more than it costs


@dataclass(frozen=True)
class Schedule:
    """Products for each digit of the exponent, on the residues ``r`` (result) and ``b`` (base)."""

    name: str
    meaning: str
    per_bit: tuple[Step, ...]
    per_digit: tuple[Step, ...] = ()  #: steps for each digit, after `per_bit`; of "odd", before
    lanes: int = 1  #: greatest number of lanes that the steps use
    from_top: bool = False  #: most significant digit first
    #: All digits of the width are scanned: the exponent's value does not change the number of
    #: products.
    fixed: bool = False
    counts: bool = False  #: the exponent is counted down to 0: as many digits as its value
    #: Kind of windows. "": a digit is one bit. "fixed": window_nbits bits; the table has the powers
    #: with exponents from 1 to 2**window_nbits - 1. "sliding": windows of up to window_nbits bits
    #: begin and end with a 1; the table has the odd powers. "odd": window_nbits bits; the table has
    #: the odd powers, `unit` and `r` (plan.scan.Scan.odd).
    windows: str = ""
    enter: tuple[Step, ...] = ()  #: steps that begin the table; left out if it has one entry
    fill: Step = ()  #: step that forms the next entry of the table
    unit: str = "r"  #: residue that represents 1 before the loop: `r`, or a residue for this alone
    window_nbits: Callable[[int], int] = WINDOW_NBITS.default  #: by the width of a modulus

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        scanned = (EXPONENT_NBITS,) if self.fixed else (COUNTED_NBITS,) if self.counts else ()
        window = replace(WINDOW_NBITS, default=self.window_nbits)
        return (*scanned, *((window,) if self.windows else ()))

    @property
    def products(self) -> tuple[Product, ...]:
        steps = (*self.per_bit, *self.per_digit, *self.enter, self.fill)
        return tuple([product for step in steps for product in step])

    def scan(self, exponent_nbits: int, window_nbits: int) -> Scan:
        return Scan(
            exponent_nbits,
            self.from_top,
            self.fixed,
            digit_nbits=window_nbits if self.windows in ("fixed", "odd") else 1,
            sliding_nbits=window_nbits if self.windows == "sliding" else 0,
            odd=self.windows == "odd",
            counts=self.counts,
        )

    def loop(self, window_nbits: int) -> tuple[Step, ...]:
        """List the steps that are executed for each digit."""
        if self.windows == "odd":
            return self.per_digit + self.per_bit * window_nbits
        return self.per_bit * (window_nbits if self.windows == "fixed" else 1) + self.per_digit

    def table(self, window_nbits: int) -> Table | None:
        if self.windows == "fixed":
            return Table(1, (1 << window_nbits) - 1, self.fill)
        if self.windows:
            itself = "r" if self.windows == "odd" and window_nbits > 1 else ""
            unit = self.unit if self.windows == "odd" else ""
            last = (1 << window_nbits - 1) - 1
            return Table(0, last, self.fill, unit, itself, begun=min(last, 1))
        return None


#: Steps that begin a table of odd powers, so that each entry is formed from the last result.
_ODD_POWERS: tuple[Step, ...] = ((Product("square", "b", "b"),), (Product("t1", "b", "square"),))


def _either(a: str, b: str) -> Step:
    """Form ``a * b`` for every digit; if the digit needs no product, ``dummy`` takes the result."""
    return (Product("r", a, b, When.SET), Product("dummy", a, b, When.CLEAR))


_SQUARE_AND_MULTIPLY: Step = (
    Product("r", "r", "b", When.SET),
    Product("b", "b", "b", When.MORE, lane=1),
)

_RIGHT_TO_LEFT = Schedule(
    name="r2l", meaning="right-to-left binary", per_bit=(_SQUARE_AND_MULTIPLY,), lanes=2
)

SCHEDULES: Mapping[str, Schedule] = {
    schedule.name: schedule
    for schedule in (
        # McNay, algorithm 1, without its last square
        _RIGHT_TO_LEFT,
        # McNay, algorithm 1, and Cilardo, algorithm 17.1.2, as printed: the last square is formed
        # but not read
        replace(
            _RIGHT_TO_LEFT,
            name="r2l_every_square",
            meaning="right-to-left binary, with the last square",
            per_bit=((_SQUARE_AND_MULTIPLY[0], Product("b", "b", "b", lane=1)),),
        ),
        Schedule(
            name="l2r",
            meaning="left-to-right binary from the exponent's highest set bit on",
            per_bit=((Product("r", "r", "r", When.LATER),), (Product("r", "b", "r", When.SET),)),
            from_top=True,
        ),
        # Morales-Romero, algorithm 5, where ``dummy`` is called S[1]
        Schedule(
            name="l2r_always",
            meaning="left-to-right binary, square and multiply always",
            per_bit=((Product("r", "r", "r"),), _either("b", "r")),
            from_top=True,
            fixed=True,
        ),
        Schedule(
            name="r2l_always",
            meaning="right-to-left binary, multiply and square always",
            per_bit=((*_either("r", "b"), Product("b", "b", "b", lane=1)),),
            lanes=2,
            fixed=True,
        ),
        Schedule(
            name="ladder",
            meaning="Montgomery's ladder: b is always r times the base",
            per_bit=(
                (
                    Product("r", "r", "b", When.SET),
                    Product("b", "b", "b", When.SET, lane=1),
                    Product("b", "b", "r", When.CLEAR),
                    Product("r", "r", "r", When.CLEAR, lane=1),
                ),
            ),
            lanes=2,
            from_top=True,
            fixed=True,
        ),
        Schedule(
            name="window",
            meaning="fixed windows, a product for each, from a table of all powers",
            per_bit=((Product("r", "r", "r"),),),
            per_digit=(_either("r", ENTRY),),
            from_top=True,
            fixed=True,
            windows="fixed",
            fill=(Product(NEXT, ENTRY, "b"),),
        ),
        Schedule(
            name="fixed_window",
            meaning="fixed windows, a product for each, from a table of 1 and odd powers",
            per_bit=((Product("r", ENTRY, "r"),),),
            per_digit=(
                (Product("r", "unit", "unit", When.FIRST), Product("r", "r", "r", When.LATER)),
            ),
            from_top=True,
            fixed=True,
            windows="odd",
            enter=_ODD_POWERS,
            fill=(Product(NEXT, "square", ENTRY),),
            unit="unit",
            # A table entry takes much area compared with a DigitMultiplier.
            window_nbits=lambda nbits: 3 if nbits >= _WIDE_NBITS else 2,
        ),
        # Vassoler, algorithm 7
        Schedule(
            name="m_ary",
            meaning="fixed windows, a product for each that is not 0",
            per_bit=((Product("r", "r", "r", When.LATER),),),
            per_digit=((Product("r", "r", ENTRY, When.SET),),),
            from_top=True,
            windows="fixed",
            fill=(Product(NEXT, ENTRY, "b"),),
        ),
        Schedule(
            name="sliding",
            meaning="windows that begin and end with a 1, from a table of odd powers",
            per_bit=((Product("r", "r", "r", When.LATER),), (Product("r", "r", ENTRY, When.SET),)),
            from_top=True,
            windows="sliding",
            enter=_ODD_POWERS,
            fill=(Product(NEXT, "square", ENTRY),),
        ),
        # Vassoler, algorithm 3
        Schedule(
            name="repeated",
            meaning="the exponent counted down, a product each time; cycles grow with its value",
            per_bit=((Product("r", "r", "b"),),),
            counts=True,
        ),
    )
}


def plan(
    domain: Domain,
    schedule: Schedule,
    lanes: int,
    exponent_nbits: int,
    window_nbits: int = WINDOW_NBITS.default(0),
    constants: tuple[ModulusConstant, ...] = (),
) -> tuple[Program, ...]:
    """Programs of the executors that a request passes through, first to last.

    ``lanes``: number in the executor that runs the loop; ``constants``: read by multipliers. ``e``
    and ``m`` are exponent and modulus.
    """
    scan = schedule.scan(exponent_nbits, window_nbits)
    loop, table = schedule.loop(window_nbits), schedule.table(window_nbits)
    enter = schedule.enter if table and table.last > table.first else ()
    of_both = (*domain.constants, *constants)
    by_host = tuple(constant.name for constant in from_host(of_both))
    computed = from_units(of_both)
    converted = tuple(c.residue for c in domain.constants)
    written = [p.dst for step in (*enter, *loop) for p in step]
    kept = _distinct("b", "r", *written, *(table.entries.values() if table else ()))
    checked = domain.check.steps if domain.check else ()
    joined = [p.dst for step in (*domain.leave, *domain.join, *checked) for p in step]
    unit = schedule.unit
    read = tuple(c.name for c in constants)
    receives = ("b", "e", "m", *by_host)
    if not domain.dedicated:
        whole = Program(
            name="core",
            residues=_distinct("b", "r", *converted, *kept, *joined, *domain.given),
            receives=receives,
            sends=("r",),
            lanes=lanes,
            scan=scan,
            ones=domain.ones,
            computed_constants=computed,
            multiplier_constants=constants,
            enter=domain.enter + enter,
            table=table,
            begin=domain.begin,
            loop=loop,
            leave=domain.leave,
            join=domain.join,
            check=domain.check,
            dummies=domain.dummies,
            split=domain.halves,
            cofactor=domain.cofactor,
            factor=domain.factor,
            reduction=domain.reduction,
        )
        return (whole,)
    convert_in = Program(
        name="convert_in",
        residues=_distinct("b", unit, *converted),
        receives=receives,
        sends=("b", "e", "m", unit, *read),
        lanes=max(map(len, (*domain.enter, *domain.begin))),
        scan=scan,
        ones=domain.ones,
        computed_constants=computed,
        multiplier_constants=constants,
        enter=domain.enter,
        begin=domain.begin,
    )
    core = Program(
        name="core",
        residues=kept,
        receives=("b", "e", "m", unit, *read),
        sends=("m", "r", *read),
        lanes=lanes,
        scan=scan,
        multiplier_constants=constants,
        enter=enter,
        table=table,
        loop=loop,
    )
    convert_out = Program(
        name="convert_out",
        residues=("r",),
        receives=("m", "r", *read),
        sends=("r",),
        lanes=max(map(len, domain.leave)),
        scan=scan,
        multiplier_constants=constants,
        leave=domain.leave,
    )
    return (convert_in, core, convert_out)


def _distinct(*names: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
