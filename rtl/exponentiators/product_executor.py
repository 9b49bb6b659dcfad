"""ProductExecutor: a multiplier with its store, behind the stream interface of multipliers."""

from typing import Any

from pymtl3 import Component, connect
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.messages import product_request, product_response
from rsaxcel.plan.modulus_constants import widths_of
from rsaxcel.plan.programs import Program
from rsaxcel.rtl.exponentiators.program_executor import ProgramExecutor
from rsaxcel.rtl.lib.adjust import connect_named


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
