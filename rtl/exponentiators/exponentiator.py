"""Executors behind streams: those of a plan in series, or one for a single product."""

from itertools import pairwise
from typing import Any

from pymtl3 import Component, connect
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.messages import power_request, power_response, product_request, product_response
from rsaxcel.plan.modulus_constants import widths_of
from rsaxcel.plan.programs import Program
from rsaxcel.rtl.exponentiators.program_executor import ProgramExecutor
from rsaxcel.rtl.lib.adjust import connect_named
from rsaxcel.rtl.parts import executor_of


class ExponentiatorRTL(Component):
    """Modular exponentiation by one executor per program of the plan.

    Parameters
    ----------
    nbits : int; width of base and modulus in bits
    programs : tuple of plan.programs.Program; in the order in which a request passes; each executor
        may work on a different request
    multiplier : catalog.units.Unit; multiplier of each lane of each executor
    units : tuple of catalog.units.Unit; units that compute constants of the modulus for the first
        executor
    rules : fl.status.InputRules; input rules, checked by the first executor
    host_constants : tuple of (str, int); names of the constants of the modulus that come with the
        request, and their widths in bits
    store : type; store of the residues of each executor (``rtl.stores``)

    Ports
    -----
    recv : {b, e, m, wide}; with host constants {b, e, m, the constants, wide, missing}; e has
        programs[0].exponent_nbits bits
    send : {r, status}; r is 0 unless the status is ok

    Latency: the sum of the executors' latencies.
    """

    def construct(s, nbits, programs, multiplier, units, rules, host_constants, store):
        first_program = programs[0]
        exponent_nbits = first_program.exponent_nbits
        split = first_program.split
        modulus_nbits = split.joined_nbits if split else nbits
        request_type = power_request(nbits, host_constants, exponent_nbits, modulus_nbits)
        s.recv = RecvIfcRTL(request_type)
        s.send = SendIfcRTL(power_response(nbits))
        executors = []
        for i, program in enumerate(programs):
            first = (units, rules, host_constants if split else ()) if i == 0 else ()
            kind = executor_of(program, ProgramExecutor)
            executor = kind(nbits, program, multiplier, store, *first)
            setattr(s, program.name, executor)
            executors.append(executor)
        connect_named(s.recv.msg, executors[0].recv.msg, *request_type.__bitstruct_fields__)
        connect(s.recv.val, executors[0].recv.val)
        connect(s.recv.rdy, executors[0].recv.rdy)
        for before, after in pairwise(executors):
            connect(before.send, after.recv)
        connect_named(executors[-1].send.msg, s.send.msg, "r", "status")
        connect(executors[-1].send.val, s.send.val)
        connect(executors[-1].send.rdy, s.send.rdy)

    def line_trace(s):
        return f"{s.recv}(){s.send}"


class ProductExecutor(Component):
    """An executor whose program is one product.

    Parameters
    ----------
    nbits : int; width of operands, modulus and result in bits
    program : plan.programs.Program; program with the single product ``r`` of ``a`` and ``b``
    store : type; store that the multiplier needs (``rtl.stores``)
    operand_widths : tuple of (str, int); widths of ``a`` and ``b`` if they are wider than the
        modulus

    Ports
    -----
    recv : {a, b, m, constants of the modulus}; a and b in the range that the multiplier allows
    send : {r}; below m

    Latency: as ``ProgramExecutor`` with one step.
    """

    def construct(s, nbits, program: Program, multiplier, store, operand_widths):
        request_type: Any = product_request(
            nbits, (*operand_widths, *widths_of(program.multiplier_constants))
        )
        s.recv = RecvIfcRTL(request_type)
        s.send = SendIfcRTL(product_response(nbits))
        s.executor = ProgramExecutor(
            nbits, program, multiplier, store, operand_widths=operand_widths
        )
        connect_named(s.recv.msg, s.executor.recv.msg, *request_type.__bitstruct_fields__)
        s.executor.recv.msg.status //= 0
        connect(s.recv.val, s.executor.recv.val)
        connect(s.recv.rdy, s.executor.recv.rdy)
        connect(s.executor.send.msg.r, s.send.msg.r)
        connect(s.executor.send.val, s.send.val)
        connect(s.executor.send.rdy, s.send.rdy)

    def line_trace(s):
        return s.executor.line_trace()
