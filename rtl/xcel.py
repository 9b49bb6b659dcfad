"""Components on the processor's xcel interface: an adapter for exponentiators, or nothing."""

from collections.abc import Callable

from pymtl3 import (
    Bits1,
    Bits5,
    Bits32,
    Component,
    Wire,
    clog2,
    connect,
    mk_bits,
    update,
    update_ff,
    zext,
)
from pymtl3.stdlib.stream.ifcs import MinionIfcRTL

from rsaxcel.fl.status import STATUS_NBITS
from rsaxcel.fl.word_serial import WORD_NBITS, words_per_constant, words_per_operand
from rsaxcel.fl.xcel import (
    BUSY_BIT,
    OPERANDS,
    READY_BIT,
    STATUS_LSB,
    Register,
    XcelReqMsg,
    XcelRespMsg,
)
from rsaxcel.plan.halves import Halves, modulus_nbits
from rsaxcel.plan.modulus_constants import Widths
from rsaxcel.rtl.lib.operand_registers import ConstantRegisters, OperandRegister

# PyMTL3's update blocks accept plain integers only, not members of an enumeration.
GO, RESULT, STATE = int(Register.GO), int(Register.RESULT), int(Register.STATE)
BASE, EXPONENT, MODULUS = int(Register.BASE), int(Register.EXPONENT), int(Register.MODULUS)
CONSTANTS = int(Register.CONSTANTS)


