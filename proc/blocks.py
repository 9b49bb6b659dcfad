"""Translates basic blocks of RISC-V code into Python functions, for ``proc.iss``."""

from collections.abc import Callable
from functools import lru_cache
from types import CodeType
from typing import Any

from rsaxcel.proc.instruction_sets import InstructionSet
from rsaxcel.proc.isa import CSR_BY_ADDRESS, XCEL_BASE, XCEL_REGISTERS, Cause, Decoded
from rsaxcel.proc.semantics import CONDITIONS, EXPRESSIONS, FUNCTIONS, LOADS, MASK, STORES

BLOCK_INSTRUCTIONS = 128

_FIELD = {1: "memory", 2: "halves", 4: "words"}

#: A function of the simulator and its registers, which returns the next pc.
Block = Callable[[Any, list[int]], int]


class StopError(Exception):
    """Raised by translated blocks and the translator to end a run inside a block.

    ``cause`` is ``NONE`` if the run only pauses, because the instruction waits. ``completed``:
    instructions executed in this pass of a loop (``instret`` has earlier passes). ``value``:
    address of a failed access.
    """

    def __init__(self, cause: Cause, pc: int, word: int, completed: int, value: int = 0):
        super().__init__(cause, pc, word, completed, value)
        self.cause = cause
        self.pc = pc
        self.word = word
        self.completed = completed
        self.value = value


class Translator:
    """Translates the basic blocks of the code in a memory to Python functions.

    ``translated`` has a byte for each word of the memory, 1 if it is translated.
    """

    def __init__(
        self, memory: bytearray, translated: bytearray, instruction_set: InstructionSet
    ) -> None:
        self._instruction_set = instruction_set
        self._words = memoryview(memory).cast("I")
        self._translated = translated
        self._namespace: dict[str, Any] = {
            "memory": memory,
            "halves": memoryview(memory).cast("H"),
            "words": self._words,
            "translated": translated,
            "StopError": StopError,
            "Cause": Cause,
            **FUNCTIONS,
        }

    def translate(self, pc: int, max_instructions: int = BLOCK_INSTRUCTIONS) -> Block:
        """Translate the block at an address.

        ``StopError`` if the address is misaligned or outside the memory.

        The function executes the block, adds to ``instret``, and returns the next pc. A block that
        branches to its own start repeats while ``instret`` is below ``limit``.
        """
        if pc & 3:
            raise StopError(Cause.MISALIGNED, pc, 0, 0, pc)
        if pc >> 2 >= len(self._words):
            raise StopError(Cause.OUTSIDE_MEMORY, pc, 0, 0, pc)
        source = _Block(pc, len(self._words) * 4, max_instructions, self._instruction_set)
        while source.is_open and source.pc >> 2 < len(self._words):
            self._translated[source.pc >> 2] = 1
            source.add(self._words[source.pc >> 2])
        namespace = dict(self._namespace)
        exec(_compiled(source.text(), pc), namespace)
        return namespace["block"]


@lru_cache(maxsize=4096)
def _compiled(text: str, pc: int) -> CodeType:
    """Compile a block's text; the result is kept, as programs often run again with other data."""
    return compile(text, f"<block at {pc:#x}>", "exec")


