"""C structures that pass a netlist, as arrays, to the C++ code of gate-level simulation."""

import ctypes

from sim.native.records import Record


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
