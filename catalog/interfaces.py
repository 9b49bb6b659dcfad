"""Interfaces of exponentiators, by the axes ``control`` and ``bus``: one class for each.

A class has the messages, the handshake (the cycles that it adds), the models and the circuit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from rsaxcel.catalog.choices import DIGIT, DUAL_PORT, STROBE, Choices
from rsaxcel.fl.digit_bus import DigitBusUnit, Frames, power_frames
from rsaxcel.fl.messages import power_request, power_response
from rsaxcel.fl.multipliers.contract import WordMultiplier
from rsaxcel.fl.status import InputRules
from rsaxcel.plan.modulus_constants import Widths
from rsaxcel.plan.programs import Program

if TYPE_CHECKING:  # at run time, a level is imported only when it is built
    from rsaxcel.cl.exponentiator import Handshake


@dataclass(frozen=True)
class StreamInterface:
    """Streams of whole messages: {b, e, m, wide} in, {r, status} out."""

    choices: Choices
    programs: tuple[Program, ...]  # of the plan
    rules: InputRules
    constants: Widths  # of the constants from the host, by name

    @property
    def frames(self) -> Frames | None:
        """Messages that are sent digit by digit; None: a message is sent in one cycle."""
        return None

    @property
    def exponent_nbits(self) -> int:
        return self.programs[0].exponent_nbits

    @property
    def messages(self) -> tuple[type[Any], type[Any]]:
        nbits, widths = self.choices.nbits, (self.exponent_nbits, self.rules.modulus_nbits)
        return power_request(nbits, self.constants, *widths), power_response(nbits)

    def handshake(self, store: Any) -> Handshake:
        """Cycles that control and interface add to those of products and store (``cl.stores``)."""
        handshake: Handshake = store.handshake
        return handshake

    def model(self, unit: type[Any], arguments: Sequence[Any], cycles: Sequence[int] = ()) -> Any:
        """Model by ``FunctionUnit`` or ``TimedUnit``; ``cycles``: load and clear of the latter."""
        return unit(*self.messages, *arguments, *cycles)

    def circuit(self) -> Any:
        from rsaxcel.rtl.exponentiators.exponentiator import ExponentiatorRTL

        choices = self.choices
        return ExponentiatorRTL(
            choices.nbits,
            self.programs,
            choices.multiplier,
            choices.units,
            self.rules,
            self.constants,
            choices.store.rtl,
        )


class StrobeInterface(StreamInterface):
    """The same streams, around lanes that are started by strobes (``rtl.exponentiators``)."""

    def handshake(self, store: Any) -> Handshake:
        """Return the handshake of the circuit with strobes; its residues are in no store."""
        from rsaxcel.cl.exponentiator import STROBE_TO_READY

        return STROBE_TO_READY

    def circuit(self) -> Any:
        from rsaxcel.rtl.exponentiators.strobe_streams import StrobeStreams

        return StrobeStreams(self.choices.multiplier, self.rules, self.exponent_nbits)


class DigitInterface(StreamInterface):
    """Streams of digits: a message is sent digit by digit (``fl.digit_bus``)."""

    @cached_property
    def frames(self) -> Frames:
        nbits = self.programs[0].product_nbits(self.choices.nbits)
        # The axis ``bus`` has seen to it that it is a word multiplier.
        golden = cast(WordMultiplier, self.choices.multiplier.build("fl", nbits))
        names = [name for name, _ in self.constants]
        return power_frames(golden.word_nbits, golden.words, self.exponent_nbits, names)

    @property
    def messages(self) -> tuple[type[Any], type[Any]]:
        """Message types, whose fields are as wide as whole digits."""
        return self.frames.request, self.frames.response

    def handshake(self, store: Any) -> Handshake:
        """Handshake of a bus on which the digits of a request come in a row."""
        handshake: Handshake = store.bus_handshake(self.frames.request_digits)
        return handshake

    def model(self, unit: type[Any], arguments: Sequence[Any], cycles: Sequence[int] = ()) -> Any:
        """Model behind a bus of one digit, which loads the operands instead of ``cycles``."""
        return DigitBusUnit(self.frames, unit, tuple(arguments))

    def circuit(self) -> Any:
        from rsaxcel.rtl.exponentiators.digit_bus import DigitBusExponentiator

        (program,) = self.programs
        parts = self.choices.multiplier, self.rules, self.frames
        ports = dict(self.choices.tokens).get("memory") == DUAL_PORT
        return DigitBusExponentiator(self.choices.nbits, program, *parts, ports)


def interface_of(choices: Choices) -> type[StreamInterface]:
    """Class of the interface, for choices on the axes ``control`` and ``bus``."""
    tokens = dict(choices.tokens)
    if tokens.get("control") == STROBE:
        return StrobeInterface
    if tokens.get("bus") == DIGIT:
        return DigitInterface
    return StreamInterface
