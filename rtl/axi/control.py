"""Control of the accelerator on a bus: commands, rules of length, state machine, interrupts."""

from pymtl3 import (
    Bits1,
    Bits3,
    Bits32,
    Component,
    InPort,
    OutPort,
    Wire,
    clog2,
    mk_bits,
    trunc,
    update,
    update_ff,
    zext,
)

from rsaxcel.fl.pkcs1 import OVERHEAD_NBYTES, UNPADDED_NBYTES
from rsaxcel.fl.register_map import (
    CLEAR,
    DECRYPT,
    DROPPED,
    INTERRUPTS_NBITS,
    REWIND,
    START,
    WORD_NBITS,
    WORD_NBYTES,
)
from rsaxcel.fl.status import STATUS_NBITS, Status

OK, KEY_TOO_SHORT = int(Status.OK), int(Status.KEY_TOO_SHORT)
MESSAGE_TOO_LONG, LENGTH_WRONG = int(Status.MESSAGE_TOO_LONG), int(Status.LENGTH_WRONG)
PADDING_WRONG = int(Status.PADDING_WRONG)
# PyMTL3's update blocks accept plain integers only, not fields of objects.
START_BIT, DECRYPT_BIT, DROPPED_BIT = START.lsb, DECRYPT.lsb, DROPPED.lsb
REWIND_BIT, CLEAR_BIT = REWIND.lsb, CLEAR.lsb

IDLE, JUDGE, FILL, SEND, RUN, SCAN, WIPE, ZERO = range(8)


class LengthRules(Component):
    """Checks the lengths of an operation before it begins, as ``fl.bus.BusRegisters`` does.

    Parameters
    ----------
    words : int; words of 32 bits of the longest block

    Ports
    -----
    written : in, 32 bits; length of the message in bytes, as written by software
    block : in, clog2(4 * words + 1) bits; bytes of the modulus
    decrypt, unpadded, signature : in, 1 bit each; bit DECRYPT of the register STATUS, bits UNPADDED
        and SIGNATURE of the register MODE
    padded : out, 1 bit; blocks have a padding
    removes : out, 1 bit; the padding is removed after the exponentiation, not added before it
    length : out, clog2(4 * words + 1) bits; ``written``, or the greatest length allowed if
        ``exceeds`` is 1
    exceeds : out, 1 bit; ``written`` is above the greatest length allowed
    status : out, STATUS_NBITS bits; 0, or the status with which the operation is refused

    Combinational.
    """

    def construct(s, words):
        # Wide enough for the length of a block, and for OVERHEAD_NBYTES, with which it is compared.
        Length = mk_bits(max(clog2(WORD_NBYTES * words + 1), clog2(OVERHEAD_NBYTES + 1)))
        Port = mk_bits(clog2(WORD_NBYTES * words + 1))
        s.written = InPort(WORD_NBITS)
        s.block = InPort(Port)
        s.decrypt = InPort(1)
        s.unpadded = InPort(1)
        s.signature = InPort(1)
        s.padded = OutPort(1)
        s.removes = OutPort(1)
        s.length = OutPort(Port)
        s.exceeds = OutPort(1)
        s.status = OutPort(STATUS_NBITS)
        s.short = Wire(Bits1)
        s.most = Wire(Length)
        s.wide_block = Wire(Length)

        @update
        def comb_padded():
            s.wide_block @= zext(s.block, Length)
            s.padded @= ~s.unpadded & (s.wide_block > UNPADDED_NBYTES)
            s.short @= s.padded & (s.wide_block < OVERHEAD_NBYTES)
            s.removes @= s.padded & (s.decrypt ^ s.signature)

        @update
        def comb_length():
            s.most @= s.wide_block
            if s.padded & ~s.removes:
                s.most @= 0
                if ~s.short:
                    s.most @= s.wide_block - OVERHEAD_NBYTES
            s.exceeds @= s.written > zext(s.most, Bits32)
            s.length @= trunc(s.most, Port)
            if ~s.exceeds:
                s.length @= trunc(s.written, Port)

        @update
        def comb_status():
            s.status @= OK
            if s.short:
                s.status @= KEY_TOO_SHORT
            elif s.exceeds:
                s.status @= MESSAGE_TOO_LONG
            elif s.removes & (s.length != s.block):
                s.status @= LENGTH_WRONG


