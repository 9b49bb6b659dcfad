"""A design with its input rules in Verilog, and random requests that meet them."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from rsaxcel.catalog.configuration import Exponentiator
from rsaxcel.fl.status import Status
from rsaxcel.sim.translate import VerilogModule

#: Moduli up to this width are unrolled one by one, if the cycles depend on them.
_MOST_MODULUS_BITS = 10
_USUAL = 65537  #: public exponent of nearly all keys

_WRAPPER = """
module checked(
  input clk, input reset, input offered, input taken, output ready, output valid,
  {ports},
  output [{r} - 1:0] result, output [7:0] status, output [7:0] expected);
  wire [{request} - 1:0] request;
  {fields}
  {circuit} circuit(
    .clk(clk), .reset(reset), .recv__val(offered), .recv__rdy(ready), .recv__msg(request),
    .send__val(valid), .send__rdy(taken), .send__msg({{result, status}}));
  // The input rules, in the order in which they are checked.
  assign expected = {rules} 0;
endmodule
"""


@dataclass(frozen=True)
class CheckedDesign:
    """A design in a wrapper with a port for each operand."""

    # With halves, exponents have the ports ``e_0`` and ``e_1``, moduli ``m_0`` and ``m_1``. A
    # public exponent and random numbers, which stand above the exponents, have ports, too.

    configuration: Exponentiator
    module: VerilogModule

    @cached_property
    def widths(self) -> dict[str, int]:
        """Width of each port of the wrapper that is part of a request."""
        halves = self.configuration.halves
        found: dict[str, int] = {}
        for field in self.module.request.fields:
            if halves and field.name in ("e", "m"):
                nbits = self.configuration.rules.exponent_nbits if field.name == "e" else 0
                found |= {f"{field.name}_{i}": nbits or halves.nbits for i in (0, 1)}
                found |= self._above if field.name == "e" else {}
            else:
                found[field.name] = field.width
        return found

    @property
    def _above(self) -> dict[str, int]:
        """Width of each port for a number above the exponents of the halves."""
        halves = self.configuration.halves
        assert halves is not None
        return {number.key: number.nbits for number in halves.numbers}

    @property
    def secret(self) -> tuple[str, ...]:
        """Ports of the exponent; a public exponent is not secret."""
        return tuple(name for name in self.widths if name in ("e", "e_0", "e_1"))

    @property
    def usual_public(self) -> Mapping[str, int]:
        """Value of the public exponent's port: 65537, or 3 if that is too wide. Empty: no check."""
        halves = self.configuration.halves
        numbers = halves.numbers if halves else ()
        return {x.key: 3 if _USUAL >> x.nbits else _USUAL for x in numbers if x.odd}

    @cached_property
    def timing_moduli(self) -> Sequence[int] | None:
        """All legal moduli if the cycles depend on the modulus; empty if they do not.

        The cycles depend on the modulus if the circuit computes a constant of the modulus in a
        varying number of cycles. None: cycles may depend on it, and there are too many moduli to
        try each.
        """
        configuration = self.configuration
        if not configuration.modulus_dependent:
            return ()
        if configuration.modulus_nbits > _MOST_MODULUS_BITS:
            return None
        every = range(1 << configuration.modulus_nbits)
        legal = [m for m in every if configuration.rules.status(0, 0, m, False) is Status.OK]
        return legal if len({configuration.cycles(0, 0, m) for m in legal}) > 1 else ()

    @property
    def text(self) -> str:
        """Verilog of the design and the wrapper, whose top module is ``checked``."""
        (r,) = (x.width for x in self.module.response.fields if x.name == "r")
        rules = (f"{condition} ? {int(status)} :" for condition, status in self._rules())
        wrapper = _WRAPPER.format(
            ports=",\n  ".join(f"input [{n} - 1:0] {name}" for name, n in self.widths.items()),
            r=r,
            request=self.module.request.width,
            fields="\n  ".join(self._fields()),
            circuit=self.module.top,
            rules=" ".join(rules),
        )
        return self.module.text + wrapper

    def _rules(self) -> Iterator[tuple[str, Status]]:
        rules = self.configuration.rules
        moduli = [name for name in self.widths if name in ("m", "m_0", "m_1")]
        yield "wide", Status.OPERAND_TOO_WIDE
        yield _any(f"{m} < {rules.min_modulus}" for m in moduli), Status.MODULUS_TOO_SMALL
        if rules.odd_modulus:
            yield _any(f"!{m}[0]" for m in moduli), Status.MODULUS_EVEN
        if rules.constant_modulus:
            yield f"(m != {rules.constant_modulus})", Status.MODULUS_OTHER
        if not rules.halves:
            yield "(b >= m)", Status.BASE_TOO_LARGE
        missing = ["missing"] if "missing" in self.widths else []
        if rules.halves:
            numbers = rules.halves.numbers
            missing += [f"{number.key} == 0" for number in numbers if not number.odd]
            missing += [f"!{number.key}[0]" for number in numbers if number.odd]
        if missing:
            yield _any(missing), Status.CONSTANTS_MISSING

    def _fields(self) -> Iterator[str]:
        """Verilog that assigns the fields of a request."""
        halves = self.configuration.halves
        for field in self.module.request.fields:
            value = field.name
            if halves and field.name in ("e", "m"):
                names, lows = [f"{value}_0", f"{value}_1"], [0, halves.padded_nbits]
                if field.name == "e":
                    names += self._above
                    lows += halves.lows
                sizes = [b - a for a, b in zip(lows, [*lows[1:], field.width], strict=True)]
                parts = [f"{n}'({name})" for name, n in zip(names, sizes, strict=True)]
                value = f"{{{', '.join(reversed(parts))}}}"
            yield f"assign request[{field.lsb + field.width - 1}:{field.lsb}] = {value};"

    def requests(
        self, count: int, legal: bool, seed: int = 0, fixed: Mapping[str, int] | None = None
    ) -> Sequence[Mapping[str, int]]:
        """Draw requests that meet the input rules, or break one; ``fixed`` ports keep values."""
        draw = random.Random(seed)
        found: list[dict[str, int]] = []
        while len(found) < count:
            ports = {name: draw.getrandbits(nbits) for name, nbits in self.widths.items()}
            if legal or draw.random() < 0.8:
                ports |= {name: 0 for name in ("wide", "missing") if name in ports}
            if draw.random() < 0.8:
                ports |= {x: ports[x] | 1 for x in ("m", "m_0", "m_1") if x in ports}
            constant = self.configuration.constant_modulus
            if constant and draw.random() < 0.8:
                ports["m"] = constant
            ports |= fixed or {}
            if "m" in ports and ports["m"] and draw.random() < 0.8:
                ports["b"] %= ports["m"]
            if (self.status(ports) is Status.OK) is legal:
                found.append(ports)
        return found

    def status(self, ports: Mapping[str, int]) -> Status:
        """Status that the input rules of the golden model give."""
        if ports["wide"]:
            return Status.OPERAND_TOO_WIDE
        b, e, m = self.operands(ports)
        return self.configuration.rules.status(b, e, m, bool(ports.get("missing", 0)))

    def operands(self, ports: Mapping[str, int]) -> tuple[int, int, int]:
        """Return base, exponent and modulus of a request; two halves are joined."""
        halves = self.configuration.halves
        if not halves:
            return ports["b"], ports["e"], ports["m"]
        above = [ports[number.key] for number in halves.numbers]
        e = halves.joined_numbers(ports["e_0"], ports["e_1"], above)
        return ports["b"], e, halves.joined(ports["m_0"], ports["m_1"])


def _any(conditions: Iterable[str]) -> str:
    return f"({' || '.join(conditions)})"
