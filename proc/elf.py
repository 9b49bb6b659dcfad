"""ELF files: programs to load into the memory.

pyelftools is imported only when a file is read, because most commands read no ELF file.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from rsaxcel.proc.isa import MEMORY_NBYTES, RESET_VECTOR, encode
from rsaxcel.store.errors import UserError
from rsaxcel.store.whole_files import read_whole

if TYPE_CHECKING:
    from elftools.elf.elffile import ELFFile

_SEGMENT_HEADER_NBYTES = 32
_FLAG_COMPRESSED = 1
#: mask of the ELF flags; its bits are 0 if floating-point numbers are passed in integer registers
_FLAG_FLOAT_ABI = 6


class ProgramError(UserError):
    """A program file that the processor can't run; the message is one line and names the file."""


@dataclass(frozen=True)
class Symbol:
    """Address and size of a variable or function."""

    address: int  #: address of the contents before start-up code copies them (load_elf)
    nbytes: int


@dataclass(frozen=True, order=True)
class CodeLabel:
    """A function or label in the code, sorted by address.

    Of several labels, the last names the place: functions follow others, global labels local ones.
    """

    address: int
    is_function: bool
    is_global: bool
    name: str
    nbytes: int  #: size of a function; 0: not known


@dataclass
class Image:
    """A program in memory."""

    name: str  #: name of the file, for messages
    memory: bytearray  #: memory contents from address 0
    entry: int  #: address of the first instruction; after load_elf, the reset vector
    symbols: dict[str, Symbol] = field(default_factory=dict)  #: global variables and functions
    #: labels of the code, including local ones, sorted
    labels: list[CodeLabel] = field(default_factory=list)
    compiler: str = ""  #: compiler with version; empty: not known
    code: tuple[int, ...] = ()  #: addresses of instructions; only known for rsaxcel's own programs

    def word(self, address: int) -> int:
        return int.from_bytes(self.memory[address : address + 4], "little")

    def write(self, symbol: str, data: bytes) -> None:
        """Write the contents of a variable, from its start."""
        start = self.symbols[symbol].address
        self.memory[start : start + len(data)] = data

    def place(self, address: int) -> str:
        """Return an address as the last label before it and offset, such as ``main+0x10``.

        The text is empty without a label, or after the end of a function.
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

    Segments lie at physical addresses, where start-up code finds them. If needed, a jump to the
    start is put at the reset vector. ``ProgramError`` if the file is of another kind or damaged,
    segments overlap or do not fit, or the jump is impossible.
    """
    from elftools.common.exceptions import ELFError
    from elftools.construct import ConstructError

    name = str(path)
    stream = BytesIO(read_whole(path))
    try:
        return _load(name, stream, memory_nbytes)
    except ProgramError:
        raise
    except (ELFError, ConstructError, ValueError, LookupError, TypeError, AttributeError) as error:
        # pyelftools can raise each of these exceptions for a damaged file.
        raise ProgramError(f"{name}: damaged ELF file: {error or type(error).__name__}") from error


def _load(name: str, stream: BinaryIO, memory_nbytes: int) -> Image:
    from elftools.elf.elffile import ELFFile

    magic = stream.read(4)
    if magic != b"\x7fELF":
        raise ProgramError(f"{name}: not an ELF file (it starts with {magic!r})")
    elf = ELFFile(stream)
    _check_header(name, elf)
    memory = bytearray(memory_nbytes)
    segments = list(_segments(elf))
    for segment in segments:
        _check_place(name, segment, memory_nbytes)
        memory[segment.stored.start : segment.stored.stop] = segment.data
    occupied = sorted((x.occupied for x in segments if x.occupied), key=lambda x: x.start)
    if not occupied:
        raise ProgramError(f"{name}: nothing to load: no segment is in the file")
    for lower, upper in pairwise(occupied):
        if upper.start < lower.stop:
            raise ProgramError(
                f"{name}: segments overlap: {_shown(lower)} and {_shown(upper)} are loaded"
            )
    _start_at_reset_vector(name, memory, elf["e_entry"], segments)
    symbols = dict(_symbols(elf, segments))
    return Image(name, memory, RESET_VECTOR, symbols, sorted(_labels(elf)), _compiler(elf))


