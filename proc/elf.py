"""ELF files: programs to load into the memory.

pyelftools is imported only when a file is read, because most commands read no ELF file.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from struct import iter_unpack
from typing import TYPE_CHECKING, BinaryIO

from proc.encoding import encode
from proc.isa import MEMORY_NBYTES, RESET_VECTOR

if TYPE_CHECKING:
    from elftools.elf.elffile import ELFFile

_FLAG_COMPRESSED = 1
_FLAG_FLOAT_ABI = 6  # mask; bits are 0 if floating-point numbers are passed in integer registers


class ProgramError(ValueError):
    """A program file that the processor can't run; the message is one line and names the file."""


@dataclass(frozen=True)
class Symbol:
    """Address and size, in bytes, of a variable or function."""

    address: int
    nbytes: int


@dataclass(frozen=True, order=True)
class Label:
    """A function or label in the code.

    Labels sort by address. Of several labels at the same address, the last one is used as the name
    of the place: functions sort after other labels, and global labels after local labels.

    Parameters
    ----------
    address : int
        Address of the label.
    is_function, is_global : bool
        Whether the symbol is a function, and whether it is global.
    name : str
        Name of the symbol.
    nbytes : int
        Size of a function; 0 if it is not known.
    """

    address: int
    is_function: bool
    is_global: bool
    name: str
    nbytes: int


@dataclass
class Image:
    """A program in memory.

    Parameters
    ----------
    name : str
        Name of the file, for messages.
    memory : bytearray
        Memory from address 0, with the program and zeros elsewhere.
    entry : int
        Address of the first instruction; the reset vector if ``load_elf`` made the image.
    symbols : dict of str to Symbol
        Global symbols, variables as well as functions, by name.
    labels : list of Label
        Functions and labels of the code, including local ones, sorted.
    """

    name: str
    memory: bytearray
    entry: int
    symbols: dict[str, Symbol] = field(default_factory=dict)
    labels: list[Label] = field(default_factory=list)

    def place(self, address: int) -> str:
        """Return an address as label and offset, such as ``main+0x10``.

        The label is the last one at or before the address. The text is empty if there is no such
        label, or if the label is a function that ends before the address.
        """
        behind = bisect_right(self.labels, address, key=lambda label: label.address)
        if not behind:
            return ""
        label = self.labels[behind - 1]
        offset = address - label.address
        if label.nbytes and offset >= label.nbytes:
            return ""
        return f"{label.name}+{offset:#x}" if offset else label.name


def load_elf(path: str | Path, memory_nbytes: int = MEMORY_NBYTES) -> Image:
    """Load an executable for a 32-bit RISC-V processor without compressed instructions.

    Segments are loaded at their virtual addresses. If the program does not start at the reset
    vector, a jump to its start is put there and is the first instruction of the run.

    Parameters
    ----------
    path : str or Path
        ELF file.
    memory_nbytes : int
        Size of the memory in bytes.

    Raises
    ------
    ProgramError
        If the file is not such an executable, is damaged, or does not fit the memory. Also if the
        jump to the program's start is needed but can't be made: a segment occupies the reset
        vector, or the start is too far away or is no address of an instruction.
    OSError
        If the file can't be read.
    """
    from elftools.common.exceptions import ELFError
    from elftools.construct import ConstructError

    name = str(path)
    with open(path, "rb") as stream:
        try:
            return _load(name, stream, memory_nbytes)
        except ProgramError:
            raise
        except (
            ELFError,
            ConstructError,
            ValueError,
            LookupError,
            TypeError,
            AttributeError,
        ) as error:
            # pyelftools can raise each of these exceptions for a damaged file.
            raise ProgramError(
                f"{name}: damaged ELF file: {error or type(error).__name__}"
            ) from error


def code_words(path: str | Path) -> Iterator[int]:
    """Yield the words of a linked program's code sections, 32 bits each."""
    from elftools.elf.constants import SH_FLAGS
    from elftools.elf.elffile import ELFFile

    with open(path, "rb") as stream:
        for section in ELFFile(stream).iter_sections():
            if section["sh_flags"] & SH_FLAGS.SHF_EXECINSTR:
                yield from (word for (word,) in iter_unpack("<I", section.data()))


