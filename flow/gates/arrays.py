"""What the C++ of gate-level simulation takes: a netlist as arrays."""

import ctypes

from sim.native.records import Record


class NetlistPort(Record):
    """Positions of the nets of a port, bit 0 first, -1 where nothing is connected."""

    _fields_ = (
        ("nets", ctypes.POINTER(ctypes.c_int32)),
        ("nbits", ctypes.c_uint64),
    )


class NetlistArrays(Record):
    """A netlist for ``gates.h``.

    ``runs``, ``operands``, ``states`` and ``first_state`` are those of a ``Circuit``, ``ports``
    those of a protocol in its order. ``values`` has a bit for each lane of a net; ``toggles`` and
    ``high`` count its toggles and its cycles at 1, in ``counted_cycles`` cycles of all counted
    lanes together.
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