class Interrupts(Component):
    """Counts the ends of operations that software has not acknowledged.

    An end in the cycle of an acknowledgement is counted and is not acknowledged by it.

    Ports
    -----
    ends : in, 1 bit; an operation ends
    acknowledge : in, 1 bit; ``count`` ends are acknowledged
    count : in, 32 bits
    waiting : out, INTERRUPTS_NBITS bits; ends not acknowledged; the number saturates; 0 after reset
    """

    def construct(s):
        Count = mk_bits(INTERRUPTS_NBITS)
        most = (1 << INTERRUPTS_NBITS) - 1
        s.ends = InPort(1)
        s.acknowledge = InPort(1)
        s.count = InPort(WORD_NBITS)
        s.waiting = OutPort(Count)
        s.waiting_reg = Wire(Count)
        s.waiting //= s.waiting_reg
        s.left = Wire(Count)

        @update
        def comb_left():
            s.left @= s.waiting_reg
            if s.acknowledge:
                s.left @= s.waiting_reg - s.count[0:INTERRUPTS_NBITS]
                if (s.count[INTERRUPTS_NBITS:WORD_NBITS] != 0) | (
                    s.count[0:INTERRUPTS_NBITS] > s.waiting_reg
                ):
                    s.left @= 0

        @update_ff
        def seq_waiting():
            if s.reset:
                s.waiting_reg <<= 0
            elif s.ends & (s.left != most):
                s.waiting_reg <<= s.left + 1
            else:
                s.waiting_reg <<= s.left


class Commands(Component):
    """Passes on writes of software while the accelerator is idle; drops writes while it is busy.

    A dropped write sets ``dropped``, except a write to the bit DECRYPT. The command ``clear`` is
    given even while the accelerator is busy.

    Parameters
    ----------
    blocked : int; number of registers that are not written while busy
    words : int; size of the buffer of the message in words of 32 bits

    Ports
    -----
    busy : in, 1 bit; an operation or a clearing runs
    data, mask : in, 32 bits each; data of the write, and which bits are written
    status, control : in, 1 bit each; the register STATUS is written; the register CONTROL is
        written
    asks : in, 1 bit each; software writes to this blocked register. The first blocked register is
        special: ``data`` is then the index at which a word is stored in the buffer
    takes : out, 1 bit each; the write to this blocked register has an effect: not busy
    stores : out, 1 bit; a word is stored in the buffer; 0 if the buffer does not have the index
    start, clear, rewind : out, 1 bit each; software gives this command by its write
    decrypt : out, 1 bit; the bit DECRYPT of STATUS, held
    dropped : out, 1 bit; a write was dropped; held until software clears the bit DROPPED
    """

    def construct(s, blocked, words):
        s.busy = InPort(1)
        s.data = InPort(WORD_NBITS)
        s.mask = InPort(WORD_NBITS)
        s.status = InPort(1)
        s.control = InPort(1)
        s.asks = [InPort(1) for _ in range(blocked)]
        s.takes = [OutPort(1) for _ in range(blocked)]
        s.stores = OutPort(1)
        s.start = OutPort(1)
        s.clear = OutPort(1)
        s.rewind = OutPort(1)
        s.decrypt = OutPort(1)
        s.dropped = OutPort(1)
        s.drops = Wire(Bits1)
        s.rewinds = Wire(Bits1)
        s.decrypt_reg = Wire(Bits1)
        s.dropped_reg = Wire(Bits1)
        s.decrypt //= s.decrypt_reg
        s.dropped //= s.dropped_reg

        @update
        def comb_commands():
            s.start @= s.status & s.data[START_BIT] & ~s.busy
            s.clear @= s.control & s.data[CLEAR_BIT]
            s.rewinds @= s.control & s.data[REWIND_BIT] & ~s.data[CLEAR_BIT]
            s.rewind @= s.rewinds & ~s.busy
            s.stores @= s.asks[0] & ~s.busy & (s.data < words)

        @update
        def comb_drops():
            s.drops @= s.asks[0] & ~s.stores
            if s.busy & (s.rewinds | (s.status & s.data[START_BIT])):
                s.drops @= 1
            for i in range(blocked):
                s.takes[i] @= s.asks[i] & ~s.busy
                if s.asks[i] & s.busy:
                    s.drops @= 1

        @update_ff
        def seq_decrypt():
            if s.reset:
                s.decrypt_reg <<= 0
            elif s.status & s.mask[DECRYPT_BIT] & ~s.busy:
                s.decrypt_reg <<= s.data[DECRYPT_BIT]

        @update_ff
        def seq_dropped():
            if s.reset:
                s.dropped_reg <<= 0
            elif s.drops:
                s.dropped_reg <<= 1
            elif s.status & s.data[DROPPED_BIT]:
                s.dropped_reg <<= 0


