"""ExponentiatorRTL: the step machines of a plan in series."""

from itertools import pairwise

from pymtl3 import Component, connect
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from fl.messages import power_request, power_response
from rtl.exponentiators.step_machine import StepMachine


class ExponentiatorRTL(Component):
    """Modular exponentiation by one step machine per program of the plan.

    Parameters
    ----------
    nbits : int
        Width of base and modulus in bits.
    programs : tuple of plan.programs.Program
        Programs of the machines, in the order in which a request passes them; each machine may work
        on a request of its own.
    multiplier : catalog.units.Unit
        Multiplier of each lane of each machine.
    units : tuple of catalog.units.Unit
        Units that compute constants of the modulus for the first machine.
    rules : fl.status.InputRules
        Input rules, checked by the first machine.
    host_constants : tuple of (str, int)
        Constants that come with the request; widths in bits.
    store : type
        Store of the residues of each machine (``rtl.stores``).

    Ports
    -----
    recv : {b, e, m, wide}; with host constants {b, e, m, the constants, wide, missing}; e has
        programs[0].scan.exponent_nbits bits
    send : {r, status}; r is 0 unless the status is ok

    Latency: the sum of the machines' latencies.
    """

    def construct(s, nbits, programs, multiplier, units, rules, host_constants, store):
        first_program = programs[0]
        exponent_nbits = first_program.exponent_nbits
        modulus_nbits = exponent_nbits if first_program.split else nbits
        request_type = power_request(nbits, host_constants, exponent_nbits, modulus_nbits)
        s.recv = RecvIfcRTL(request_type)
        s.send = SendIfcRTL(power_response(nbits))
        machines = []
        for i, program in enumerate(programs):
            first = (units, rules, host_constants if program.split else ()) if i == 0 else ()
            machine = StepMachine(nbits, program, multiplier, store, *first)
            setattr(s, program.name, machine)
            machines.append(machine)
        for name in request_type.__bitstruct_fields__:
            connect(getattr(s.recv.msg, name), getattr(machines[0].recv.msg, name))
        connect(s.recv.val, machines[0].recv.val)
        connect(s.recv.rdy, machines[0].recv.rdy)
        for before, after in pairwise(machines):
            connect(before.send, after.recv)
        for name in ("r", "status"):
            connect(getattr(machines[-1].send.msg, name), getattr(s.send.msg, name))
        connect(machines[-1].send.val, s.send.val)
        connect(machines[-1].send.rdy, s.send.rdy)

    def line_trace(s):
        return f"{s.recv}(){s.send}"
