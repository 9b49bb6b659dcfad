"""The accelerator's registers as software sees them: golden model of every adapter.

Operands and results pass as 32-bit words, least significant first, through one register each. The
first word of an operand sets all others to zero; an operand without a word keeps its value.
"""

from collections.abc import Callable
from enum import IntEnum
from typing import Any, Protocol

from pymtl3 import Bits1, Component, Wire, update, update_ff
from pymtl3.stdlib.ifcs import mk_xcel_msg
from pymtl3.stdlib.stream.ifcs import MinionIfcRTL

from rsaxcel.fl.word_serial import WORD_NBITS, OperandFile, words_per_operand

#: Request {type_, addr, data} (type_ is 1 for a write), response {type_, data}.
XcelReqMsg, XcelRespMsg = mk_xcel_msg(5, WORD_NBITS)


class Register(IntEnum):
    """Addresses of the registers; all other addresses ignore writes and read 0.

    A rewind makes the next word of an operand or result the first one.
    """

    #: Write: rewinds operands, constants and result; bit 0 starts an exponentiation. Read: waits
    #: for the end of the exponentiation, and gives its status.
    GO = 0
    #: Write: next word of the base. Read: number of words of the longest of base, result and
    #: modulus.
    BASE = 1
    #: Write: next word of the exponent. Read: design id, a stable number; 0 for a composition.
    EXPONENT = 2
    #: Write: next word of the modulus. Read: number of words of all host constants together.
    MODULUS = 3
    #: Write: rewinds the result. Read: waits for the result, and gives its next word; 0 after the
    #: last word.
    RESULT = 4
    #: Write: rewinds operands and constants. If bit 0 is 1, these and the result are also cleared,
    #: here and in the exponentiator, once it is not busy; the write is answered after that. Read:
    #: bit 0 busy, bit 1 result ready, bits 15..8 last status.
    STATE = 5
    #: Write: next word of the host's constants, one after the other, each padded to equally many
    #: words (fl.word_serial.words_per_constant); ignored without constants. Read: 0. The first word
    #: of a modulus drops the constants before it.
    CONSTANTS = 6


#: Registers of the operands, in the order of an exponentiator's request.
OPERANDS = (Register.BASE, Register.EXPONENT, Register.MODULUS)

#: Positions in STATE: bit for busy, bit for result ready, lowest bit of the last status.
BUSY_BIT, READY_BIT, STATUS_LSB = 0, 1, 8


class Registers(Protocol):
    """Interface of registers behind an xcel interface: reads and writes in plain Python."""

    def write(self, address: int, data: int) -> None:
        """Write 32 bits to the register at an address."""

    def read(self, address: int) -> int:
        """Read 32 bits from the register at an address."""


class XcelRegisters:
    """Registers of one accelerator, without timing: the write to GO executes an exponentiation."""

    def __init__(self, configuration: Any):
        self._configuration = configuration
        self._words = words_per_operand(configuration.operand_nbits)
        self._clear()

    def _clear(self) -> None:
        configuration = self._configuration
        nbits, modulus_nbits = configuration.nbits, configuration.modulus_nbits
        widths = (nbits, configuration.exponent_nbits, modulus_nbits)
        self._operands = OperandFile(
            configuration,
            dict(zip(OPERANDS, widths, strict=True)),
            Register.MODULUS,
            Register.CONSTANTS,
        )
        self._result_words = 0  #: words read since the rewind
        self._result = 0
        self._status = 0
        self._ready = False

    def write(self, address: int, data: int) -> None:
        if address in self._operands:
            self._operands.write(address, data)
        if address in (Register.GO, Register.STATE):
            self._operands.rewind()
        if address == Register.STATE and data & 1:
            self._clear()
        if address in (Register.GO, Register.RESULT):
            self._result_words = 0
        if address == Register.GO and data & 1:
            constants = self._operands.constants
            self._result, self._status = self._configuration.outcome(
                *self._operands.values, constants.values, constants.missing
            )
            self._ready = True

    def read(self, address: int) -> int:
        """Successive reads of RESULT give successive words."""
        if address == Register.GO:
            return int(self._status)
        if address == Register.BASE:
            return self._words
        if address == Register.EXPONENT:
            return self._configuration.design_id
        if address == Register.MODULUS:
            return self._operands.constants.count
        if address == Register.RESULT:
            return self._next_result_word()
        if address == Register.STATE:
            return self._ready << READY_BIT | int(self._status) << STATUS_LSB
        return 0

    def _next_result_word(self) -> int:
        word = self._result >> WORD_NBITS * self._result_words
        self._result_words = min(self._result_words + 1, self._words)
        return word & (1 << WORD_NBITS) - 1


class NullRegisters:
    """Registers of a system without an accelerator: writes are ignored, reads give 0.

    So software reads 0 as the number of words of an operand (``Register.BASE``).
    """

    def write(self, address: int, data: int) -> None:
        """Ignore the write."""

    def read(self, address: int) -> int:
        return 0


class RegisterUnit(Component):
    """Component with an xcel interface, which passes each request to plain Python registers.

    Parameters
    ----------
    make_registers : callable; returns new registers; called at every reset

    Ports
    -----
    xcel : minion; req {type_, addr, data}, resp {type_, data}

    Latency: 1 cycle; a request per cycle while responses are taken.
    """

    def construct(s, make_registers: Callable[[], Registers]):
        s.xcel = MinionIfcRTL(XcelReqMsg, XcelRespMsg)
        s.full_reg = Wire(Bits1)
        s.response_reg = Wire(XcelRespMsg)
        s.registers = make_registers()

        @update
        def comb_handshake():
            s.xcel.req.rdy @= ~s.full_reg | s.xcel.resp.rdy

        s.xcel.resp.val //= s.full_reg
        s.xcel.resp.msg //= s.response_reg

        @update_ff
        def seq_registers():
            if s.reset:
                s.registers = make_registers()
                s.full_reg <<= 0
            elif s.xcel.req.val & s.xcel.req.rdy:
                request = s.xcel.req.msg
                address, data = int(request.addr), 0
                if request.type_:
                    s.registers.write(address, int(request.data))
                else:
                    data = s.registers.read(address)
                s.full_reg <<= 1
                s.response_reg <<= XcelRespMsg(int(request.type_), data)
            elif s.xcel.resp.rdy:
                s.full_reg <<= 0

    def line_trace(s):
        return f"{s.xcel.req}(){s.xcel.resp}"
