"""Interfaces of exponentiators: messages, and the circuit that takes a request and answers it.

The choices on the axes ``control`` and ``bus`` decide the interface of a design. Each interface has
its messages, its handshake (the cycles that it adds), its models and its circuit in one class.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from catalog.choices import DIGIT, STROBE, Choices
from fl.digit_bus import DigitBusUnit, Frames, power_frames
from fl.messages import power_request, power_response
from fl.multipliers.contract import WordMultiplier
from plan.modulus_constants import widths_of

if TYPE_CHECKING:  # at run time, a level is imported only when it is built
    from catalog.configuration import Configuration
    from cl.exponentiator import Handshake


class StreamInterface:
    """Streams of whole messages: {b, e, m, wide} in, {r, status} out.

    Parameters
    ----------
    design : Configuration
        The design that has the interface.
    """

    frames: Frames | None = None
    """Messages that are sent digit by digit; None: a message is sent in one cycle."""

    def __init__(self, design: Configuration) -> None:
        self._design = design

    @property
    def messages(self) -> tuple[type[Any], type[Any]]:
        """Message types of the request and of the response."""
        design = self._design
        widths = design.exponent_nbits, design.rules.modulus_nbits
        request = power_request(design.nbits, widths_of(design.host_constants), *widths)
        return request, power_response(design.nbits)

    def handshake(self, store: Any) -> Handshake:
        """Cycles that control and interface add to those of products and store (``cl.stores``)."""
        handshake: Handshake = store.handshake
        return handshake

    def model(self, unit: type[Any], arguments: Sequence[Any], cycles: Sequence[int] = ()) -> Any:
        """Model of the circuit, not elaborated.

        Parameters
        ----------
        unit : type
            ``fl.unit.FunctionUnit`` or ``cl.unit.TimedUnit``.
        arguments : sequence
            Arguments of the unit after the message types, without ``cycles``.
        cycles : sequence of int
            ``load_cycles`` and ``clear_cycles`` of a ``TimedUnit``.
        """
        return unit(*self.messages, *arguments, *cycles)

    def circuit(self) -> Any:
        """Circuit, not elaborated."""
        from rtl.exponentiators.exponentiator import ExponentiatorRTL

        design = self._design
        return ExponentiatorRTL(
            design.nbits,
            design.programs,
            design.multiplier,
            design.choices.units,
            design.rules,
            widths_of(design.host_constants),
            design.choices.store.rtl,
        )


class StrobeInterface(StreamInterface):
    """The same streams, around lanes that are started by strobes (``rtl.exponentiators``)."""

    def handshake(self, store: Any) -> Handshake:
        """Return the handshake of the circuit with strobes; its residues are in no store."""
        from cl.exponentiator import STROBE_TO_READY

        return STROBE_TO_READY

    def circuit(self) -> Any:
        """Circuit with strobes, not elaborated."""
        from rtl.exponentiators.strobe_streams import StrobeStreams

        design = self._design
        return StrobeStreams(design.multiplier, design.rules, design.exponent_nbits)


class DigitInterface(StreamInterface):
    """Streams of digits: a message is sent digit by digit (``fl.digit_bus``)."""

    @cached_property
    def frames(self) -> Frames:  # type: ignore[override]  # the other interfaces have none
        """Messages as they are sent digit by digit."""
        design = self._design
        golden = cast(WordMultiplier, design.multiplier_golden)  # the axis ``bus`` sees to it
        names = [constant.name for constant in design.host_constants]
        return power_frames(golden.word_nbits, golden.words, design.exponent_nbits, names)

    @property
    def messages(self) -> tuple[type[Any], type[Any]]:
        """Message types, whose fields are as wide as whole digits."""
        return self.frames.request, self.frames.response

    def handshake(self, store: Any) -> Handshake:
        """Handshake of a bus on which the digits of a request come in a row."""
        handshake: Handshake = store.bus_handshake(self.frames.request_digits)
        return handshake

    def model(self, unit: type[Any], arguments: Sequence[Any], cycles: Sequence[int] = ()) -> Any:
        """Model of whole messages behind a bus of one digit.

        The bus takes the place of ``cycles``: it loads operands, and there is nothing to clear.
        """
        return DigitBusUnit(self.frames, unit, tuple(arguments))

    def circuit(self) -> Any:
        """Circuit with a bus of one digit, not elaborated."""
        from rtl.exponentiators.digit_bus import DigitBusExponentiator

        design = self._design
        (program,) = design.programs
        parts = design.multiplier, design.rules, self.frames
        return DigitBusExponentiator(design.nbits, program, *parts)


def interface_of(choices: Choices) -> type[StreamInterface]:
    """Class of the interface, for choices on the axes ``control`` and ``bus``."""
    tokens = dict(choices.tokens)
    if tokens.get("control") == STROBE:
        return StrobeInterface
    if tokens.get("bus") == DIGIT:
        return DigitInterface
    return StreamInterface
