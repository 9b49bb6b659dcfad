"""Circuits whose exponentiator is outside: the exponentiator's streams are ports of the circuit."""

from __future__ import annotations

from typing import Any

from pymtl3 import Component
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.circuit import Widths
from rsaxcel.fl.messages import power_request, power_response
from rsaxcel.rtl.axi.accelerator import BusAccelerator
from rsaxcel.rtl.axi.pins import AxiAccelerator
from rsaxcel.rtl.xcel.adapter import XcelAdapter

DESIGN_ID = 5


def constants_of(nbits: int) -> Widths:
    """One constant from the host, so that its registers are part of the circuit."""
    return (("c", nbits),)


class Outside(Component):
    """Stands in the exponentiator's place, and passes both streams on to the outside.

    Parameters
    ----------
    nbits : int
        Width of the operands and of the constant in bits.

    Ports
    -----
    recv, send : as those of an exponentiator
    request : send; what ``recv`` gets
    response : recv; what ``send`` gives

    Latency: none.
    """

    def construct(s, nbits: int):
        Request = power_request(nbits, constants_of(nbits), nbits)
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(power_response(nbits))
        s.request = SendIfcRTL(Request)
        s.response = RecvIfcRTL(power_response(nbits))
        s.recv //= s.request
        s.response //= s.send


def _arguments(nbits: int) -> tuple[Any, ...]:
    return nbits, lambda: Outside(nbits), DESIGN_ID, constants_of(nbits), nbits


def _add_streams(s: Component, inner: Component, nbits: int) -> None:
    """Add ports ``request`` and ``response`` that are those of a component inside."""
    s.request = SendIfcRTL(power_request(nbits, constants_of(nbits), nbits))
    s.response = RecvIfcRTL(power_response(nbits))
    inner.request //= s.request
    s.response //= inner.response


class OpenAdapter(XcelAdapter):
    """``XcelAdapter`` with the exponentiator outside.

    Parameters
    ----------
    nbits : int
        Width of the operands and of one constant from the host in bits.

    Ports
    -----
    Those of ``XcelAdapter``; ``request`` and ``response`` of ``Outside``.
    """

    def construct(s, nbits):
        super().construct(*_arguments(nbits))
        _add_streams(s, s.exponentiator, nbits)


class OpenBusAccelerator(BusAccelerator):
    """``BusAccelerator`` with the exponentiator outside; see ``OpenAdapter``."""

    def construct(s, nbits):
        super().construct(*_arguments(nbits))
        _add_streams(s, s.exponentiator, nbits)


class OpenAxiAccelerator(AxiAccelerator):
    """``AxiAccelerator`` with the exponentiator outside; see ``OpenAdapter``."""

    def construct(s, nbits):
        super().construct(OpenBusAccelerator(nbits))
        _add_streams(s, s.accelerator, nbits)