class Control(Component):
    """Sequences an operation (check lengths, pad, exponentiate, unpad), or a clearing.

    A clearing writes zeros to all registers and to the block. Then it sends these zeros to the
    exponentiator, which refuses the request but overwrites its operands.

    Parameters
    ----------
    words : int; words of 32 bits of the longest block

    Ports
    -----
    start : in, 1 bit; begin an operation; only while idle
    clear : in, 1 bit; begin a clearing, at once or after the current operation; an operation that
        still fills its block is cancelled
    refusal : in, STATUS_NBITS bits; 0, or the status with which the operation is refused
    removes : in, 1 bit; a padding is removed from the result
    block : in, clog2(4 * words + 1) bits; bytes of the modulus
    fill, scan, cancel, active, good, found : ports of ``Padding``, with opposite directions
    recv_val, recv_rdy, send_val, send_rdy, send_status : ports of the exponentiator, with opposite
        directions
    busy, done : out, 1 bit each; bits BUSY and DONE of the register STATUS
    status : out, STATUS_NBITS bits; status of the last operation
    length : out, clog2(4 * words + 1) bits; number of bytes of the last output
    rewind : out, 1 bit; the next word of each operand is its first one
    zero : out, 1 bit; clear all registers of key and message
    ends : out, 1 bit; an operation or a clearing ends in this cycle

    Latency of an operation: 1 cycle to check it, the cycles to fill the block, 2 cycles, the
    latency of the exponentiator, and, if a padding is removed, the cycles to scan the block and 1
    cycle.
    """

    revises = False  #: a response that waits may become a refusal, while its padding is removed

    def construct(s, words):
        Length = mk_bits(clog2(WORD_NBYTES * words + 1))
        Code = mk_bits(STATUS_NBITS)
        s.start = InPort(1)
        s.clear = InPort(1)
        s.refusal = InPort(Code)
        s.removes = InPort(1)
        s.block = InPort(Length)
        s.fill = OutPort(1)
        s.scan = OutPort(1)
        s.cancel = OutPort(1)
        s.active = InPort(1)
        s.good = InPort(1)
        s.found = InPort(Length)
        s.recv_val = OutPort(1)
        s.recv_rdy = InPort(1)
        s.send_val = InPort(1)
        s.send_rdy = OutPort(1)
        s.send_status = InPort(Code)
        s.busy = OutPort(1)
        s.done = OutPort(1)
        s.status = OutPort(Code)
        s.length = OutPort(Length)
        s.rewind = OutPort(1)
        s.zero = OutPort(1)
        s.ends = OutPort(1)

        s.state_reg = Wire(Bits3)
        s.clears_reg = Wire(Bits1)  #: a clearing is requested
        s.wiping_reg = Wire(Bits1)  #: a clearing is running
        s.done_reg = Wire(Bits1)
        s.status_reg = Wire(Code)
        s.length_reg = Wire(Length)
        s.done //= s.done_reg
        s.status //= s.status_reg
        s.length //= s.length_reg
        s.next_state = Wire(Bits3)
        s.outcome = Wire(Code)
        s.out_length = Wire(Length)

        @update
        def comb_next():
            s.next_state @= s.state_reg
            if s.state_reg == IDLE:
                if s.start:
                    s.next_state @= JUDGE
            elif s.state_reg == JUDGE:
                s.next_state @= FILL
                if s.refusal != OK:
                    s.next_state @= IDLE
            elif s.state_reg == FILL:
                if ~s.active:
                    s.next_state @= SEND
            elif s.state_reg == SEND:
                if s.recv_rdy:
                    s.next_state @= RUN
            elif s.state_reg == RUN:
                if s.send_val:
                    s.next_state @= IDLE
                    if s.removes & (s.send_status == OK) & ~s.wiping_reg:
                        s.next_state @= SCAN
            elif s.state_reg == SCAN:
                if ~s.active:
                    s.next_state @= IDLE
            elif s.state_reg == WIPE:
                s.next_state @= ZERO
            else:
                s.next_state @= FILL
            # A requested clearing begins when the operation ends or has stopped filling.
            if s.clears_reg & ~s.wiping_reg:
                if s.next_state == IDLE:
                    s.next_state @= WIPE
                elif (s.state_reg == FILL) & ~s.active:
                    s.next_state @= WIPE

        @update
        def comb_phases():
            s.busy @= (s.state_reg != IDLE) | s.clears_reg
            s.fill @= ((s.state_reg == JUDGE) & (s.next_state == FILL)) | (s.state_reg == ZERO)
            s.cancel @= (s.state_reg == FILL) & s.clears_reg & ~s.wiping_reg
            s.scan @= (s.state_reg == RUN) & (s.next_state == SCAN)
            s.recv_val @= s.state_reg == SEND
            # The last response is held until the next operation or clearing.
            s.send_rdy @= (
                (s.state_reg == JUDGE)
                | (s.state_reg == WIPE)
                | ((s.state_reg == RUN) & s.wiping_reg)
            )
            s.rewind @= (s.state_reg == JUDGE) | (s.state_reg == SEND) | (s.state_reg == WIPE)
            s.zero @= s.state_reg == ZERO
            s.ends @= (s.state_reg != IDLE) & (s.next_state == IDLE)

        if s.revises:

            @update
            def comb_revised_outcome():
                s.outcome @= s.refusal
                if s.state_reg == RUN:
                    s.outcome @= s.send_status
                elif s.state_reg == SCAN:
                    s.outcome @= s.send_status
                    if (s.send_status == OK) & ~s.good:
                        s.outcome @= PADDING_WRONG
                s.out_length @= 0
                if (s.state_reg == RUN) & (s.outcome == OK):
                    s.out_length @= s.block
                elif (s.state_reg == SCAN) & (s.outcome == OK):
                    s.out_length @= s.found

        else:

            @update
            def comb_outcome():
                s.outcome @= s.refusal
                if s.state_reg == RUN:
                    s.outcome @= s.send_status
                elif (s.state_reg == SCAN) & ~s.good:
                    s.outcome @= PADDING_WRONG
                s.out_length @= 0
                if (s.state_reg == RUN) & (s.outcome == OK):
                    s.out_length @= s.block
                elif (s.state_reg == SCAN) & s.good:
                    s.out_length @= s.found

        @update_ff
        def seq_state():
            if s.reset:
                s.state_reg <<= IDLE
                s.clears_reg <<= 0
                s.wiping_reg <<= 0
            else:
                s.state_reg <<= s.next_state
                if s.clear:
                    s.clears_reg <<= 1
                elif s.ends & s.wiping_reg:
                    s.clears_reg <<= 0
                if s.state_reg == WIPE:
                    s.wiping_reg <<= 1
                elif s.ends:
                    s.wiping_reg <<= 0

        @update_ff
        def seq_outcome():
            if s.reset | s.start | s.clear:
                s.done_reg <<= 0
                s.status_reg <<= OK
                s.length_reg <<= 0
            elif s.ends & ~s.wiping_reg:
                s.done_reg <<= 1
                s.status_reg <<= s.outcome
                s.length_reg <<= s.out_length


class RevisedControl(Control):
    """``Control`` of an exponentiator whose response may become a refusal while it waits.

    An operation whose response is a refusal when the padding has been removed ends with its status.
    """

    revises = True
