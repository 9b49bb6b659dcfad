"""C structures that pass a netlist, as arrays, to the C++ code of gate-level simulation."""

import ctypes
from enum import IntEnum

from rsaxcel.sim.native.records import Record


class NetlistPort(Record):
    _fields_ = (("nets", ctypes.POINTER(ctypes.c_int32)), ("nbits", ctypes.c_uint64))


class NetlistArrays(Record):
    """A netlist for ``gates.h``; see ``Circuit`` for the first four fields.

    ``values`` has a word for each net with a bit for each lane (simulation). ``toggles`` and
    ``high`` count a net's toggles and its cycles at 1, and ``counted_cycles`` the cycles, over all
    lanes.
    """

    _fields_ = (
        ("runs", ctypes.POINTER(ctypes.c_int64)),
        ("operands", ctypes.POINTER(ctypes.c_int32)),
        ("states", ctypes.POINTER(ctypes.c_int32)),
        ("values", ctypes.POINTER(ctypes.c_uint64)),
        ("toggles", ctypes.POINTER(ctypes.c_uint64)),
        ("high", ctypes.POINTER(ctypes.c_uint64)),
        ("ports", ctypes.POINTER(NetlistPort)),
        *((n, ctypes.c_int64) for n in ("run_count", "first_state", "state_count", "reset_net")),
        ("counted_cycles", ctypes.c_uint64),
    )


class FaultKind(IntEnum):
    """Kind of a fault, in the order in which faults of one cycle take effect.

    ``SKIP``: the clock edge before the cycle has no effect. ``FLIP``: the state is inverted.
    ``STUCK_AT_0``, ``STUCK_AT_1``: in this and all later cycles. ``TRANSIENT``: a gate's output is
    inverted in the cycle.
    """

    SKIP = 0
    FLIP = 1
    STUCK_AT_0 = 2
    STUCK_AT_1 = 3
    TRANSIENT = 4


class Fault(Record):
    """A fault in the lanes of a mask, at the position of a state or output.

    Cycle 0 follows the reset.
    """

    _fields_ = (
        ("cycle", ctypes.c_uint64),
        ("kind", ctypes.c_int64),
        ("position", ctypes.c_int64),
        ("run", ctypes.c_int64),
        ("lanes", ctypes.c_uint64),
    )


class FaultArrays(Record):
    """A netlist with faults for ``faults.h``, sorted by cycle, kind and position."""

    _fields_ = (
        ("netlist", ctypes.POINTER(NetlistArrays)),
        ("faults", ctypes.POINTER(Fault)),
        ("count", ctypes.c_uint64),
    )
