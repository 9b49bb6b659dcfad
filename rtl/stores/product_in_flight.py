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
    answers, kept, reduced : in, 1 bit each; see ``rtl.lib.digit_lane``
    load : in, 1 bit; a request is loaded: no result is outstanding
    prepare : in, 1 bit; the lane prepares for a new modulus: ``source`` and ``tail`` become 0
    clears : in, 1 bit; all other registers that describe the product become 0: ``loaded``,
        ``reduces``, and the destination of the result
    source, tail, loaded : out; as ``next_source``, ``next_tail`` and ``next_loaded``, for the
        product in flight
    reduces : out, 1 bit; the result of the product in flight is reduced
    unkept : out, a bit per register; register (one-hot) that waits for the last result; 0: none
    done : out, 1 bit; the product in flight has its result, reduced if it has to be
    """

    #: Ports of ``DigitChoice``, here inputs prefixed with ``next_``, and compared outputs.
    inputs: tuple[str, ...] = ("source", "tail", "loaded", "written", "loads", "reduced")
    outputs: tuple[str, ...] = ("source", "tail", "loaded", "reduces", "unkept", "done")

    def construct(s, sources: LaneSources):
        count = sources.registers
        last_result = 1 << sources.number(KEPT)
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
        s.result_reg = Wire(Registers)  #: register (one-hot) for the last result
        s.outstanding_reg = Wire(Bits1)  #: the last result is not in its register yet
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

        s.forwards = Wire(Bits1)  #: the next product reads the result that is not in its register

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

        s.add_source(sources)

        @update_ff
        def seq_outstanding():
            if s.reset | s.load | s.kept:
                s.outstanding_reg <<= 0
            elif s.answers:
                s.outstanding_reg <<= 1

    def add_source(s, sources: LaneSources) -> None:
        s.source //= s.source_reg
