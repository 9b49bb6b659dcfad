"""Compiles rsaxcel's own programs, and writes their assembly: ``make programs``.

The cycles of the programs are those of this assembly. So that they change only when a program does,
the compiler is the one that made the present assembly, unless another one is asked for.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from struct import iter_unpack

from rsaxcel.proc.bus.device import HEADER_NAME, header
from rsaxcel.proc.elf import Image, load_elf
from rsaxcel.proc.isa import decode, disassemble
from rsaxcel.proc.programs.build import ASSEMBLY, CONSTANTS, FOLDER, HALVES, KEPT
from rsaxcel.store.code import without_comments
from rsaxcel.store.folders import key_of
from rsaxcel.store.installing import program
from rsaxcel.store.tools import RISCV_GCC, ToolError

_FLAGS = (
    "-march=rv32im",
    "-mabi=ilp32",
    "-O2",
    "-std=gnu17",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-nostdlib",
    "-nostartfiles",
    "-ffreestanding",
    # Without this flag, gcc would replace loops by calls of memcpy and memset, but the programs are
    # linked without a C library.
    "-fno-tree-loop-distribute-patterns",
)
_LINKER_FLAGS = ("-Wl,--no-warn-rwx-segments", "-Wl,--build-id=none")
_HEAD = re.compile(r"/\* .*; source (\w+) \*/\n\s*\.ident \"(.*)\"\n")
_INCLUDED = re.compile(r'#include "(.+)"')
_WORDS_PER_LINE = 8
_OF_THE_LINKER = ("__global_pointer$", "__bss_start", "__bss_end", "__stack_top")


def compiler() -> str:
    """Name and version of the compiler, as gcc writes them into its output."""
    command = [*program(RISCV_GCC), "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return re.sub(r"^\S+", "GCC:", done.stdout.splitlines()[0])


def compile_program(
    path: Path,
    sources: Sequence[Path],
    script: str = "link.ld",
    defined: Sequence[str] = (),
    flags: Sequence[str] = (),
) -> None:
    """Compile and link C and assembly files, which can include the headers of ``proc/programs``."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, HEADER_NAME).write_text(header())
        # The own stdint.h is for compilers without one.
        places = ("-I", str(FOLDER), "-I", folder, "-idirafter", str(FOLDER / "fallback"))
        macros = [f"-D{name}" for name in defined]
        inputs = ("-T", str(FOLDER / script), *map(str, sources), "-lgcc", "-o", str(path))
        command = (*program(RISCV_GCC), *_FLAGS, *_LINKER_FLAGS, *flags, *places, *macros, *inputs)
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise ToolError(f"{path.name}: {done.stderr.strip()}")


def digest(name: str) -> str:
    """Digest of the C and assembly code of a program, without comments."""
    texts: dict[str, str] = {}
    left = [*KEPT[name], _script(name)]
    while left:
        path = FOLDER / left.pop()
        if path.name not in texts:
            own = path.name == HEADER_NAME
            text = header() if own else path.read_text()
            texts[path.name] = without_comments(text, ".c")
            left += _INCLUDED.findall(text)
    return key_of(_FLAGS, sorted(texts.items()))


def assembly(name: str, flags: Sequence[str] = (), folder: Path = FOLDER) -> str:
    """Compile a program of ``KEPT``, from sources in a folder, to the text of its assembly."""
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary, name)
        defined = ("MODULUS_IS_TWO",) if name.endswith(HALVES) else ()
        sources = [folder / x for x in KEPT[name]]
        compile_program(path, sources, _script(name), defined, flags)
        lines = [*_lines(path)]
    head = f"/* Written by tools/programs.py from {', '.join(KEPT[name])}; source {digest(name)} */"
    return "\n".join([head, f'    .ident "{compiler()}"', *lines, ""])


def kept(name: str) -> tuple[str, str]:
    """Return the digest of the sources that a kept program was made from, and its compiler."""
    path = ASSEMBLY / f"{name}.S"
    found = _HEAD.match(path.read_text()) if path.exists() else None
    return (found[1], found[2]) if found else ("", "")


def _script(name: str) -> str:
    return "constants.ld" if name in CONSTANTS else "link.ld"


