"""Arrays and options that the embedded tool's Python and C++ share.

``records.h`` is generated from the records here.
"""

from __future__ import annotations

import ctypes

import numpy as np

from rsaxcel.flow.physical.array_netlist import ArrayNetlist
from rsaxcel.sim.native.records import ForeignRecord

_INT, _LONG, _REAL = ctypes.c_int32, ctypes.c_int64, ctypes.c_double


def _pointers(kind: type, *names: str) -> tuple[tuple[str, type], ...]:
    return tuple((name, ctypes.POINTER(kind)) for name in names)


class LibraryArrays(ForeignRecord):
    """Library for ``cells.h``.

    ``kind_rows``: width, height, role, family, clock pin, whether all outputs are known functions.
    ``pin_rows``: is an output, x, y, complementary output. ``pin_loads``: rise, fall, largest load,
    rise and fall of early edges, in fF. ``pin_tables``: truth table over the inputs. ``arc_rows``:
    source, target, sense, launch, four late and four early tables. ``check_rows``: data, clock, is
    a hold check, two tables. Rows are ordered by kind.
    """

    _fields_ = (
        *_pointers(_INT, "kind_rows", "pin_rows", "arc_rows", "check_rows"),
        *_pointers(_INT, "pin_start", "arc_start", "check_start"),
        *_pointers(ctypes.c_uint64, "pin_tables"),
        *_pointers(_REAL, "kind_areas", "pin_loads", "tables"),
        *((name, _LONG) for name in ("kind_count", "table_count", "driving_kind")),
        *((name, _REAL) for name in ("port_load_ff", "max_slew_ns", "slew_of_rc")),
    )


class ClockArrays(ForeignRecord):
    """Clock for ``timer.h``: whether it is ideal, and times in ns."""

    _fields_ = (
        ("ideal", _LONG),
        *((name, _REAL) for name in ("gate_lead_ns", "slew_ns", "port_latency_ns")),
    )


class DesignArrays(ForeignRecord):
    """Netlist and places for ``netlist.h``; see ``flow.physical.array_netlist.ArrayNetlist``."""

    _fields_ = (
        *_pointers(_INT, "kind", "x", "y", "pin_net"),
        *_pointers(ctypes.c_uint8, "orient"),
        ("count", _LONG),
        ("net_count", _LONG),
    )


def design_arrays(netlist: ArrayNetlist) -> DesignArrays:
    """Make the arrays of a design; they share its memory."""
    given = ("kind", "x", "y", "pin_net", "orient")
    return DesignArrays(
        **{x: np.ascontiguousarray(getattr(netlist, x)) for x in given},
        count=netlist.count,
        net_count=len(netlist.nets),
    )


class WireArrays(ForeignRecord):
    """Wires for ``analysis.cpp``; see ``flow.physical.embedded.static_timing.ReducedWires``."""

    _fields_ = _pointers(_REAL, "near_ff", "ns_per_ff", "far_ff", "elmore_ns")


class TimingOptions(ForeignRecord):
    """Options of ``analysis.cpp``; an ideal clock arrives at time 0.

    ``levels``: by edge, as in ``flow.power.liberty.Library``. ``derate``: fraction by which
    late paths are slower, and early ones faster.
    """

    _fields_ = (
        ("ideal", _LONG),
        *_pointers(_REAL, "levels"),
        *(
            (name, _REAL)
            for name in ("slew_derate", "period_ns", "latency_ns", "uncertainty_ns", "derate")
        ),
    )


class TimingArrays(ForeignRecord):
    """Result of ``analysis.cpp``, by pin and edge, in ns: of late paths, and slacks of both.

    ``setup``, ``hold``: infinite where no path ends. With a derate, ``arrival`` begins at the leaf
    of the clock of the worst path. ``cause`` of an output: 2 * pin + edge from which the arrival
    comes; -2 - (2 * pin + edge) from a register's clock; else -1.
    """

    _fields_ = (
        *_pointers(_REAL, "arrival", "slew", "wire", "setup", "hold"),
        *_pointers(_INT, "cause"),
        ("skew_ns", _REAL),
    )


class RepairOptions(ForeignRecord):
    """Options of a repair: loads and slews, rounds for speed, adder cells, smaller cells."""

    _fields_ = (
        *((name, _LONG) for name in ("limit", "rounds", "adders", "recover")),
        *((name, _REAL) for name in ("period_ns", "slew_ns", "margin_ns")),
    )


class ClockTreeOptions(ForeignRecord):
    """Shape of the clock tree: most sinks and loads of leaves and of other nodes, largest slew."""

    _fields_ = (
        *((name, _LONG) for name in ("most_sinks", "most_leaves")),
        *((name, _REAL) for name in ("leaf_load_ff", "node_load_ff", "slew_ns", "period_ns")),
    )


class RowArrays(ForeignRecord):
    """Rows for ``shorten.h``, and the cells without signals in them; lengths in database units."""

    _fields_ = (
        *_pointers(_INT, "fixed_x", "fixed_y", "fixed_width"),
        *((name, _LONG) for name in ("fixed", "rows", "sites", "site_width", "row_height")),
    )


class PlaceOptions(ForeignRecord):
    """Options of spreading cells: seed; whether it is the first time, else the period."""

    _fields_ = (("seed", _LONG), ("is_first", _LONG), ("period_ns", _REAL))


class Reading(ForeignRecord):
    """Arrays to which a netlist is copied; a removed instance has the kind -1.

    ``parent``: the given instance that an inserted one stands for; ``second``: the one for which an
    adder cell's second output stands; else -1.
    """

    _fields_ = (
        *_pointers(_INT, "kind", "x", "y", "parent", "second", "first_pin", "pin_net"),
        *_pointers(ctypes.c_uint8, "orient"),
    )


class Summary(ForeignRecord):
    """Result of a step: slacks in ns, lengths in database units, and counts."""

    _fields_ = (
        *(
            (name, _REAL)
            for name in (
                "worst_ns",
                "total_ns",
                "hold_ns",
                "skew_ns",
                "latency_ns",
                "area",
                "wire_length",
                "wire_ff",
            )
        ),
        *(
            (name, _LONG)
            for name in (
                "failing",
                "slew_violations",
                "load_violations",
                "inserted",
                "removed",
                "resized",
                "copied",
                "rounds",
                "adders",
            )
        ),
    )


RECORDS = (
    LibraryArrays,
    ClockArrays,
    DesignArrays,
    RepairOptions,
    ClockTreeOptions,
    RowArrays,
    PlaceOptions,
    Reading,
    Summary,
)