def _load(name: str, stream: BinaryIO, memory_nbytes: int) -> Image:
    from elftools.elf.elffile import ELFFile

    magic = stream.read(4)
    if magic != b"\x7fELF":
        raise ProgramError(f"{name}: not an ELF file (it starts with {magic!r})")
    elf = ELFFile(stream)
    _check_header(name, elf)
    memory = bytearray(memory_nbytes)
    loaded = []
    for segment in elf.iter_segments("PT_LOAD"):
        address, nbytes = segment["p_vaddr"], segment["p_memsz"]
        if address + nbytes > memory_nbytes:
            raise ProgramError(
                f"{name}: segment {address:#x} .. {address + nbytes - 1:#x} is outside the memory, "
                f"which ends at {memory_nbytes - 1:#x}"
            )
        data = segment.data()[:nbytes]
        if len(data) != min(segment["p_filesz"], nbytes):
            raise ProgramError(f"{name}: damaged ELF file: segment at {address:#x} is cut off")
        memory[address : address + len(data)] = data
        loaded.append(range(address, address + nbytes))
    if not any(loaded):
        raise ProgramError(f"{name}: nothing to load: no segment is in the file")
    _start_at_reset_vector(name, memory, elf["e_entry"], loaded)
    return Image(name, memory, RESET_VECTOR, dict(_symbols(elf)), sorted(_labels(elf)))


def _start_at_reset_vector(
    name: str, memory: bytearray, entry: int, loaded: Iterable[range]
) -> None:
    if entry == RESET_VECTOR:
        return
    if entry % 4 or entry >= len(memory):
        raise ProgramError(f"{name}: starts at {entry:#x}, which is no address of an instruction")
    place = slice(RESET_VECTOR, RESET_VECTOR + 4)
    if any(span.start < place.stop and place.start < span.stop for span in loaded):
        raise ProgramError(
            f"{name}: starts at {entry:#x}, but has other contents at {RESET_VECTOR:#x}, where the "
            f"processor starts: link it with -Wl,-Ttext={RESET_VECTOR:#x}, start code first"
        )
    try:
        jump = encode("jal", rd=0, imm=entry - RESET_VECTOR)
    except ValueError as error:
        raise ProgramError(f"{name}: starts at {entry:#x}, too far for a jump") from error
    memory[place] = jump.to_bytes(4, "little")


def _check_header(name: str, elf: ELFFile) -> None:
    machine = elf["e_machine"]
    if machine != "EM_RISCV" or elf.elfclass != 32 or not elf.little_endian:
        order = "little" if elf.little_endian else "big"
        raise ProgramError(
            f"{name}: made for {machine}, {elf.elfclass} bits, {order} endian; the processor is "
            "RISC-V, 32 bits, little endian (-march=rv32im -mabi=ilp32)"
        )
    if elf["e_type"] != "ET_EXEC":
        raise ProgramError(f"{name}: {elf['e_type']}, not a linked executable (ET_EXEC)")
    if elf["e_flags"] & _FLAG_COMPRESSED:
        raise ProgramError(
            f"{name}: has compressed instructions, which the processor lacks: build it with "
            "-march=rv32im -mabi=ilp32"
        )
    if elf["e_flags"] & _FLAG_FLOAT_ABI:
        raise ProgramError(
            f"{name}: passes numbers in floating-point registers, which the processor lacks: build "
            "it with -march=rv32im -mabi=ilp32"
        )


def _labels(elf: ELFFile) -> Iterator[Label]:
    from elftools.elf.constants import SH_FLAGS
    from elftools.elf.sections import SymbolTableSection

    for section in elf.iter_sections():
        if isinstance(section, SymbolTableSection):
            for symbol in section.iter_symbols():
                kind, place = symbol["st_info"]["type"], symbol["st_shndx"]
                # Names that start with $ or .L are made by assembler and compiler: no use to users.
                if kind not in ("STT_FUNC", "STT_NOTYPE") or not isinstance(place, int):
                    continue
                if not symbol.name or symbol.name.startswith(("$", ".L")):
                    continue
                if elf.get_section(place)["sh_flags"] & SH_FLAGS.SHF_EXECINSTR:
                    is_global = symbol["st_info"]["bind"] == "STB_GLOBAL"
                    shape = (symbol.name, symbol["st_size"])
                    yield Label(symbol["st_value"], kind == "STT_FUNC", is_global, *shape)


def _symbols(elf: ELFFile) -> Iterator[tuple[str, Symbol]]:
    from elftools.elf.sections import SymbolTableSection

    for section in elf.iter_sections():
        if isinstance(section, SymbolTableSection):
            for symbol in section.iter_symbols():
                if symbol.name and symbol["st_info"]["bind"] == "STB_GLOBAL":
                    yield symbol.name, Symbol(symbol["st_value"], symbol["st_size"])
