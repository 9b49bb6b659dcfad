"""Builds the programs with riscv64-unknown-elf-gcc."""

import hashlib
import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

COMPILER = "riscv64-unknown-elf-gcc"

SOURCES: dict[str, tuple[str, ...]] = {
    "naive": ("crt0.S", "main.c", "naive.c", "words.c"),
    "montgomery": ("crt0.S", "main.c", "montgomery.c", "words.c"),
    "xcel": ("crt0.S", "main.c", "xcel.c"),
    "dummy": ("crt0.S", "main.c", "dummy.c"),
    "selfcheck": ("crt0.S", "selfcheck.c"),
}

_FOLDER = Path(__file__).parent
_SHARED = ("csr.h", "modexp.h", "remainder.h", "words.h", "link.ld")
_ARCHITECTURE = ("-march=rv32im", "-mabi=ilp32")
_FLAGS = (
    *("-O2", "-std=gnu17", "-Wall", "-Wextra", "-Werror"),
    *("-nostdlib", "-nostartfiles", "-ffreestanding"),
    # There is no library with the memcpy and memset that gcc would put in the place of loops.
    "-fno-tree-loop-distribute-patterns",
)
_LINKER_FLAGS = ("-Wl,--no-warn-rwx-segments", "-Wl,--build-id=none")


class CompilerError(Exception):
    """The compiler is missing or refuses a source; the message says what to do."""


def build(name: str) -> Path:
    """Build one of the programs in ``SOURCES``, unless it is built already.

    Returns
    -------
    Path
        The ELF file, below ``build/programs`` or the folder in ``RSAXCEL_CACHE``.

    Raises
    ------
    CompilerError
        If the compiler is missing or fails.
    ValueError
        If there is no such program.
    """
    if name not in SOURCES:
        raise ValueError(f"no program {name!r}; there are {', '.join(SOURCES)}")
    return compile_program(name, [_FOLDER / source for source in SOURCES[name]])


def compile_program(name: str, sources: list[Path]) -> Path:
    """Compile and link C and assembly files, unless this has been done already.

    They see the headers of the programs. The file appears complete or not at all, so that several
    processes can build at once.

    Parameters
    ----------
    name : str
        Start of the ELF file's name.
    sources : list of Path
        Files to compile; a program without ``crt0.S`` among them has its own start-up code.

    Raises
    ------
    CompilerError
        If the compiler is missing or fails.
    """
    flags = (*_ARCHITECTURE, *_FLAGS, *_LINKER_FLAGS)
    key = hashlib.sha256(repr((_compiler_version(), flags)).encode())
    for path in (*sources, *(_FOLDER / shared for shared in _SHARED)):
        key.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    folder = Path(os.environ.get("RSAXCEL_CACHE") or "build", "programs").absolute()
    target = folder / f"{name}-{key.hexdigest()[:16]}.elf"
    if target.exists():
        return target
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{name}-", dir=folder) as scratch:
        draft = Path(scratch, "program.elf")
        command = [
            *(COMPILER, *flags, "-I", str(_FOLDER), "-T", str(_FOLDER / "link.ld")),
            *(str(source) for source in sources),
            *("-lgcc", "-o", str(draft)),
        ]
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if done.returncode:
            raise CompilerError(f"{COMPILER} failed on {name}:\n{done.stderr.strip()}")
        os.replace(draft, target)
    return target


@cache
def _compiler_version() -> str:
    if shutil.which(COMPILER) is None:
        raise CompilerError(
            f"{COMPILER} is missing: install Debian's package gcc-riscv64-unknown-elf "
            "(make setup does it)"
        )
    return subprocess.run(
        [COMPILER, "--version"], capture_output=True, text=True, check=True
    ).stdout
