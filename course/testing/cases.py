"""Tables of named test cases.

Expected results come from Python's ``pow`` and from published examples, expected statuses from the
rows themselves; neither comes from the models under test.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from rsaxcel.fl.status import Status


@dataclass(frozen=True)
class PowerCase:
    """An exponentiation and its expected response.

    Parameters
    ----------
    name : str
        Name of the row.
    base, exponent, modulus : int
        Operands.
    status : Status
        Expected status if any modulus from 2 upwards is allowed.
    status_odd : Status
        Expected status if the modulus must be odd.
    """

    name: str
    base: int
    exponent: int
    modulus: int
    status: Status = Status.OK
    status_odd: Status = Status.OK

    @property
    def operands(self) -> tuple[int, int, int]:
        """Base, exponent, modulus."""
        return self.base, self.exponent, self.modulus

    def expected(self, odd_modulus: bool) -> tuple[int, Status]:
        """Return expected result and status of a design with or without the odd-modulus rule."""
        status = self.status_odd if odd_modulus else self.status
        if status is not Status.OK:
            return 0, status
        return pow(self.base, self.exponent, self.modulus), status


@dataclass(frozen=True)
class ProductCase:
    """A modular product whose operands meet the contract of multipliers."""

    name: str
    a: int
    b: int
    modulus: int

    @property
    def operands(self) -> tuple[int, int, int]:
        """Factors and modulus."""
        return self.a, self.b, self.modulus

    def expected(self, r: int) -> int:
        """Return the expected result a * b / r mod modulus."""
        return self.a * self.b * pow(r, -1, self.modulus) % self.modulus


#: Examples printed in the documents; a test compares their results with Python's ``pow``.
PUBLISHED = (
    # (name, base, exponent, modulus, result); small RSA examples printed in the documents
    ("vassoler encrypt", 17111998, 5, 3381691693, 407188056),
    ("vassoler decrypt", 407188056, 2028945041, 3381691693, 17111998),
    (
        "li and chu encrypt",
        179441695220040973036856247560209845703,
        78624383815806095082831236375207684303,
        291173165596690131543379395216261834371,
        212957456342734650649396939600336433714,
    ),
    (
        "li and chu decrypt",
        212957456342734650649396939600336433714,
        232543530691965449749356023879307323711,
        291173165596690131543379395216261834371,
        179441695220040973036856247560209845703,
    ),
)


def directed_power_cases(nbits: int, exponent_nbits: int) -> list[PowerCase]:
    """Corners of a width: extreme moduli, bases and exponents."""
    full = (1 << nbits) - 1
    top = 1 << (nbits - 1)
    ones = (1 << exponent_nbits) - 1
    moduli = {
        "m=3": 3,
        "m=5": 5,
        "m=2^(n/2)+1": (1 << nbits // 2) + 1,
        "m=2^(n-1)-1": top - 1,
        "m=2^(n-1)+1": top + 1,
        "m=2^n-1": full,
    }
    exponents = {
        "e=0": 0,
        "e=1": 1,
        "e=2": 2,
        "e=3": 3,
        "e=msb": ones // 2 + 1,
        "e=ones": ones,
        "e=0101": ones // 3,
    }
    cases = []
    for modulus_name, modulus in moduli.items():
        bases = {"b=0": 0, "b=1": 1, "b=m-1": modulus - 1, "b=m/2": modulus // 2}
        for i, (exponent_name, exponent) in enumerate(exponents.items()):
            # every exponent with the largest base, the other bases taking turns
            for base_name in ("b=m-1", ("b=0", "b=1", "b=m/2")[i % 3]):
                name = f"{modulus_name} {base_name} {exponent_name}"
                cases.append(PowerCase(name, bases[base_name], exponent, modulus))
    return cases


def even_power_cases(nbits: int, exponent_nbits: int) -> list[PowerCase]:
    """Even moduli, with a result for designs that allow them, and a status for the others."""
    full = (1 << nbits) - 1
    ones = (1 << exponent_nbits) - 1
    rows = (
        ("m=2 e=0", 1, 0, 2, Status.MODULUS_TOO_SMALL),
        ("m=2 b=1", 1, ones, 2, Status.MODULUS_TOO_SMALL),
        ("m=2 b=0", 0, 3, 2, Status.MODULUS_TOO_SMALL),
        ("m=4", 3, 5, 4, Status.MODULUS_EVEN),
        ("m=2^n-2", full - 2, ones, full - 1, Status.MODULUS_EVEN),
        ("m=2^(n-1)", full // 2, ones, 1 << (nbits - 1), Status.MODULUS_EVEN),
    )
    return [PowerCase(*row[:4], status_odd=row[4]) for row in rows]


def bad_power_cases(nbits: int, exponent_nbits: int) -> list[PowerCase]:
    """Operands that break input rules, with various exponents."""
    full = (1 << nbits) - 1
    small, large, wide = (Status.MODULUS_TOO_SMALL, Status.BASE_TOO_LARGE, Status.OPERAND_TOO_WIDE)
    even = Status.MODULUS_EVEN
    rows = (
        ("m=0", 0, 3, 0, small, small),
        ("m=0 b>0", 5, 3, 0, small, small),
        ("m=1", 0, 3, 1, small, small),
        ("b=m", 7, 3, 7, large, large),
        ("b=m e=0", 7, 0, 7, large, large),
        ("b>m", full, 3, 9, large, large),
        ("b=m=2^n-1", full, 3, full, large, large),
        ("even m, b>m", full, 3, 8, large, even),
        ("wide base", full + 1, 3, full, wide, wide),
        ("wide exponent", 2, full + 1, 7, wide, wide),
        ("wide modulus", 2, 3, 2 * full + 1, wide, wide),
        ("wide even modulus", 2, 3, full + 1, wide, wide),
        ("much wider", full**3, full**2, full**4 + 2, wide, wide),
    )
    return [PowerCase(*row) for row in rows]


def published_power_cases(nbits: int, exponent_nbits: int) -> list[PowerCase]:
    """Return printed examples that fit the widths."""
    return [
        PowerCase(name, base, exponent, modulus)
        for name, base, exponent, modulus, _ in PUBLISHED
        if max(base, modulus).bit_length() <= nbits and exponent.bit_length() <= exponent_nbits
    ]


def random_power_cases(
    nbits: int, count: int, seed: int, exponent_nbits: int | None = None
) -> list[PowerCase]:
    """Seeded random rows with odd moduli; the lengths of modulus and exponent are drawn first."""
    rng = random.Random(f"power/{nbits}/{seed}")
    cases = []
    for i in range(count):
        modulus = draw_modulus(rng, rng.randint(2, nbits))
        exponent = rng.getrandbits(rng.randint(1, exponent_nbits or nbits))
        cases.append(PowerCase(f"random {i}", rng.randrange(modulus), exponent, modulus))
    return cases


def draw_modulus(rng: random.Random, length: int) -> int:
    """Draw an odd modulus of exactly ``length`` bits; ``length`` is at least 2."""
    return rng.getrandbits(length) | 1 | 1 << (length - 1)


_POWER_TABLES: dict[str, Callable[[int, int], list[PowerCase]]] = {
    "directed": directed_power_cases,
    "even": even_power_cases,
    "bad": bad_power_cases,
    "published": published_power_cases,
    "random": lambda nbits, exponent_nbits: random_power_cases(nbits, 20, 1, exponent_nbits),
}

#: Names of the tables of exponentiations.
POWER_TABLES = tuple(_POWER_TABLES)


def of_one_modulus(case: PowerCase, nbits: int, modulus: int) -> PowerCase:
    """Turn a row into a row for a design with a constant modulus.

    A good row, and a row whose base is too large, gets that modulus. Most other rows keep theirs
    and get the status for another modulus.
    """
    full = (1 << nbits) - 1
    if case.status is Status.BASE_TOO_LARGE:
        base = modulus if case.base == case.modulus else max(modulus, full)
        return replace(case, base=base, modulus=modulus, status_odd=case.status)
    if case.status is not Status.OK:
        return case
    if case.status_odd is not Status.OK:
        other = Status.OK if case.modulus == modulus else Status.MODULUS_OTHER
        return replace(case, status=other)
    corners = {case.modulus - 1: modulus - 1, case.modulus // 2: modulus // 2, 0: 0, 1: 1}
    base = corners.get(case.base, case.base % modulus)
    return replace(case, base=base, modulus=modulus)


def power_cases(
    table: str, nbits: int, exponent_nbits: int | None = None, only_modulus: int = 0
) -> list[PowerCase]:
    """Rows of a table of exponentiations.

    Parameters
    ----------
    table : str
        One of ``POWER_TABLES``.
    nbits : int
        Width of the operands in bits.
    exponent_nbits : int, optional
        Longest exponent in bits; the width by default. At thousands of bits, exponents of the full
        width take millions of cycles.
    only_modulus : int
        Constant modulus of the design; 0: any modulus.
    """
    rows = _POWER_TABLES[table](nbits, exponent_nbits or nbits)
    return [of_one_modulus(row, nbits, only_modulus) for row in rows] if only_modulus else rows


def product_cases(
    nbits: int, odd: bool, count: int = 30, seed: int = 1, modulus: int = 0
) -> list[ProductCase]:
    """Corners and seeded random rows of a modular product, of one modulus if it is given."""
    full = (1 << nbits) - 1
    moduli = [3, 5, full, (1 << (nbits - 1)) + 1, (1 << (nbits - 1)) - 1]
    if modulus:
        moduli, odd = [modulus], True
    if not odd:
        moduli += [2, 4, full - 1, 1 << (nbits - 1)]
    cases = []
    for m in moduli:
        for a, b in ((0, 0), (0, m - 1), (m - 1, 0), (1, 1), (1, m - 1), (m - 1, m - 1)):
            cases.append(ProductCase(f"m={m:#x} a={a:#x} b={b:#x}", a, b, m))
    rng = random.Random(f"product/{nbits}/{seed}")
    for i in range(count):
        length = rng.randint(2, nbits)
        m = draw_modulus(rng, length)
        if not odd and length > 2:
            m -= rng.randint(0, 1)
        m = modulus or m
        cases.append(ProductCase(f"random {i}", rng.randrange(m), rng.randrange(m), m))
    return cases
