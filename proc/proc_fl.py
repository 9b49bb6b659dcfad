"""The processor at FL as a PyMTL3 component: executes one instruction after the other."""

from collections.abc import Generator
from typing import Any, NamedTuple

from pymtl3 import Bits1, Bits2, Bits4, Bits8, Component, update_ff
from pymtl3.stdlib.mem import MemMsgType

from rsaxcel.fl.xcel import XcelReqMsg
from rsaxcel.proc.instruction_sets import INSTRUCTION_SETS, RV32IM, InstructionSet
from rsaxcel.proc.isa import (
    CSR_BY_ADDRESS,
    RESET_VECTOR,
    XCEL_BASE,
    XCEL_REGISTERS,
    Cause,
    Decoded,
    End,
)
from rsaxcel.proc.ports import MemReqMsg, Word, add_processor_ports
from rsaxcel.proc.semantics import (
    CONDITIONS,
    EXPRESSIONS,
    LOADS,
    MASK,
    STORES,
    function,
    sign_extend,
)

_OPERATIONS = {name: function(text) for name, text in (EXPRESSIONS | CONDITIONS).items()}
_OUTSIDE = 1


class Transfer(NamedTuple):
    """A transfer of a message at a port; the processor waits for its end."""

    port: str  #: port of the transfer; empty: the run has ended
    message: Any = None  #: message that the processor sends


class Hart:
    """State of a processor core (RISC-V: hart), which executes as a sequence of transfers."""

    def __init__(self, pc: int, num_cores: int, instruction_set: InstructionSet) -> None:
        self.pc = pc
        self.instruction_set = instruction_set
        self.registers = [0] * 32
        self.instret = 0
        self.stats_en = 0
        self.core_id = 0
        self.num_cores = num_cores
        self.end: End | None = None

    def steps(self) -> Generator[Transfer, Any, None]:
        """Execute instructions: yield each transfer, and receive the message of its response."""
        while self.end is None:
            response = yield Transfer("imem", _memory_request(MemMsgType.READ, self.pc, 4))
            if response.test == _OUTSIDE:
                self.end = End(Cause.OUTSIDE_MEMORY, self.pc, 0, self.pc)
                break
            word = int(response.data)
            decoded = self.instruction_set.decode(word)
            if decoded is None:
                self.end = End(Cause.ILLEGAL_INSTRUCTION, self.pc, word)
                break
            fault = yield from self._execute(decoded)
            if fault is not None:
                self.end = End(fault[0], self.pc, word, fault[1])
                if fault[0].is_fault:
                    break
            self.registers[0] = 0
            self.instret += 1
        yield Transfer("")

    def _execute(self, decoded: Decoded) -> Generator[Transfer, Any, tuple[Cause, int] | None]:
        """Execute one instruction; return cause and value (``End``) if it ends the run."""
        x, unit, name = self.registers, decoded.unit, decoded.name
        next_pc = self.pc + 4
        a, b = x[decoded.rs1], x[decoded.rs2]
        if unit in ("alu", "mul", "div"):
            x[decoded.rd] = self._compute(decoded)
        elif unit in ("load", "store"):
            fault = yield from self._access(decoded)
            if fault is not None:
                return fault
        elif unit == "csr":
            yield from self._control(decoded)
        elif unit == "ecall":
            return Cause.ECALL, x[10]
        elif unit == "jump" or (unit == "branch" and _OPERATIONS[name](a, b)):
            target = a + decoded.imm & MASK - 1 if name == "jalr" else self.pc + decoded.imm & MASK
            if target & 3:
                return Cause.MISALIGNED, target
            if unit == "jump":
                x[decoded.rd] = next_pc
            if target == self.pc:
                return Cause.SELF_JUMP, 0
            next_pc = target
        self.pc = next_pc & MASK
        return None

    def _compute(self, decoded: Decoded) -> int:
        if decoded.name == "lui":
            return decoded.imm & MASK
        if decoded.name == "auipc":
            return self.pc + decoded.imm & MASK
        reads_rs2 = decoded.instruction.reads_rs2
        b = self.registers[decoded.rs2] if reads_rs2 else decoded.imm & MASK
        return _OPERATIONS[decoded.name](self.registers[decoded.rs1], b)

    def _access(self, decoded: Decoded) -> Generator[Transfer, Any, tuple[Cause, int] | None]:
        """Execute a load or store; return cause and address if it fails."""
        is_load = decoded.unit == "load"
        nbytes, signed = LOADS[decoded.name] if is_load else (STORES[decoded.name], False)
        address = self.registers[decoded.rs1] + decoded.imm & MASK
        if address % nbytes:
            return Cause.MISALIGNED, address
        kind = MemMsgType.READ if is_load else MemMsgType.WRITE
        mask = (1 << 8 * nbytes) - 1
        data = 0 if is_load else self.registers[decoded.rs2] & mask
        response = yield Transfer("dmem", _memory_request(kind, address, nbytes, data))
        if response.test == _OUTSIDE:
            return Cause.OUTSIDE_MEMORY, address
        if is_load:
            value = int(response.data) & mask
            self.registers[decoded.rd] = sign_extend(value, nbytes) if signed else value
        return None

    def _control(self, decoded: Decoded) -> Generator[Transfer, Any, None]:
        """Read or write a control register."""
        register = decoded.csr - XCEL_BASE
        is_xcel = 0 <= register < XCEL_REGISTERS
        name = CSR_BY_ADDRESS[decoded.csr].name
        if decoded.name == "csrr":
            if is_xcel:
                response = yield Transfer("xcel", XcelReqMsg(0, register, 0))
                value = response.data
            elif name == "mngr2proc":
                value = yield Transfer("mngr2proc")
            else:
                value = {
                    "cycle": self.instret & MASK,
                    "instret": self.instret & MASK,
                    "cycleh": self.instret >> 32 & MASK,
                    "instreth": self.instret >> 32 & MASK,
                    "coreid": self.core_id,
                    "numcores": self.num_cores,
                }[name]
            self.registers[decoded.rd] = int(value)
            return
        value = decoded.imm if decoded.name == "csrwi" else self.registers[decoded.rs1]
        if is_xcel:
            yield Transfer("xcel", XcelReqMsg(1, register, value))
        elif name == "proc2mngr":
            yield Transfer("proc2mngr", Word(value))
        else:
            self.stats_en = value & 1


