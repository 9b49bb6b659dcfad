"""ProductInFlight: sources of a lane's current product, and the register of its last result."""

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, mk_bits, update, update_ff

from rsaxcel.plan.kept_results import KEPT
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
    answers, kept, reduced : in, 1 bit each; see ``rtl.lib.lanes``
    last_digit, second : in, 1 bit each; the last digit, or last second digit, is read in this
        cycle; it is a second digit
    load : in, 1 bit; a request is loaded: no result is outstanding
    prepare : in, 1 bit; the lane prepares for a new modulus: ``source`` becomes 0
    clears : in, 1 bit; all other registers that describe the product become 0: ``loaded``,
        ``reduces``, and the destination of the result
    source : out, a bit per source; source (one-hot) of the digits that are read: of the first
        ones, then of the second ones
    follows : out, 1 bit; second digits belong to the same number as the first ones: the message.
        ``source`` tells it; a register of its own could be stuck, and make message and copy wrong
        alike
    loaded : out, a bit per register; as ``next_loaded``, for the product in flight
    reduces : out, 1 bit; the result of the product in flight is reduced
    unkept : out, a bit per register; register (one-hot) that waits for the last result; 0: none
    done : out, 1 bit; the product in flight has its result, reduced if it has to be
    """

    #: Ports of ``DigitChoice``, here inputs prefixed with ``next_``, and compared outputs.
    inputs: tuple[str, ...] = ("source", "tail", "loaded", "written", "loads", "reduced")
    outputs: tuple[str, ...] = ("source", "loaded", "reduces", "unkept", "done")

    def construct(s, sources: LaneSources):
        count = sources.registers
        kept = sources.number(KEPT)
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
        s.last_digit = InPort(1)
        s.second = InPort(1)
        s.load = InPort(1)
        s.prepare = InPort(1)
        s.clears = InPort(1)
        s.source = OutPort(Sources)
        s.follows = OutPort(1)
        s.loaded = OutPort(Registers)
        s.reduces = OutPort(1)
        s.unkept = OutPort(Registers)
        s.done = OutPort(1)

        s.source_reg = Wire(Sources)
        s.tail_reg = Wire(Sources)
        s.load_reg = Wire(Registers)
        s.write_reg = Wire(Registers)
        s.reduced_reg = Wire(Bits1)
        s.result_reg = Wire(Registers)  #: register (one-hot) for the last result
        s.outstanding_reg = Wire(Bits1)  #: the last result is not in its register yet
        s.source //= s.source_reg
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

        # If the next product reads the result that is not in its register, the last result takes
        # the place of this register, so that no choice for the whole of ``next_source`` has to
        # wait for this.
        s.forwarded = Wire(Sources)
        s.taken_source = Wire(Sources)

        @update
        def comb_forwarded():
            s.forwarded @= 0
            for i in range(count):
                s.forwarded[i] @= s.next_source[i] & s.unkept[i] & ~s.next_loads

        @update
        def comb_taken_source():
            s.taken_source @= s.next_source & ~s.forwarded
            if s.forwarded != 0:
                s.taken_source[kept] @= 1

        # No choice between the registers of both sources is behind them: it would be on the longest
        # path.
        @update_ff
        def seq_source():
            if s.last_digit & ~s.second:
                s.source_reg <<= s.tail_reg
            if s.begins:
                s.source_reg <<= s.taken_source
            # While the lane prepares, sources from power-up or from before a reset must not select
            # the message, whose digits would be shifted out.
            if s.prepare:
                s.source_reg <<= 0

        @update_ff
        def seq_product():
            if s.begins:
                s.tail_reg <<= s.next_tail
                s.load_reg <<= s.next_loaded
                s.write_reg <<= s.next_written
                s.reduced_reg <<= s.next_reduced
            if s.prepare:
                s.tail_reg <<= 0
            if s.answers:
                s.result_reg <<= s.write_reg
            if s.clears:
                s.load_reg <<= 0
                s.write_reg <<= 0
                s.result_reg <<= 0
                s.reduced_reg <<= 0

        s.messages = Wire(Sources)
        s.messages //= sources.messages

        @update
        def comb_follows():
            s.follows @= (s.source_reg & s.messages) != 0

        s.add_measures(sources)

        @update_ff
        def seq_outstanding():
            if s.reset | s.load | s.kept:
                s.outstanding_reg <<= 0
            elif s.answers:
                s.outstanding_reg <<= 1

    def add_measures(s, sources: LaneSources) -> None:
        """Add the circuits of measures."""