def _compiler(elf: ELFFile) -> str:
    """Names and versions of the compilers and linkers that have written them into a file."""
    section = elf.get_section_by_name(".comment")
    texts = section.data().split(b"\0") if section else []
    found = (x.decode(errors="replace") for x in texts if x)
    return ", ".join(dict.fromkeys(x for x in found if x.isprintable()))


@dataclass(frozen=True)
class _Segment:
    run: range  #: addresses while the program runs, zeros behind the contents included
    stored: range  #: addresses of the contents when they are loaded
    data: bytes

    @property
    def occupied(self) -> range:
        """Addresses of this segment alone: copied segments may share ``run`` (overlays)."""
        return self.run if self.run.start == self.stored.start else self.stored


def _segments(elf: ELFFile) -> Iterator[_Segment]:
    found = [x for x in elf.iter_segments("PT_LOAD") if x["p_memsz"] or x["p_filesz"]]
    # Some linkers write 0 as every physical address. Then the run addresses count, as in GNU's
    # binutils.
    unset = len(found) > 1 and not any(x["p_paddr"] for x in elf.iter_segments())
    for header in found:
        run = header["p_vaddr"]
        stored = run if unset else header["p_paddr"]
        yield _Segment(
            range(run, run + header["p_memsz"]),
            range(stored, stored + header["p_filesz"]),
            header.data(),
        )


def _check_place(name: str, segment: _Segment, memory_nbytes: int) -> None:
    run, stored = segment.run, segment.stored
    if len(stored) > len(run):
        raise ProgramError(
            f"{name}: damaged ELF file: segment at {run.start:#x} has {len(stored)} bytes in the "
            f"file, but {len(run)} in memory"
        )
    for what, place in (("", run), (", as loaded,", stored)):
        if place.stop > memory_nbytes:
            raise ProgramError(
                f"{name}: segment {_shown(place)}{what} is outside the memory, "
                f"which ends at {memory_nbytes - 1:#x}"
            )
    if len(segment.data) != len(stored):
        raise ProgramError(f"{name}: damaged ELF file: segment at {run.start:#x} is cut off")


def _shown(place: range) -> str:
    return f"{place.start:#x} .. {place.stop - 1:#x}"


def _start_at_reset_vector(
    name: str, memory: bytearray, entry: int, segments: Sequence[_Segment]
) -> None:
    if entry % 4 or entry >= len(memory):
        raise ProgramError(f"{name}: starts at {entry:#x}, which is no address of an instruction")
    if not any(entry in x.stored for x in segments):
        raise ProgramError(f"{name}: starts at {entry:#x}, where nothing is loaded")
    if entry == RESET_VECTOR:
        return
    place = slice(RESET_VECTOR, RESET_VECTOR + 4)
    spans = [x.occupied for x in segments]
    if any(span.start < place.stop and place.start < span.stop for span in spans):
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

    if elf["e_phnum"] and elf["e_phentsize"] != _SEGMENT_HEADER_NBYTES:
        raise ProgramError(
            f"{name}: damaged ELF file: {elf['e_phentsize']} bytes for each program header; "
            f"{_SEGMENT_HEADER_NBYTES} are allowed"
        )
    if elf["e_phoff"] + elf["e_phnum"] * _SEGMENT_HEADER_NBYTES > elf.stream_len:
        raise ProgramError(f"{name}: damaged ELF file: its program headers are cut off")


def _labels(elf: ELFFile) -> Iterator[CodeLabel]:
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
                    yield CodeLabel(symbol["st_value"], kind == "STT_FUNC", is_global, *shape)


def _symbols(elf: ELFFile, segments: Sequence[_Segment]) -> Iterator[tuple[str, Symbol]]:
    from elftools.elf.sections import SymbolTableSection

    for section in elf.iter_sections():
        if isinstance(section, SymbolTableSection):
            for symbol in section.iter_symbols():
                if symbol.name and symbol["st_info"]["bind"] == "STB_GLOBAL":
                    address = symbol["st_value"]
                    for segment in segments:
                        if 0 <= address - segment.run.start < len(segment.stored):
                            address += segment.stored.start - segment.run.start
                            break
                    yield symbol.name, Symbol(address, symbol["st_size"])
