"""Control: state machine of the accelerator on a bus."""

from pymtl3 import Bits1, Bits3, Component, InPort, OutPort, Wire, clog2, mk_bits, update, update_ff

from rsaxcel.fl.register_map import WORD_NBYTES
from rsaxcel.fl.status import STATUS_NBITS, Status

IDLE, JUDGE, FILL, SEND, RUN, SCAN, WIPE, ZERO = range(8)
OK, PADDING_WRONG = int(Status.OK), int(Status.PADDING_WRONG)


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

    revises = False  # a response that waits may become a refusal, while its padding is removed

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
        s.clears_reg = Wire(Bits1)  # a clearing is requested
        s.wiping_reg = Wire(Bits1)  # a clearing is running
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
