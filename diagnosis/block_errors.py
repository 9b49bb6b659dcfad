"""Explains PyMTL3's errors about names, indices and assignments in update blocks.

Each function returns the error to show, or None if the exception does not tell the statement.
"""

import re

from pymtl3 import Component
from pymtl3.datatypes import is_bitstruct_class
from pymtl3.dsl import Signal

from rsaxcel.diagnosis.constructs import THE_COMPONENT
from rsaxcel.diagnosis.error import DesignError, Place
from rsaxcel.diagnosis.texts import Frames, by_text, circuit_name, names_of


def wrong_name(error: BaseException, frames: Frames) -> DesignError | None:
    """Return the error for an unknown field or signal; it lists the names that exist."""
    told = by_text(error)
    if told is None:
        return None
    for frame, _ in reversed(frames):
        field, owner = frame.f_locals.get("field"), frame.f_locals.get("obj")
        if isinstance(field, str) and owner is not None:
            kind = owner
            if not isinstance(owner, Component) and hasattr(owner, "_dsl"):
                message = getattr(owner._dsl, "Type", None)
                if message is not None and is_bitstruct_class(message):
                    kind = message()
            allowed = names_of(kind) or "bits and slices, such as s.x[0] and s.x[0:8]"
            told = DesignError(f"{owner!r} has no {field}", allowed, told.place)
            break
    return told


def part_of_a_register(error: BaseException, frames: Frames) -> DesignError | None:
    told = by_text(error)
    wrong, allowed = "<<= to a part of a register", "<<= to the whole register"
    return told and DesignError(wrong, allowed, told.place)


def wrong_index(error: BaseException, frames: Frames) -> DesignError | None:
    """Return the error for an index beyond the bits of a signal; it tells the bits that exist."""
    told = by_text(error)
    if told is None:
        return None
    found = re.search(r'Slice \[(.+?)\] of object "(.+?)".*has "Bits(\d+)"', str(error), re.DOTALL)
    if found is None:
        return told
    index = re.sub(r"slice\((\S+), (\S+), None\)", r"\1:\2", found[1])
    last = int(found[3]) - 1
    circuits = [frame.f_locals.get("s") for frame, _ in reversed(frames)]
    where = next((f" ({circuit_name(x)})" for x in circuits if isinstance(x, Component)), "")
    return DesignError(f"{found[2]} has no bit [{index}]{where}", f"bits 0 to {last}", told.place)


def wrong_call(error: BaseException, frames: Frames) -> DesignError | None:
    """Return the error for ``construct`` without ``s``, or for a slice; see ``wrong_slice``."""
    frame, _ = frames[-1]
    component = frame.f_locals.get("s")
    if frame.f_code.co_name == "_construct" and isinstance(component, Component):
        code = type(component).construct.__code__
        if "s" in code.co_names:  # a global name: it is no parameter
            place = Place(code.co_filename, code.co_firstlineno)
            return DesignError(str(error), THE_COMPONENT, place)
    return wrong_slice(error, frames)


def wrong_slice(error: BaseException, frames: Frames) -> DesignError | None:
    """Return the error for a slice, in a connection, of bits that a signal does not have."""
    frame, _ = frames[-1]
    signal, index = frame.f_locals.get("s"), frame.f_locals.get("idx")
    places = [Place(x.f_code.co_filename, n) for x, n in frames if x.f_code.co_name == "construct"]
    if frame.f_code.co_name != "__getitem__" or not isinstance(signal, Signal) or not places:
        return None
    kind = signal._dsl.Type
    if is_bitstruct_class(kind):
        return DesignError(
            f"{signal} is a message, which has no bits", names_of(kind()), places[-1]
        )
    if isinstance(index, slice):
        bounds = ["" if x is None else str(x) for x in (index.start, index.stop)]
        index = ":".join(bounds) + (f":{index.step}" if index.step else "")
    allowed = f"bits 0 to {kind.nbits - 1}; a slice has both bounds: {signal}[0:{kind.nbits}]"
    return DesignError(f"{signal} has no bits [{index}]", allowed, places[-1])
