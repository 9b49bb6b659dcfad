"""Builds the programs of this folder with riscv64-unknown-elf-gcc, and caches the ELF files."""

import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from plan.halves import Halves
from plan.modulus_constants import ModulusConstant
from proc.bus import address_map
from proc.programs import formulas
from store.folders import cache_root, keep, key_of
from store.installing import missing
from store.tools import RISCV_GCC

COMPILER = RISCV_GCC.name

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

BY_PRIMES = ("crt",)
"""Programs that exponentiate modulo the primes p and q; operands: base, p, q, dp and dq."""

UNMEASURED: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("xcel", "xcel_loaded"), ("words.c", "xcel_constants.c")),
    **dict.fromkeys(
        ("axi", "axi_interrupt", "axi_loaded", "axi_interrupt_loaded"),
        ("words.c", "axi_constants.c"),
    ),
}
"""Additional sources of a program whose accelerator needs constants of the modulus from the host.

``arithmetic_of`` names one more, and ``formulas.py`` writes one more. All of this code runs outside
the measured region. It is linked behind the data, so that it does not move the data to higher
addresses: measured code needs one instruction less to reach data below 2 KiB, and within 4 KiB from
the end of ``.data``.
"""
_FOLDER = Path(__file__).parent
_SHARED = (
    *("axi.h", "bus.h", "columns.h", "constants.h", "csr.h", "digits.h", "inverse.h"),
    *("modexp.h", "mont_multiplier.h", "one_word.h", "print.h", "printed.h"),
    *("registers.h", "remainder.h"),
    *("words.h", "xcel.h", "link.ld", "main.c", "fallback/stdint.h"),
)
_ARCHITECTURE = ("-march=rv32im", "-mabi=ilp32")
_FLAGS = (
    *("-O2", "-std=gnu17", "-Wall", "-Wextra", "-Werror"),
    *("-nostdlib", "-nostartfiles", "-ffreestanding"),
    # Without this flag, gcc would replace loops by calls of memcpy and memset, but the programs are
    # linked without a C library.
    "-fno-tree-loop-distribute-patterns",
)
_LINKER_FLAGS = ("-Wl,--no-warn-rwx-segments", "-Wl,--build-id=none")


class CompilerError(Exception):
    """The compiler is missing or rejects a source; the message says what to do."""


def build(name: str, constants: Sequence[ModulusConstant] = ()) -> Path:
    """Build one of the programs in ``SOURCES``, unless it is in the cache.

    Parameters
    ----------
    name : str
        Name of the program.
    constants : sequence of ModulusConstant
        Constants that the accelerator needs from its host, in the accelerator's order. A driver is
        built with code that computes them; other programs ignore them.

    Returns
    -------
    Path
        The ELF file, below :func:`store.folders.cache_root`.

    Raises
    ------
    CompilerError
        If the compiler is missing or fails.
    ValueError
        If there is no such program, or the driver cannot compute a constant.
    """
    if name not in SOURCES:
        raise ValueError(f"no program {name!r}; there are {', '.join(SOURCES)}")
    halves = formulas.halves_of(constants)
    others = (arithmetic_of(halves), *UNMEASURED[name]) if constants and name in UNMEASURED else ()
    written = [(formulas.SOURCE_NAME, formulas.source_of(constants))] if others else []
    measured, unmeasured = ([_FOLDER / file for file in of] for of in (SOURCES[name], others))
    return compile_program(name, measured, unmeasured, written, halves)


def arithmetic_of(halves: Halves | None) -> str:
    """Give the source with the operations of formulas, of a public modulus or of secret halves."""
    return "half_constants.c" if halves else "constants.c"


def compile_program(
    name: str,
    sources: Sequence[Path],
    unmeasured: Sequence[Path] = (),
    written: Sequence[tuple[str, str]] = (),
    halves: Halves | None = None,
) -> Path:
    """Compile and link C and assembly files, unless the result is in the cache.

    The files can include the headers of this folder, and the generated header of the bus registers.

    Parameters
    ----------
    name : str
        Start of the ELF file's name.
    sources : sequence of Path
        Files to compile. If ``crt0.S`` is not among them, they must have their own start-up code.
    unmeasured : sequence of Path
        Additional files, linked behind the data (see ``UNMEASURED``).
    written : sequence of (str, str)
        Additional sources that are generated: name and text of each; linked behind the data.
    halves : Halves or None
        Layout of an accelerator's modulus that consists of two halves; None: it is one number.

    Raises
    ------
    CompilerError
        If the compiler is missing or fails.
    CacheError
        If the cache cannot be written.
    """
    flags = (*_ARCHITECTURE, *_FLAGS, *_LINKER_FLAGS)
    read = (*sources, *unmeasured, *(_FOLDER / shared for shared in _SHARED))
    above = halves.exponents_nbits - halves.joined_nbits if halves else 0
    is_two = f"#define MODULUS_IS_TWO {int(halves is not None)}\n"
    is_two += f"#define ABOVE_EXPONENTS_NBITS {above}\n"
    modulus = ("modulus.h", is_two)
    included = ((address_map.HEADER_NAME, address_map.header()), modulus)
    texts = (*((path.name, path.read_text()) for path in read), *included, *written)
    key = key_of(_compiler_version(), flags, len(sources), texts)

    def populate(folder: Path) -> None:
        # The linker script places each object file by its folder, measured or unmeasured.
        objects: list[Path] = []
        for file, text in (*included, *written):
            (folder / file).write_text(text)
        behind = [*unmeasured, *(folder / file for file, _ in written)]
        for part, files in (("measured", sources), ("unmeasured", behind)):
            for source in files:
                objects.append(folder / part / f"{source.name}.o")
                objects[-1].parent.mkdir(exist_ok=True)
                own = ("-I", str(_FOLDER), "-I", str(folder))
                after = ("-idirafter", str(_FOLDER / "fallback"))  # where the compiler has none
                output = ("-c", str(source), "-o", str(objects[-1]))
                _run(name, *_ARCHITECTURE, *_FLAGS, *own, *after, *output)
        inputs = ("-T", str(_FOLDER / "link.ld"), *map(str, objects), "-lgcc")
        elf = str(folder / f"{name}.elf")
        _run(name, *_ARCHITECTURE, *_FLAGS, *_LINKER_FLAGS, *inputs, "-o", elf)

    return keep(cache_root() / "programs", f"{name}-{key}", populate) / f"{name}.elf"


def _run(name: str, *arguments: str) -> None:
    command = (COMPILER, *arguments)
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise CompilerError(f"{COMPILER} failed on {name}:\n{done.stderr.strip()}")


@cache
def _compiler_version() -> str:
    if shutil.which(COMPILER) is None:
        raise CompilerError(missing(RISCV_GCC, f"{COMPILER} is"))
    return subprocess.run(
        [COMPILER, "--version"], capture_output=True, text=True, check=True
    ).stdout
