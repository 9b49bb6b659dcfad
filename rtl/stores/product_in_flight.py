"""ProductInFlight: sources of a lane's current product, and the register of its last result."""

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, mk_bits, update, update_ff

from rsaxcel.plan.kept_results import KEPT
from rsaxcel.plan.steps import MESSAGE, REFERENCE
from rsaxcel.rtl.stores.lane_sources import LaneSources


class ProductInFlight(Component):
    """Holds the sources and the destination of a product while a lane forms it.

    The lane answers before the result is complete. So the result is not in its register yet when
    the next product begins. If the next product reads this result digit by digit, the digits come
    from the lane::

        cycle       t            t + 1              t + 4
        ---------   ----------   ----------------   --------------------------------
        lane        answers      accepts the next   ``kept``: the result is complete
        ``unkept``               its register       its register
        register                                    takes the result at the end of t + 4

    Parameters
    ----------
    sources : rtl.stores.lane_sources.LaneSources; registers and other sources of the lane

    Ports
    -----
    begins : in, 1 bit; a product is accepted
    next_source, next_tail : in, a bit per source; sources (one-hot) of the first and of the second
        digits that the offered product reads
    next_loaded, next_written : in, a bit per register; register (one-hot) of the operand that the
        offered product loads, and of its result
    next_loads, next_reduced : in, 1 bit each; the offered product loads an operand; its result is
        reduced
    answers, kept, reduced : in, 1 bit each; see ``rtl.lib.digit_lane``
    load : in, 1 bit; a request is loaded: no result is outstanding
    prepare : in, 1 bit; the lane prepares for a new modulus: ``source`` and ``tail`` become 0
    clears : in, 1 bit; all other registers that describe the product become 0: ``loaded``,
        ``reduces``, and the destination of the result
    source, tail, loaded : out; as ``next_source``, ``next_tail`` and ``next_loaded``, for the
        product in flight; with a check, ``source`` equals ``tail`` after the first digits
    reduces : out, 1 bit; the result of the product in flight is reduced
    unkept : out, a bit per register; register (one-hot) that waits for the last result; 0: none
    next_compared : in, 1 bit; only with a check: the offered product's result is compared with 1
    next_unwritten : in, a bit per register; only with a check: ``next_written``, inverted
    compares : out, 1 bit; only with a check: the reduced result has to be compared in this cycle
    last_digit, second : in, 1 bit each; only with a check: the last digit, or last second digit, is
        read in this cycle; it is a second digit
    follows : out, 1 bit; only with a check: second digits belong to the same number as the first
        ones. ``source`` tells it; a register of its own could be stuck, and make message and copy
        wrong alike
    broken : out, 1 bit; only with a check: a register of a destination and its inverted copy, which
        nothing else reads, are not opposite: a fault
    done : out, 1 bit; the product in flight has its result, reduced if it has to be
    """

    def construct(s, sources: LaneSources):
        count = sources.registers
        last_result = 1 << sources.number(KEPT)
        all_registers = (1 << count) - 1
        Registers, Sources = mk_bits(count), mk_bits(sources.count)
        s.begins = InPort(1)
        s.next_source = InPort(Sources)
        s.next_tail = InPort(Sources)
        s.next_loaded = InPort(Registers)
        s.next_written = InPort(Registers)
        s.next_loads = InPort(1)
        s.next_reduced = InPort(1)
        s.answers = InPort(1)
        s.kept = InPort(1)
        s.reduced = InPort(1)
        s.load = InPort(1)
        s.prepare = InPort(1)
        s.clears = InPort(1)
        s.source = OutPort(Sources)
        s.tail = OutPort(Sources)
        s.loaded = OutPort(Registers)
        s.reduces = OutPort(1)
        s.unkept = OutPort(Registers)
        s.done = OutPort(1)

        s.source_reg = Wire(Sources)
        s.tail_reg = Wire(Sources)
        s.load_reg = Wire(Registers)
        s.write_reg = Wire(Registers)
        s.reduced_reg = Wire(Bits1)
        s.result_reg = Wire(Registers)  # register (one-hot) for the last result
        s.outstanding_reg = Wire(Bits1)  # the last result is not in its register yet
        if not sources.program.check:
            s.source //= s.source_reg
        s.tail //= s.tail_reg
        s.loaded //= s.load_reg
        s.reduces //= s.reduced_reg

        @update
        def comb_unkept():
            s.unkept @= 0
            if s.outstanding_reg:
                s.unkept @= s.result_reg

        @update
        def comb_done():
            s.done @= (s.answers & ~s.reduced_reg) | s.reduced

        s.forwards = Wire(Bits1)  # the next product reads the result that is not in its register

        @update
        def comb_forwards():
            s.forwards @= ~s.next_loads & ((s.next_source[0:count] & s.unkept) != 0)

        @update_ff
        def seq_product():
            if s.begins:
                s.source_reg <<= s.next_source
                if s.forwards:
                    s.source_reg <<= last_result
                s.tail_reg <<= s.next_tail
                s.load_reg <<= s.next_loaded
                s.write_reg <<= s.next_written
                s.reduced_reg <<= s.next_reduced
            # While the lane prepares, sources from power-up or from before a reset must not select
            # the message, whose digits would be shifted out.
            if s.prepare:
                s.source_reg <<= 0
                s.tail_reg <<= 0
            if s.answers:
                s.result_reg <<= s.write_reg
            if s.clears:
                s.load_reg <<= 0
                s.write_reg <<= 0
                s.result_reg <<= 0
                s.reduced_reg <<= 0

        if sources.program.check:
            # With a check, a lane reads more sources. So ``active_reg`` tells which one is read: a
            # choice between ``source_reg`` and ``tail_reg``, by the number of the digit, would be
            # on the longest path.
            message, reference = sources.number(MESSAGE), sources.number(REFERENCE)
            s.last_digit = InPort(1)
            s.second = InPort(1)
            s.follows = OutPort(1)
            s.active_reg = Wire(Sources)
            s.source //= s.active_reg

            @update
            def comb_follows():
                s.follows @= s.active_reg[message] | s.active_reg[reference]

            # The source in place of ``next_source``. As that is one-hot, no choice for the whole
            # register has to wait for ``forwards``.
            s.forwarded = Wire(Sources)
            s.taken_source = Wire(Sources)
            kept = sources.number(KEPT)

            @update
            def comb_forwarded():
                s.forwarded @= 0
                for i in range(count):
                    s.forwarded[i] @= s.next_source[i] & s.unkept[i] & ~s.next_loads

            @update
            def comb_taken_source():
                s.taken_source @= s.next_source & ~s.forwarded
                if s.forwards:
                    s.taken_source[kept] @= 1

            @update_ff
            def seq_active():
                if s.last_digit & ~s.second:
                    s.active_reg <<= s.tail_reg
                if s.begins:
                    s.active_reg <<= s.taken_source
                if s.prepare:
                    s.active_reg <<= 0

            s.next_compared = InPort(1)
            s.next_unwritten = InPort(Registers)
            s.compares = OutPort(1)
            s.compared_reg = Wire(Bits1)

            @update
            def comb_compares():
                s.compares @= s.reduced & s.reduced_reg & s.compared_reg

            # A wrong destination could make exponentiation and check wrong together.
            s.broken = OutPort(1)
            s.unwritten_reg = Wire(Registers)
            s.unresult_reg = Wire(Registers)

            @update
            def comb_broken():
                s.broken @= (s.write_reg != ~s.unwritten_reg) | (s.result_reg != ~s.unresult_reg)
                if s.clears:  # after a reset, the contents are arbitrary
                    s.broken @= 0

            @update_ff
            def seq_compared():
                if s.begins:
                    s.compared_reg <<= s.next_compared
                    s.unwritten_reg <<= s.next_unwritten
                if s.answers:
                    s.unresult_reg <<= s.unwritten_reg
                if s.clears:
                    s.compared_reg <<= 0
                    s.unwritten_reg <<= all_registers
                    s.unresult_reg <<= all_registers

        @update_ff
        def seq_outstanding():
            if s.reset | s.load | s.kept:
                s.outstanding_reg <<= 0
            elif s.answers:
                s.outstanding_reg <<= 1
