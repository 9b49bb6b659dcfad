"""Checks of a component's interface and update blocks, as both simulation engines require."""

from pathlib import Path
from typing import Any

from pymtl3 import Component
from pymtl3.datatypes import is_bitstruct_class
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.digit_bus import Frames

_STREAMS = (("recv", RecvIfcRTL), ("send", SendIfcRTL))


def message_types(component: Component) -> tuple[type[Any], type[Any]]:
    """Message types of the request and the response of an elaborated component.

    ``ValueError``: no ``recv`` or ``send``, or a message that is not a flat bitstruct. With
    ``frames`` (``fl.digit_bus``), ports are as wide as a digit of a message.
    """
    types = []
    frames: Frames | None = getattr(component, "frames", None)
    whole = (None, None) if frames is None else (frames.request, frames.response)
    for (name, interface), framed in zip(_STREAMS, whole, strict=True):
        stream = getattr(component, name, None)
        if not isinstance(stream, interface):
            raise ValueError(
                f"{type(component).__name__} has no {name} = {interface.__name__}(...)"
            )
        message = framed or stream.msg._dsl.Type
        if not is_bitstruct_class(message) or any(
            not hasattr(kind, "nbits") or is_bitstruct_class(kind)
            for kind in message.__bitstruct_fields__.values()
        ):
            raise ValueError(
                f"{type(component).__name__}: {name}.msg is {message.__name__}, "
                "expected a bitstruct whose fields are all Bits"
            )
        types.append(message)
    return (types[0], types[1])


def field_widths(message: type[Any]) -> tuple[tuple[str, int], ...]:
    """Name and width in bits of each field of a message, the most significant field first."""
    return tuple((name, kind.nbits) for name, kind in message.__bitstruct_fields__.items())


def check_update_blocks(top: Component) -> None:
    """Refuse two update blocks of a class (or a base class) with the same name."""
    # PyMTL3 keeps one source text for each pair of component class and block name, on which
    # translation and the order of simulation depend.
    for component in top.get_all_components():
        for block in component.get_update_blocks():
            is_lambda, _, line, file, _ = component.get_update_block_info(block)
            code = block.__code__
            if not is_lambda and (line, file) != (code.co_firstlineno, code.co_filename):
                raise ValueError(
                    f"{type(component).__name__}: update blocks of one name, {block.__name__}, at "
                    f"{Path(file).name}:{line} and {Path(code.co_filename).name}:"
                    f"{code.co_firstlineno}; give them different names"
                )