def _memory_request(kind: int, address: int, nbytes: int, data: int = 0) -> Any:
    return MemReqMsg(Bits4(kind), Bits8(0), Word(address), Bits2(nbytes & 3), Word(data))


class ProcFL(Component):
    """Processor that executes one instruction at a time, with one transfer at a time.

    The control register ``cycle`` counts instructions instead of cycles.

    Parameters
    ----------
    reset_vector : int; address of the first instruction
    num_cores : int; value of the control register ``numcores``

    Ports
    -----
    See ``proc.ports.add_processor_ports``.
    """

    def construct(s, reset_vector: int = RESET_VECTOR, num_cores: int = 1, isa: str = RV32IM.name):
        add_processor_ports(s)
        s.new_hart = lambda: Hart(reset_vector, num_cores, INSTRUCTION_SETS[isa])
        s.hart = s.new_hart()
        s.running: Any = None
        s.transfer = Transfer("")
        s.has_response = False  #: the request has been accepted, the response is pending

        @update_ff
        def seq_step():
            before = s.hart.instret
            if s.reset:
                s.hart = s.new_hart()
                s.running = s.hart.steps()
                s.transfer = Transfer("")
                s.has_response = False
            else:
                s._advance()
            port, message = s.transfer
            is_request = not s.has_response
            for_memory = message if port in ("imem", "dmem") else MemReqMsg()
            s.imem.req.val <<= Bits1(port == "imem" and is_request)
            s.imem.req.msg <<= for_memory
            s.imem.resp.rdy <<= Bits1(port == "imem" and s.has_response)
            s.dmem.req.val <<= Bits1(port == "dmem" and is_request)
            s.dmem.req.msg <<= for_memory
            s.dmem.resp.rdy <<= Bits1(port == "dmem" and s.has_response)
            s.xcel.req.val <<= Bits1(port == "xcel" and is_request)
            s.xcel.req.msg <<= message if port == "xcel" else XcelReqMsg()
            s.xcel.resp.rdy <<= Bits1(port == "xcel" and s.has_response)
            s.mngr2proc.rdy <<= Bits1(port == "mngr2proc")
            s.proc2mngr.val <<= Bits1(port == "proc2mngr")
            s.proc2mngr.msg <<= message if port == "proc2mngr" else Word(0)
            s.stats_en <<= s.hart.stats_en
            s.commit_inst <<= Bits1(s.hart.instret > before and not s.reset)
            end = s.hart.end or End(Cause.NONE, s.hart.pc, 0)
            s.trap_val <<= Bits1(s.hart.end is not None)
            s.trap_cause <<= int(end.cause)
            s.trap_pc <<= end.pc
            s.trap_inst <<= end.word
            s.trap_value <<= end.value

    def _advance(s) -> None:
        """Begin the next transfer if the current one ends in this cycle."""
        answer = None
        if s.transfer.port in ("imem", "dmem", "xcel"):
            master = getattr(s, s.transfer.port)
            if not s.has_response:
                s.has_response = bool(master.req.val & master.req.rdy)
                return
            if not master.resp.val & master.resp.rdy:
                return
            answer = master.resp.msg
            s.has_response = False
        elif s.transfer.port:
            stream = getattr(s, s.transfer.port)
            if not stream.val & stream.rdy:
                return
            answer = stream.msg
        elif s.hart.end is not None:
            return
        s.hart.core_id = int(s.core_id)
        s.transfer = s.running.send(answer)

    def line_trace(s):
        return f"{s.hart.pc:08x}" + ("*" if s.commit_inst else " ")