class _Block:
    """Source text of a block, built one instruction at a time."""

    def __init__(
        self, start: int, memory_nbytes: int, max_instructions: int, instruction_set: InstructionSet
    ) -> None:
        self.start = start
        self.pc = start
        self.is_open = True
        self._memory_nbytes = memory_nbytes
        self._max_instructions = max_instructions
        self._instruction_set = instruction_set
        self._count = 0  #: instructions before the one at pc
        self._lines: list[str] = []
        self._read: set[int] = set()
        self._written: set[int] = set()
        self._loops = False

    def add(self, word: int) -> None:
        """Append Python lines that execute the instruction ``word`` at address ``self.pc``."""
        decoded = self._instruction_set.decode(word)
        self._word = word
        if decoded is None:
            self._stop(Cause.ILLEGAL_INSTRUCTION)
            self.is_open = False
            return
        getattr(self, f"_{decoded.unit}")(decoded)
        self.pc += 4
        self._count += 1
        if self.is_open and self._count == self._max_instructions:
            self.is_open = False

    def text(self) -> str:
        """Python source of the function ``block``."""
        body = [*self._lines, f"n += {self._count}", f"return {self.pc}"]
        if self._loops:
            body = ["while True:", *(f"    {line}" for line in body)]
        loads = [f"x{i} = x[{i}]" for i in sorted(self._read | self._written)]
        stores = [f"x[{i}] = x{i}" for i in sorted(self._written)]
        lines = [
            "n = s.instret",
            *loads,
            "try:",
            *(f"    {line}" for line in body),
            "finally:",
            "    s.instret = n",
            *(f"    {line}" for line in stores),
        ]
        return "\n".join(["def block(s, x):", *(f"    {line}" for line in lines)])

    def _source(self, register: int) -> str:
        """Python expression for the value of a register."""
        if register == 0:
            return "0"
        self._read.add(register)
        return f"x{register}"

    def _target(self, register: int) -> str:
        """Name of the Python variable that takes a result for a register."""
        if register == 0:
            return "_"
        self._written.add(register)
        return f"x{register}"

    def _stop(
        self,
        cause: Cause,
        condition: str = "",
        value: str = "0",
        counts: bool = False,
        indent: str = "",
    ) -> None:
        place = f"{self.pc}, {self._word}, {self._count + counts}, {value}"
        raising = f"raise StopError(Cause.{cause.name}, {place})"
        self._lines.append(indent + (f"if {condition}: {raising}" if condition else raising))

    def _leave(self, target: int, indent: str = "") -> None:
        """Append lines that end the block and continue at a fixed address."""
        self._lines.append(f"{indent}n += {self._count + 1}")
        if target == self.start:
            self._loops = True
            self._lines.append(f"{indent}if n < s.limit: continue")
        self._lines.append(f"{indent}return {target}")

    def _alu(self, decoded: Decoded) -> None:
        target = self._target(decoded.rd)
        if decoded.name in ("lui", "auipc"):
            base = self.pc if decoded.name == "auipc" else 0
            self._lines.append(f"{target} = {base + decoded.imm & MASK}")
            return
        if decoded.instruction.reads_rs2:
            b = self._source(decoded.rs2)
        else:
            b = str(decoded.imm & MASK)
        expression = EXPRESSIONS[decoded.name].format(a=self._source(decoded.rs1), b=b)
        if "addi" == decoded.name and decoded.imm == 0:
            expression = self._source(decoded.rs1)
        self._lines.append(f"{target} = {expression}")

    _mul = _alu
    _div = _alu

    def _address(self, decoded: Decoded, nbytes: int) -> None:
        """Append lines that compute the address of a data access into ``a`` and check alignment."""
        base = self._source(decoded.rs1)
        address = f"{base} + {decoded.imm} & {MASK}" if decoded.imm else base
        self._lines.append(f"a = {address}")
        if nbytes > 1:
            self._stop(Cause.MISALIGNED, f"a & {nbytes - 1}", "a")

    @staticmethod
    def _element(nbytes: int) -> str:
        index = {1: "a", 2: "a >> 1", 4: "a >> 2"}[nbytes]
        return f"{_FIELD[nbytes]}[{index}]"

    def _load(self, decoded: Decoded) -> None:
        nbytes, signed = LOADS[decoded.name]
        self._address(decoded, nbytes)
        target = self._target(decoded.rd)
        values = ["v", self._element(nbytes)]
        if signed:
            sign = 1 << (8 * nbytes - 1)
            values = [f"({value} ^ {sign}) - {sign} & {MASK}" for value in values]
        self._lines += [f"if a >= {self._memory_nbytes}:", f"    v = s.bus_read(a, {nbytes})"]
        self._stop(Cause.OUTSIDE_MEMORY, "v is None", "a", indent="    ")
        self._lines += [f"    {target} = {values[0]}", "else:", f"    {target} = {values[1]}"]

    def _store(self, decoded: Decoded) -> None:
        nbytes = STORES[decoded.name]
        self._address(decoded, nbytes)
        value = self._source(decoded.rs2)
        if nbytes < 4:
            value += f" & {(1 << 8 * nbytes) - 1}"
        self._lines.append(f"if a >= {self._memory_nbytes}:")
        written = f"s.bus_write(a, {nbytes}, {value})"
        self._stop(Cause.OUTSIDE_MEMORY, f"not {written}", "a", indent="    ")
        self._lines += [
            "else:",
            f"    {self._element(nbytes)} = {value}",
            "    if translated[a >> 2]:",
            "        s.discard_translations()",
            f"        n += {self._count + 1}",
            f"        return {self.pc + 4}",
        ]

    def _branch(self, decoded: Decoded) -> None:
        a, b = self._source(decoded.rs1), self._source(decoded.rs2)
        condition = CONDITIONS[decoded.name].format(a=a, b=b)
        target = self.pc + decoded.imm & MASK
        if target & 3:
            self._stop(Cause.MISALIGNED, condition, str(target))
        elif target == self.pc:
            self._stop(Cause.SELF_JUMP, condition, counts=True)
        else:
            self._lines.append(f"if {condition}:")
            self._leave(target, "    ")
        self.is_open = False

    def _jump(self, decoded: Decoded) -> None:
        self.is_open = False
        if decoded.name == "jalr":
            self._lines.append(f"t = {self._source(decoded.rs1)} + {decoded.imm} & {MASK - 1}")
            self._stop(Cause.MISALIGNED, "t & 2", "t")
        elif decoded.imm & 3:
            self._stop(Cause.MISALIGNED, value=str(self.pc + decoded.imm & MASK))
            return
        if decoded.rd:
            self._lines.append(f"{self._target(decoded.rd)} = {self.pc + 4}")
        if decoded.name == "jalr":
            self._stop(Cause.SELF_JUMP, f"t == {self.pc}", counts=True)
            self._lines.append(f"n += {self._count + 1}")
            self._lines.append("return t")
        elif decoded.imm == 0:
            self._stop(Cause.SELF_JUMP, counts=True)
        else:
            self._leave(self.pc + decoded.imm & MASK)

    def _csr(self, decoded: Decoded) -> None:
        is_xcel = XCEL_BASE <= decoded.csr < XCEL_BASE + XCEL_REGISTERS
        name = "xcel" if is_xcel else CSR_BY_ADDRESS[decoded.csr].name
        if name not in ("cycle", "instret", "cycleh", "instreth"):
            self._lines.append(f"s.instret = n + {self._count}")
        if decoded.name == "csrr":
            self._csr_read(decoded, name)
            return
        value = self._source(decoded.rs1) if decoded.name == "csrw" else str(decoded.imm)
        if name == "xcel":
            self._lines.append(f"s.xcel_write({decoded.csr - XCEL_BASE}, {value})")
        elif name == "stats_en":
            self._lines.append(f"s.stats_en({value} & 1)")
        else:
            self._lines.append(f"s.{name}({value})")

    def _csr_read(self, decoded: Decoded, name: str) -> None:
        target = self._target(decoded.rd)
        waits = {"mngr2proc": "s.mngr2proc()", "xcel": f"s.xcel_read({decoded.csr - XCEL_BASE})"}
        if name in waits:
            self._lines.append(f"v = {waits[name]}")
            self._stop(Cause.NONE, "v is None")
            self._lines.append(f"{target} = v & {MASK}")
            return
        if name in ("cycle", "cycleh"):
            self._lines.append("s.reads_time = True")
        value = {
            "cycle": f"n + {self._count} & {MASK}",
            "instret": f"n + {self._count} & {MASK}",
            "cycleh": f"n + {self._count} >> 32 & {MASK}",
            "instreth": f"n + {self._count} >> 32 & {MASK}",
            "coreid": "s.core_id",
            "numcores": "s.num_cores",
        }[name]
        self._lines.append(f"{target} = {value}")

    def _fence(self, _decoded: Decoded) -> None:
        pass

    # As a hint, fence.i does nothing here either: a store into code takes effect with the next
    # instruction.
    _refetch = _fence

    def _ecall(self, _decoded: Decoded) -> None:
        self._stop(Cause.ECALL, counts=True)
        self.is_open = False
