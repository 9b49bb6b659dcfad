"""Circuits that somebody wrote in Verilog, as components."""

import re

from pymtl3 import Component, Placeholder
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

MODULE = re.compile(r"\b(?:macro)?module\s+(?:(?:automatic|static)\s+)?(\w+)")
"""Declaration of a module in Verilog."""


class VerilogText(Placeholder, Component):
    """Stands for the top module of a Verilog text, which the translation contains word for word.

    PyMTL3 cannot simulate the component; the native engine and the flow run its translation.
    """

    def set_text(s, module, text):
        """Set the name of the top module, and the Verilog of all modules."""
        s.module = module
        s.text = text
        s.modules = (module, *MODULE.findall(text))


class VerilogCore(VerilogText):
    """A circuit in Verilog with the streams of the framework.

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
        s.set_text(module, text)
