"""VerilogCore: a circuit written in Verilog, as a component."""

import re

from pymtl3 import Component, Placeholder
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

_MODULE = re.compile(r"\b(?:macro)?module\s+(?:(?:automatic|static)\s+)?(\w+)")


class VerilogCore(Placeholder, Component):
    """Stands for the top module of a Verilog text, which the translation contains word for word.

    PyMTL3 cannot simulate the component; the native engine and the flow run its translation.

    Parameters
    ----------
    module : str; name of the top module, with the ports clk, reset, recv__msg, recv__val,
        recv__rdy, send__msg, send__val and send__rdy
    text : str; Verilog of all modules
    request_type, response_type : type; messages at the ports ``recv__msg`` and ``send__msg``, the
        first field in the highest bits

    Ports
    -----
    recv : a ``request_type``
    send : a ``response_type``
    """

    def construct(s, module, text, request_type, response_type):
        s.recv = RecvIfcRTL(request_type)
        s.send = SendIfcRTL(response_type)
        s.module = module
        s.text = text
        s.modules = (module, *_MODULE.findall(text))
