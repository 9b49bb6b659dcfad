"""C structures that pass a netlist, as arrays, to the C++ code of gate-level simulation."""

import ctypes
from enum import IntEnum

from rsaxcel.sim.native.records import Record


class NetlistPort(Record):
    """Nets of a port, as positions in ``NetlistArrays.values``, bit 0 first; -1: not connected."""

    _fields_ = (
        ("nets", ctypes.POINTER(ctypes.c_int32)),
        ("nbits", ctypes.c_uint64),
    )


class NetlistArrays(Record):
    """A netlist for ``gates.h``.

    ``runs``, ``operands``, ``states`` and ``first_state`` come from a ``Circuit``; ``ports`` are
    the top module's ports, in the order of ``Ports.all``. ``values`` has one word per net, with one
    bit per lane (up to 64 simulations that run side by side). ``toggles`` and ``high`` count, for
    each net, its toggles and the cycles in which it is 1, over all counted lanes together.
    ``counted_cycles`` is the number of counted cycles, added up over the lanes.
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

    The state of a flip-flop in a cycle is the one that the clock edge before this cycle has given
    it. ``SKIP``: that edge has no effect, so that the state is the one of the cycle before.
    ``FLIP``: the state is inverted. ``STUCK_AT_0``, ``STUCK_AT_1``: the state has this value in the
    cycle and in all later ones. ``TRANSIENT``: the output of a gate is inverted in the cycle.
    """

    SKIP = 0
    FLIP = 1
    STUCK_AT_0 = 2
    STUCK_AT_1 = 3
    TRANSIENT = 4


class Fault(Record):
    """A fault in the lanes of a mask.

    ``cycle`` is 1 or more; cycle 0 is the first one after the reset. ``position`` is that of the
    flip-flop's state, or of the gate's output; ``run`` is the run of the gate (see ``Circuit``).
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
