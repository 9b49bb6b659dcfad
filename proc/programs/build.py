"""Builds rsaxcel's own programs from their assembly, which is kept in the folder ``assembly``.

One compiler has made it (``make programs``): cycles are the same on every machine, and no compiler
for RISC-V is needed.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from rsaxcel.circuit import ModulusConstant
from rsaxcel.proc.elf import Image
from rsaxcel.proc.encoding import encode
from rsaxcel.proc.programs.assembly import assemble
from rsaxcel.proc.programs.formulas import Table, table_of

# What the programs as McNay's document has them have in common.
_PRINTED = ("crt0.S", "start_printed.S", "main_printed.c", "print.c", "one_word.c")

SOURCES: dict[str, tuple[str, ...]] = {
    "naive": ("crt0.S", "main.c", "naive.c", "words.c"),
    "montgomery": ("crt0.S", "main.c", "montgomery.c", "words.c"),
    "crt": ("crt0.S", "main.c", "crt.c", "digits.c", "digit_products.S", "words.c"),
    "naive_printed": (*_PRINTED, "naive_printed.c"),
    "montgomery_printed": (*_PRINTED, "montgomery_printed.c", "mont_multiplier.c"),
    "xcel_printed": (*_PRINTED, "xcel_printed.c"),
    "dummy_printed": (*_PRINTED, "dummy_printed.c"),
    "xcel": ("crt0.S", "main.c", "xcel.c"),
    "xcel_loaded": ("crt0.S", "main_loaded.c", "xcel_loaded.c"),
    "axi": ("crt0.S", "main.c", "axi.c"),
    "axi_interrupt": ("crt0.S", "main.c", "axi_interrupt.c"),
    "axi_loaded": ("crt0.S", "main_loaded.c", "axi_loaded.c"),
    "axi_interrupt_loaded": ("crt0.S", "main_loaded.c", "axi_interrupt_loaded.c"),
    "dummy": ("crt0.S", "main.c", "dummy.c"),
    "selfcheck": ("crt0.S", "selfcheck.c"),
}

BY_PRIMES = ("crt",)  # modulo the primes p and q; operands: base, p, q, dp and dq

HALVES, CALLS = "_halves", "_calls"
# Code that computes constants of the modulus, of one number or of two halves.
CONSTANTS = "constants", "half_constants"

_ON_BUS = tuple(name for name in SOURCES if name.startswith("axi"))
_DRIVERS = ("xcel", "xcel_loaded", *_ON_BUS)

# Sources of each file of assembly.
KEPT: dict[str, tuple[str, ...]] = {
    **SOURCES,
    # For an accelerator whose modulus consists of two halves (MODULUS_IS_TWO).
    **{name + HALVES: SOURCES[name] for name in _ON_BUS},
    # With several calls in a row, for energies.
    **{
        name + CALLS: ("crt0.S", "main_calls.c", SOURCES[name][-1])
        for name in ("dummy", *(x for x in _DRIVERS if x.endswith("_loaded")))
    },
    **{name: ("prepare.c", f"{name}.c", "words.c") for name in CONSTANTS},
}

FOLDER = Path(__file__).parent
ASSEMBLY = FOLDER / "assembly"


def build(name: str, constants: Sequence[ModulusConstant] = ()) -> Image:
    """Build one of the programs in ``SOURCES``; a driver gets code that computes ``constants``.

    They are in the accelerator's order. ``ValueError`` if there is no such program, or the driver
    cannot compute one.
    """
    if name not in SOURCES:
        raise ValueError(f"no program {name!r}; there are {', '.join(SOURCES)}")
    if not constants or name not in _DRIVERS:
        return _kept(name)
    table, on_bus = table_of(constants), name in _ON_BUS
    driver = _kept(name + HALVES if table.halves and on_bus else name)
    return _joined(driver, _kept(CONSTANTS[table.halves is not None]), table, on_bus)


def build_calls(name: str, calls: int) -> Image:
    """Build ``dummy``, or a driver that loads the key, with calls on other messages."""
    image = _kept(name + CALLS)
    image.write("calls", calls.to_bytes(4, "little"))
    return image


def _joined(driver: Image, code: Image, table: Table, on_bus: bool) -> Image:
    """Join a driver with the code that computes its constants, and with the table for the code.

    The driver's function ``prepare``, which does nothing, becomes a jump to that of the code.
    Nothing else changes, and none of this is measured.
    """
    start, end = code.code[0], code.symbols["formulas"].address
    driver.memory[start:end] = code.memory[start:end]
    place, words = (driver.symbols[x].address for x in ("constants", "constant_words"))
    data = table.data(end, place, words, on_bus)
    driver.memory[end : end + len(data)] = data
    (prepare,) = (x.address for x in driver.labels if x.name == "prepare")
    jump = encode("jal", rd=0, imm=code.symbols["prepare"].address - prepare)
    driver.memory[prepare : prepare + 4] = jump.to_bytes(4, "little")
    labels, symbols = sorted(driver.labels + code.labels), code.symbols | driver.symbols
    return replace(driver, symbols=symbols, labels=labels, code=driver.code + code.code)


def _kept(name: str) -> Image:
    image = _assembled(ASSEMBLY / f"{name}.S")
    return replace(image, memory=bytearray(image.memory))


@cache
def _assembled(path: Path) -> Image:
    return assemble(path.read_text(), path.stem)
