"""Ports that every store has."""

from pymtl3 import Component, InPort, OutPort, mk_bits

from fl.status import STATUS_NBITS
from fl.steps import Program
from rtl.lib.slots import Slots


def add_store_ports(s: Component, nbits: int, program: Program, request_type: type) -> None:
    """Declare the ports between a step machine and the store of its residues.

    Parameters
    ----------
    s : Component
        The store.
    nbits : int
        Width of modulus and residues in bits.
    program : fl.steps.Program
        Residues, steps, lanes and messages.
    request_type : type
        Request of the machine.

    Ports
    -----
    idle : the machine has no request
    offered, request : the request offered; its exponent is the machine's matter
    takes : the request is accepted with this cycle
    loaded : the operands are held from the next cycle on
    status : status of the request, valid in the cycle after ``loaded``
    refuse : in that cycle: the request is not executed, and the results are zeros
    supply, constants : values of ``program.supplied`` come from their units
    modulus : where it is there as a whole
    finish : the last result is answered in this cycle
    ready : the results are there; looked at from the cycle after ``refuse`` or ``finish`` on
    results : values of ``program.sends``; those of the exponent are 0
    offers, chosen, accepts, answers, answered, index : as ``Sequencer``, seen from the other side
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
    s.constants = [InPort(constant.nbits) for constant in program.supplied]
    s.modulus = OutPort(Value)
    s.finish = InPort(1)
    s.ready = OutPort(1)
    s.results = [OutPort(Value) for _ in program.sends]
    s.index = InPort(program.scan.index_nbits)
    s.offers = [InPort(1) for _ in range(slots.lanes)]
    s.chosen = [InPort(LaneMask) for _ in range(slots.lanes)]
    s.accepts = [OutPort(1) for _ in range(slots.lanes)]
    s.answers = [OutPort(1) for _ in range(slots.lanes)]
    s.answered = [InPort(LaneMask) for _ in range(slots.lanes)]
