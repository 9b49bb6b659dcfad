"""Records that pass a netlist to the C++ of gate-level simulation, as arrays."""

import ctypes

from sim.native.records import Record


class NetlistPort(Record):
    """Positions of the nets of a port, bit 0 first; -1 for an unconnected bit."""

    _fields_ = (
        ("nets", ctypes.POINTER(ctypes.c_int32)),
        ("nbits", ctypes.c_uint64),
    )


class NetlistArrays(Record):
    """A netlist for ``gates.h``.

    ``runs``, ``operands``, ``states`` and ``first_state`` come from a ``Circuit``, ``ports`` from a
    protocol, in its order. ``values`` has one word per net, with one bit per lane. ``toggles`` and
    ``high`` count the toggles of each net and its cycles at 1, over all counted lanes together.
    ``counted_cycles`` is the number of counted cycles of all lanes.
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
