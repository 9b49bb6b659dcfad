"""TrappedExecutor: an executor that is reset, and answers ``fault_detected``, after a fault."""

from pymtl3 import Bits1, Component, Wire, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.status import Status
from rsaxcel.plan.programs import Program
from rsaxcel.rtl.exponentiators.program_executor import ProgramExecutor
from rsaxcel.rtl.lib.inner_reset import reset_by

FAULT_DETECTED = int(Status.FAULT_DETECTED)  # update blocks accept no members of an enumeration
_VOTES = 3


class TrappedExecutor(Component):
    """A ``ProgramExecutor`` whose state machines have copies, and a trap for the case of a fault.

    If a machine differs from its copy, the trap is entered: the executor is reset, and so are all
    machines in it. If a request has no response yet, the trap gives the response. The executor
    then clears itself, as after any reset, and the next request is executed. ::

        cycle      t                        t + 1    ...  u            u + 1
        ---------  -----------------------  -------  ---  -----------  -------------------
        executor   ``differs``              reset         reset        BLANK, then CLEAR
        trap                                entered       response is
                                                          taken
        response   ``fault_detected``, 0

    ``differs`` is 1 in the cycle in which the executor's state, status or count of shifts, or the
    store's ``refused``, differs from its copy, and one cycle after any other difference. No request
    is taken while it is 1.

    If no request waits for a response, the trap lasts one cycle. If the trap is entered again
    before the executor has accepted a request, the trap itself accepts one, and gives the response.
    So there is a response even if a flip-flop is stuck, and the trap is entered again and again.

    Two flip-flops with opposite contents hold whether the trap is entered; it is entered, too, if
    they are not opposite. The first alone resets the executor, to keep the path short; if only the
    second says that the trap is entered, the trap lasts one cycle more. Three flip-flops vote on
    whether a request has no response; if one of them differs from the others, the trap is entered,
    and sets it right.

    Parameters
    ----------
    nbits, program, multiplier, store, units, rules, operand_widths : the parameters of
        ``ProgramExecutor``. The states of the program are ``doubled``

    Ports
    -----
    recv, send : as those of ``ProgramExecutor``. A response that is offered, but not taken,
        becomes that of the trap if a machine differs

    Latency: that of ``ProgramExecutor``; with a fault, at most one cycle more, unless a flip-flop
    that has no copy makes a machine and its copy wait alike.
    """

    def construct(
        s,
        nbits,
        program: Program,
        multiplier,
        store,
        units=(),
        rules=None,
        operand_widths=(),
    ):
        s.held = Wire(Bits1)  # reset of all machines
        with reset_by(s, s.held):
            s.executor = ProgramExecutor(
                nbits, program, multiplier, store, units, rules, operand_widths
            )
        s.recv = RecvIfcRTL(s.executor.recv.msg._dsl.Type)
        s.send = SendIfcRTL(s.executor.send.msg._dsl.Type)
        s.executor.recv.msg //= s.recv.msg
        # ``recv.val`` and ``send.rdy`` of the executor are not gated by ``steady``: its comparisons
        # would delay the load of all operands, and the next state. If the executor takes a request
        # while ``recv.rdy`` is 0, or gives a response while it is not steady, the trap resets it,
        # and it clears itself. The request is offered again, and the response is that of the trap.
        s.executor.recv.val //= s.recv.val
        s.executor.send.rdy //= s.send.rdy

        s.fault_reg = Wire(Bits1)
        s.sound_reg = Wire(Bits1)
        s.owes_reg = [Wire(Bits1) for _ in range(_VOTES)]
        s.again_reg = Wire(Bits1)  # the trap was entered since the last request
        s.trapped = Wire(Bits1)
        s.owes = Wire(Bits1)
        s.steady = Wire(Bits1)  # handshakes of the executor count
        s.accepted = Wire(Bits1)
        s.answered = Wire(Bits1)
        s.fault = Wire(Bits1)
        s.stays = Wire(Bits1)
        s.enters = Wire(Bits1)  # the next cycle is one of the trap

        @update
        def comb_trapped():
            s.trapped @= s.fault_reg | ~s.sound_reg
            s.held @= s.reset | s.fault_reg
            s.owes @= (
                (s.owes_reg[0] & s.owes_reg[1])
                | (s.owes_reg[0] & s.owes_reg[2])
                | (s.owes_reg[1] & s.owes_reg[2])
            )

        @update
        def comb_steady():
            s.steady @= ~s.trapped & ~s.executor.differs

        @update
        def comb_ready():
            s.recv.rdy @= (s.executor.idles & s.steady) | (s.trapped & s.again_reg & ~s.owes)

        @update
        def comb_response():
            s.send.val @= (s.executor.send.val & s.steady) | (s.owes & ~s.steady)
            s.send.msg.r @= s.executor.send.msg.r
            s.send.msg.status @= s.executor.send.msg.status
            if ~s.steady:
                s.send.msg.r @= 0
                s.send.msg.status @= FAULT_DETECTED

        @update
        def comb_handshakes():
            s.accepted @= s.recv.val & s.recv.rdy
            s.answered @= s.send.val & s.send.rdy

        @update
        def comb_fault():
            s.fault @= s.executor.differs
            for i in range(_VOTES):
                if s.owes_reg[i] != s.owes:
                    s.fault @= 1
            s.stays @= ((s.owes | s.accepted) & ~s.answered) | ~s.fault_reg
            s.enters @= (s.fault & ~s.trapped) | (s.stays & s.trapped)

        @update_ff
        def seq_trap():
            if s.reset:
                s.fault_reg <<= 0
                s.sound_reg <<= 1
            else:
                s.fault_reg <<= s.enters
                s.sound_reg <<= ~s.enters

        @update_ff
        def seq_again():
            s.again_reg <<= ((s.trapped & ~s.owes) | s.again_reg) & ~s.accepted & ~s.reset

        @update_ff
        def seq_owes():
            # Each vote depends on itself: equal flip-flops with equal inputs would be merged.
            for i in range(_VOTES):
                s.owes_reg[i] <<= (
                    (((s.owes_reg[i] & ~s.trapped) | (s.owes & s.trapped)) | s.accepted)
                    & ~s.answered
                    & ~s.reset
                )

    def line_trace(s):
        return f"{s.executor.line_trace()}{'!' if s.trapped else ''}"
