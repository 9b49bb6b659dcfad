"""Ports of every store."""

from typing import Any

from pymtl3 import InPort, OutPort, mk_bits

from rsaxcel.fl.status import STATUS_NBITS
from rsaxcel.plan.programs import Program
from rsaxcel.rtl.lib.slots import Slots


def add_store_ports(s: Any, nbits: int, program: Program, request_type: type) -> None:
    """Declare the ports between an executor and the store of its residues.

    Ports
    -----
    idle : in, 1 bit; the executor has no request
    offered : in, 1 bit; a request is offered
    request : in, ``request_type``; the offered request; the executor gives its exponent to the
        sequencer
    takes : out, 1 bit; an offered request is accepted in this cycle
    loaded : out, 1 bit; the operands are held from the next cycle on
    status : out, STATUS_NBITS bits; status of the request, valid in the cycle after ``loaded``
    refuse : in, 1 bit; in the cycle after ``loaded``: the request is not executed, and its results
        are zeros
    supply : in, 1 bit; ``constants`` are valid and have to be taken
    constants : in, bits of the widest one each; values of ``program.computed_constants``
    modulus : out, nbits bits; the modulus, if the store holds it as one number
    finish : in, 1 bit; this is the last cycle of the program
    ready : out, 1 bit; the results are valid; sampled from the cycle after ``refuse`` or ``finish``
        on
    results : out, nbits bits each, or as the widest constant of the multiplier among them; values
        of ``program.sends``; 0 for the exponent, which the sequencer outputs

    Ports of a sequencer, with opposite directions (``rtl.exponentiators.sequencer``):

    offers : in, 1 bit each; per lane
    chosen, answered : in, Slots.per_lane bits each; per lane
    accepts, answers : out, 1 bit each; per lane
    index : in, program.scan.index_nbits bits
    other_index : in, program.scan.index_nbits bits; table index for half 1, if each half has a lane
    half : in, 1 bit; half to which the offered product belongs, if both halves share a lane
    turn_ends : in, 1 bit; this is the last cycle before a later turn: before the steps of the other
        half, if both halves share a lane, or before a turn that checks the result

    """
    slots = Slots(program)
    Value = mk_bits(nbits)
    LaneMask = mk_bits(slots.per_lane)
    s.idle = InPort(1)
    s.offered = InPort(1)
    s.request = InPort(request_type)
    s.takes = OutPort(1)
    s.loaded = OutPort(1)
    s.status = OutPort(STATUS_NBITS)
    s.refuse = InPort(1)
    s.supply = InPort(1)
    widest = max((constant.nbits for constant in program.computed_constants), default=0)
    s.constants = [InPort(widest) for _ in program.computed_constants]
    s.modulus = OutPort(Value)
    s.finish = InPort(1)
    s.ready = OutPort(1)
    # Constants of a multiplier may be wider than the modulus.
    sent = [x.nbits for x in program.multiplier_constants if x.name in program.sends]
    s.results = [OutPort(mk_bits(max([nbits, *sent]))) for _ in program.sends]
    s.index = InPort(program.scan.index_nbits)
    if program.split:
        s.other_index = InPort(program.scan.index_nbits)
        s.half = InPort(1)
        s.turn_ends = InPort(1)
    s.offers = [InPort(1) for _ in range(slots.lanes)]
    s.chosen = [InPort(LaneMask) for _ in range(slots.lanes)]
    s.accepts = [OutPort(1) for _ in range(slots.lanes)]
    s.answers = [OutPort(1) for _ in range(slots.lanes)]
    s.answered = [InPort(LaneMask) for _ in range(slots.lanes)]
