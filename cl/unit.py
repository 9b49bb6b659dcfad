"""A component with stream interface that has a golden function and a timing model."""

from pymtl3 import Bits1, Component, Wire, clog2, mk_bits, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL


class TimedUnit(Component):
    """Cycle-level model of any unit that is a row of elastic stages (``cl.elastic``).

    Parameters
    ----------
    request_type, response_type : type; message bitstructs
    evaluate : callable; takes the values of the request's fields; returns the values of the
        response's fields, and the duration in each stage
    nstages : int; number of stages
    overlaps : bool; the stages overlap
    load_cycles : int; cycles for which a request is offered to a free unit before it is accepted
    clear_cycles : int; cycles for which the unit is not free after a response was taken, or after a
        reset

    Under any back-pressure, responses have the same values as those of the circuit, and are valid
    in the same cycles.
    """

    def construct(
        s, request_type, response_type, evaluate, nstages, overlaps, load_cycles=0, clear_cycles=0
    ):
        s.recv = RecvIfcRTL(request_type)
        s.send = SendIfcRTL(response_type)
        names = tuple(request_type.__bitstruct_fields__)
        last = nstages - 1

        s.occupied_reg = [Wire(Bits1) for _ in range(nstages)]
        s.valid_reg = [Wire(Bits1) for _ in range(nstages)]
        s.ready = [Wire(Bits1) for _ in range(nstages)]
        s.msg_reg = Wire(response_type)
        s.loading_reg = Wire(mk_bits(clog2(load_cycles + 2)))
        s.clearing_reg = Wire(mk_bits(clog2(clear_cycles + 2)))
        s.free = Wire(Bits1)
        items = [None] * nstages  #: item in each stage: [response, durations, cycles left]

        @update
        def comb_ready():
            ready = s.send.rdy
            for i in reversed(range(nstages)):
                ready = ~s.occupied_reg[i] | (overlaps & s.valid_reg[i] & ready)
                s.ready[i] @= ready

        @update
        def comb_accept():
            s.free @= s.ready[0] & (s.clearing_reg == 0)
            s.recv.rdy @= s.free & (s.loading_reg == load_cycles)

        @update_ff
        def seq_clearing():
            if s.reset | (s.send.val & s.send.rdy):
                s.clearing_reg <<= clear_cycles
            elif s.clearing_reg != 0:
                s.clearing_reg <<= s.clearing_reg - 1

        @update_ff
        def seq_loading():
            if s.reset | ~(s.recv.val & s.free) | s.recv.rdy:
                s.loading_reg <<= 0
            else:
                s.loading_reg <<= s.loading_reg + 1

        s.send.val //= s.valid_reg[last]
        s.send.msg //= s.msg_reg

        @update_ff
        def seq_stages():
            ready = [bool(r) for r in s.ready] + [bool(s.send.rdy)]
            valid = [bool(v) for v in s.valid_reg]
            accepts = s.recv.val & s.recv.rdy
            if s.reset:
                items[:] = [None] * nstages
            else:
                for i in reversed(range(nstages)):
                    if valid[i] and ready[i + 1]:
                        item, items[i] = items[i], None
                        if i < last:
                            item[2] = item[1][i + 1]
                            items[i + 1] = item
                if accepts:
                    values = (int(getattr(s.recv.msg, name)) for name in names)
                    response, durations = evaluate(*values)
                    items[0] = [response_type(*response), durations, durations[0]]
                for item in items:
                    if item and item[2]:
                        item[2] -= 1
            for i in range(nstages):
                s.occupied_reg[i] <<= items[i] is not None
                s.valid_reg[i] <<= items[i] is not None and items[i][2] == 0
            if items[last]:
                s.msg_reg <<= items[last][0]

    def line_trace(s):
        return f"{s.recv}(){s.send}"