class XcelAdapter(Component):
    """Word-serial registers (``fl.xcel.Register``) in front of an exponentiator.

    Registers hold the operands, also after an exponentiation. The result stays in the
    exponentiator, which holds its response until the next start.

    Parameters
    ----------
    nbits : int; width in bits of base and result. It is also the width of the modulus, unless
        ``halves`` is given
    exponentiator : callable; returns a new exponentiator: ``recv`` {b, e, m, wide}, or with host
        constants {b, e, m, constants, wide, missing} (``fl.messages.power_request``); ``send``
        {r, status}, held until it is taken
    design_id : int; value that a read of the exponent's register returns
    constants : tuple of (str, int); names of the constants that the host supplies, and their widths
        in bits
    exponent_nbits : int; width of the exponent in bits
    halves : plan.halves.Halves or None; layout of a modulus that consists of two moduli, the primes
        of a key (CRT); None: the modulus is one number

    Ports
    -----
    xcel : minion; req {type_, addr, data}, resp {type_, data}

    Latency: 1 cycle; a request per cycle while responses are taken. The exponentiator gets its
    request in the cycle after the write that starts it; this write is answered when the request is
    accepted. Reads of status or result are answered in the cycle in which the exponentiator
    responds. A start or a clearing while the exponentiator is busy waits until it is done. A
    clearing writes zeros to all operands, sends them to the exponentiator, and is answered after
    the exponentiator's response.
    """

    def construct(
        s,
        nbits: int,
        exponentiator: Callable[[], Component],
        design_id: int,
        constants: Widths,
        exponent_nbits: int,
        halves: Halves | None = None,
    ):
        s.xcel = MinionIfcRTL(XcelReqMsg, XcelRespMsg)
        s.exponentiator = exponentiator()

        words = words_per_operand(nbits)
        top_nbits = nbits - WORD_NBITS * (words - 1)
        operand_nbits = max(nbits, modulus_nbits(nbits, halves))
        operand_words = words_per_operand(operand_nbits)
        each = words_per_constant(operand_nbits, (width for _, width in constants))
        constant_words = each * len(constants)
        s.full_reg = Wire(Bits1)  #: a request waits for its response
        s.write_reg = Wire(Bits1)
        s.address_reg = Wire(Bits5)
        s.start_reg = Wire(Bits1)  #: the exponentiator has not accepted the start yet
        s.started_reg = Wire(Bits1)  #: the exponentiator has a request or holds a response
        s.wipe_reg = Wire(Bits1)  #: zeros are written to the operands in this cycle
        s.clears_reg = Wire(Bits1)  #: a clearing is running
        s.zeros_reg = Wire(Bits1)  #: the exponentiator has accepted the zeros
        s.status_reg = Wire(mk_bits(STATUS_NBITS))
        s.result_position_reg = Wire(mk_bits(clog2(words + 1)))  #: stays at ``words`` past the end

        s.accepts = Wire(Bits1)
        s.writes = Wire(Bits1)
        s.starts = Wire(Bits1)
        s.clears = Wire(Bits1)
        s.rewinds = Wire(Bits1)
        s.rewinds_result = Wire(Bits1)

        @update
        def comb_request():
            s.xcel.req.rdy @= ~s.full_reg | (s.xcel.resp.val & s.xcel.resp.rdy)
            s.accepts @= s.xcel.req.val & s.xcel.req.rdy
            s.writes @= s.accepts & s.xcel.req.msg.type_
            s.starts @= s.writes & (s.xcel.req.msg.addr == GO) & s.xcel.req.msg.data[0]
            s.rewinds @= s.writes & ((s.xcel.req.msg.addr == GO) | (s.xcel.req.msg.addr == STATE))
            s.clears @= s.writes & (s.xcel.req.msg.addr == STATE) & s.xcel.req.msg.data[0]
            s.rewinds_result @= s.writes & (
                (s.xcel.req.msg.addr == GO) | (s.xcel.req.msg.addr == RESULT)
            )

        s.base = OperandRegister(nbits)
        s.exponent = OperandRegister(exponent_nbits)
        s.modulus = OperandRegister(modulus_nbits(nbits, halves))
        s.word = Wire(Bits32)
        s.begins_operands = Wire(Bits1)
        s.operand_address = [Wire(Bits5) for _ in OPERANDS]
        s.writes_operand = [Wire(Bits1) for _ in OPERANDS]
        for i, (operand, register, name) in enumerate(
            zip((s.base, s.exponent, s.modulus), OPERANDS, ("b", "e", "m"), strict=True)
        ):
            s.operand_address[i] //= int(register)
            operand.write //= s.writes_operand[i]
            operand.data //= s.word
            operand.rewind //= s.begins_operands
            operand.value //= getattr(s.exponentiator.recv.msg, name)

        @update
        def comb_operands():
            s.word @= s.xcel.req.msg.data
            if s.wipe_reg:
                s.word @= 0
            s.begins_operands @= s.rewinds | s.wipe_reg
            for i in range(3):
                s.writes_operand[i] @= s.wipe_reg | (
                    s.writes & (s.xcel.req.msg.addr == s.operand_address[i])
                )

        if constants:
            s.constants = ConstantRegisters(operand_nbits, constants)
            s.constants.data //= s.word
            s.constants.rewind //= s.begins_operands
            s.constants.missing //= s.exponentiator.recv.msg.missing
            for name, _ in constants:
                connect(getattr(s.constants, name), getattr(s.exponentiator.recv.msg, name))
            s.constants.modulus_write //= s.writes_operand[2]

            @update
            def comb_constants():
                s.constants.write @= s.wipe_reg | (s.writes & (s.xcel.req.msg.addr == CONSTANTS))

        s.drains = Wire(Bits1)
        s.busy = Wire(Bits1)
        s.done = Wire(Bits1)
        s.status = Wire(mk_bits(STATUS_NBITS))
        s.state = Wire(Bits32)
        s.state[BUSY_BIT] //= s.busy
        s.state[READY_BIT] //= s.done
        s.state[READY_BIT + 1 : STATUS_LSB] //= 0
        s.state[STATUS_LSB : STATUS_LSB + STATUS_NBITS] //= s.status
        s.state[STATUS_LSB + STATUS_NBITS : WORD_NBITS] //= 0

        @update
        def comb_exponentiator():
            s.exponentiator.recv.msg.wide @= s.base.wide | s.exponent.wide | s.modulus.wide
            s.exponentiator.recv.val @= ~s.started_reg & (
                s.start_reg | (s.clears_reg & ~s.wipe_reg & ~s.zeros_reg)
            )
            # The write that starts the next exponentiation takes and drops the last response. If
            # the exponentiator is busy at this write, its response is dropped as soon as it comes.
            s.exponentiator.send.rdy @= s.started_reg & (s.starts | s.start_reg | s.clears_reg)
            s.drains @= s.exponentiator.send.val & s.exponentiator.send.rdy
            s.busy @= s.started_reg & ~s.exponentiator.send.val
            s.done @= s.started_reg & s.exponentiator.send.val
            s.status @= s.status_reg
            if s.done:
                s.status @= s.exponentiator.send.msg.status

        s.result_words = [Wire(Bits32) for _ in range(words)]
        for i in range(words):
            width = top_nbits if i == words - 1 else WORD_NBITS
            low = WORD_NBITS * i
            s.result_words[i][0:width] //= s.exponentiator.send.msg.r[low : low + width]
            if width < WORD_NBITS:
                s.result_words[i][width:WORD_NBITS] //= 0
        s.reads_result = Wire(Bits1)
        s.waits = Wire(Bits1)

        @update
        def comb_response():
            s.reads_result @= ~s.write_reg & (s.address_reg == RESULT)
            s.waits @= s.clears_reg | (s.start_reg & (s.started_reg | ~s.exponentiator.recv.rdy))
            if s.reads_result | (~s.write_reg & (s.address_reg == GO)):
                s.waits @= s.busy
            s.xcel.resp.val @= s.full_reg & ~s.waits

        @update
        def comb_data():
            s.xcel.resp.msg.type_ @= s.write_reg
            s.xcel.resp.msg.data @= 0
            if ~s.write_reg:
                if s.address_reg == GO:
                    s.xcel.resp.msg.data @= zext(s.status, Bits32)
                elif s.address_reg == BASE:
                    s.xcel.resp.msg.data @= operand_words
                elif s.address_reg == EXPONENT:
                    s.xcel.resp.msg.data @= design_id
                elif s.address_reg == MODULUS:
                    s.xcel.resp.msg.data @= constant_words
                elif s.address_reg == RESULT:
                    for i in range(words):
                        if s.done & (s.result_position_reg == i):
                            s.xcel.resp.msg.data @= s.result_words[i]
                elif s.address_reg == STATE:
                    s.xcel.resp.msg.data @= s.state

        @update_ff
        def seq_request():
            if s.reset:
                s.full_reg <<= 0
            elif s.accepts:
                s.full_reg <<= 1
            elif s.xcel.resp.val & s.xcel.resp.rdy:
                s.full_reg <<= 0
            if s.accepts:
                s.write_reg <<= s.xcel.req.msg.type_
                s.address_reg <<= s.xcel.req.msg.addr

        @update_ff
        def seq_exponentiator():
            if s.reset:
                s.start_reg <<= 0
                s.started_reg <<= 0
                s.status_reg <<= 0
            else:
                if s.starts:
                    s.start_reg <<= 1
                elif s.exponentiator.recv.val & s.exponentiator.recv.rdy:
                    s.start_reg <<= 0
                if s.drains:
                    s.started_reg <<= 0
                    s.status_reg <<= s.exponentiator.send.msg.status
                    if s.clears_reg:
                        s.status_reg <<= 0
                elif s.exponentiator.recv.val & s.exponentiator.recv.rdy:
                    s.started_reg <<= 1

        @update_ff
        def seq_clearing():
            s.wipe_reg <<= s.clears & ~s.reset
            if s.reset:
                s.clears_reg <<= 0
                s.zeros_reg <<= 0
            elif s.clears:
                s.clears_reg <<= 1
            elif s.clears_reg & s.drains & s.zeros_reg:
                s.clears_reg <<= 0
                s.zeros_reg <<= 0
            elif s.clears_reg & s.exponentiator.recv.val & s.exponentiator.recv.rdy:
                s.zeros_reg <<= 1

        # No reset: the position is used only after a start, which sets it to 0.
        @update_ff
        def seq_result_position():
            if s.rewinds_result:
                s.result_position_reg <<= 0
            elif s.reads_result & s.xcel.resp.val & s.xcel.resp.rdy:
                if s.result_position_reg != words:
                    s.result_position_reg <<= s.result_position_reg + 1

    def line_trace(s):
        return f"{s.xcel.req}({s.exponentiator.line_trace()}){s.xcel.resp}"


class NullXcel(Component):
    """Answers every request: ignores writes, reads 0.

    Ports
    -----
    xcel : minion; req {type_, addr, data}, resp {type_, data}

    Latency: 1 cycle; a request per cycle while responses are taken.
    """

    def construct(s):
        s.xcel = MinionIfcRTL(XcelReqMsg, XcelRespMsg)
        s.full_reg = Wire(Bits1)
        s.write_reg = Wire(Bits1)

        @update
        def comb_ports():
            s.xcel.req.rdy @= ~s.full_reg | s.xcel.resp.rdy
            s.xcel.resp.val @= s.full_reg
            s.xcel.resp.msg.type_ @= s.write_reg
            s.xcel.resp.msg.data @= 0

        @update_ff
        def seq_request():
            if s.reset:
                s.full_reg <<= 0
            elif s.xcel.req.rdy:
                s.full_reg <<= s.xcel.req.val
                s.write_reg <<= s.xcel.req.msg.type_

    def line_trace(s):
        return f"{s.xcel.req}(){s.xcel.resp}"