def _lines(path: Path) -> Iterator[str]:
    """Yield the lines of a linked program: sections with labels, instructions and data."""
    from elftools.elf.constants import SH_FLAGS
    from elftools.elf.elffile import ELFFile

    image = load_elf(path)
    marks = _marks(image)
    with path.open("rb") as stream:
        for section in ELFFile(stream).iter_sections():
            start, end = section["sh_addr"], section["sh_addr"] + section["sh_size"]
            if not section["sh_flags"] & SH_FLAGS.SHF_ALLOC or start == end:
                continue
            if section["sh_flags"] & SH_FLAGS.SHF_EXECINSTR:
                yield from ("    .text", f"    .org {start:#x}")
                yield from _code(image, range(start, end, 4), marks)
                continue
            has_data = section["sh_type"] == "SHT_PROGBITS"
            yield f"    {'.data' if has_data else '.bss'}"
            # A label may stand behind the last byte: the start of the constants.
            places = sorted({start, end, *(x for x in marks if start <= x <= end)})
            for place, following in pairwise([*places, end]):
                if place == end and place not in marks:
                    break
                yield f"    .org {place:#x}"
                yield from marks.pop(place, ())
                if has_data:
                    yield from _data(bytes(image.memory[place:following]))


def _marks(image: Image) -> dict[int, list[str]]:
    """Lines with labels and directives of the functions and global variables, by address."""
    marks: dict[int, list[str]] = {}
    for label in image.labels:
        lines = marks.setdefault(label.address, [])
        lines += [f"    .globl {label.name}"] if label.is_global else []
        lines += [f"    .type {label.name}, @function"] if label.is_function else []
        lines += [f"    .size {label.name}, {label.nbytes}"] if label.nbytes else []
        lines.append(f"{label.name}:")
    known = {x.name for x in image.labels}
    for name, symbol in image.symbols.items():
        if name not in (*known, *_OF_THE_LINKER):
            size = [f"    .size {name}, {symbol.nbytes}"] if symbol.nbytes else []
            lines = [f"    .globl {name}", *size, f"{name}:"]
            marks.setdefault(symbol.address, []).extend(lines)
    return marks


def _code(image: Image, places: range, marks: dict[int, list[str]]) -> Iterator[str]:
    names = {place: lines[-1].rstrip(":") for place, lines in marks.items()}
    targets = {}
    for place in places:
        found = decode(image.word(place))
        if found and found.instruction.format in ("B", "J"):
            targets[place] = place + found.imm
    for number, target in enumerate(sorted({*targets.values()} - names.keys())):
        names[target] = f".L{number}"
        marks[target] = [f".L{number}:"]
    for place in places:
        yield from marks.pop(place, ())
        text = disassemble(image.word(place), place)
        if place in targets:  # the target is the last operand
            text = text[: text.rindex(" ") + 1] + names[targets[place]]
        yield f"    {text}"


def _data(data: bytes) -> Iterator[str]:
    """Yield lines for the bytes of a variable; zeros at the end are only counted."""
    used = -(-len(data.rstrip(b"\0")) // 4) * 4
    words, zeros = data[:used], data[used:]
    for at in range(0, len(words), 4 * _WORDS_PER_LINE):
        line = words[at : at + 4 * _WORDS_PER_LINE]
        whole = len(line) // 4 * 4
        if whole:
            numbers = iter_unpack("<I", line[:whole])
            yield f"    .word {', '.join(f'{x:#010x}' for (x,) in numbers)}"
        if line[whole:]:
            yield f"    .byte {', '.join(map(str, line[whole:]))}"
    if zeros:
        yield f"    .zero {len(zeros)}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="make programs", description=__doc__)
    parser.add_argument(
        "--any-compiler", action="store_true", help="take another compiler than the present one's"
    )
    options = parser.parse_args()
    try:
        own, before = compiler(), {kept(name)[1] for name in KEPT} - {""}
        if before - {own} and not options.any_compiler:
            sys.exit(
                f"programs: error: the assembly is by {', '.join(before)}, this compiler is {own}: "
                "cycles may change (--any-compiler takes it all the same)"
            )
        for name in KEPT:
            (ASSEMBLY / f"{name}.S").write_text(assembly(name))
    except ToolError as error:
        sys.exit(f"programs: error: {error}")


if __name__ == "__main__":
    main()
