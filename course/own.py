"""Circuits of a project: a core with its author's models, and an accelerator at the processor."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Protocol

from pymtl3 import Component, Wire, concat, connect, update
from pymtl3.stdlib.stream.ifcs import MinionIfcRTL

from rsaxcel.catalog.choices import check_width
from rsaxcel.catalog.described import DescribedDesign, DescribedEntry, describe
from rsaxcel.catalog.sources import sources_of_described
from rsaxcel.cores.description import FILE
from rsaxcel.course.project import OWN
from rsaxcel.fl.exponentiator import Outcome
from rsaxcel.fl.status import Status
from rsaxcel.fl.word_serial import WORD_NBITS
from rsaxcel.fl.xcel import RegisterUnit, XcelReqMsg, XcelRespMsg
from rsaxcel.plan.protocols import MOST, Core, Pulse, Read, Repeat, Step, Steps, Wait, Write, Xcel
from rsaxcel.rtl.shells.pins import Pins, pin
from rsaxcel.store.errors import RunError
from rsaxcel.store.folders import cache_root, keep, key_of

#: polls of a register after which a model hangs
_MOST_POLLS = 1000
_WIDTHS = re.compile(r"^widths *=.*$", re.MULTILINE)

Power = Callable[[int, int, int], int]


class Registers(Protocol):
    """Functional model of an accelerator: registers of 32 bits, as software sees them."""

    def write(self, address: int, data: int) -> None:
        """Write the register at an address."""

    def read(self, address: int) -> int:
        """Read the register at an address."""


class OwnXcel(Component):
    """An accelerator in Verilog with registers of its own, at the processor's xcel interface.

    Parameters
    ----------
    core : plan.protocols.Core; its protocol is ``Xcel``
    text : str; Verilog of all modules of the core

    Ports
    -----
    xcel : minion; req {type_, addr, data}, resp {type_, data}
    """

    def construct(s, core, text):
        s.xcel = MinionIfcRTL(XcelReqMsg, XcelRespMsg)
        s.core = Pins(core, text)
        s.core.core_reset //= s.reset
        at = {name: getattr(s.core, pin(port)) for name, port in core.protocol.ports}
        s.request = Wire(XcelReqMsg.nbits)
        s.response = Wire(XcelRespMsg.nbits)
        connect(s.request, at["req_msg"])
        connect(s.response, at["resp_msg"])
        connect(s.xcel.req.val, at["req_val"])
        connect(s.xcel.req.rdy, at["req_rdy"])
        connect(s.xcel.resp.val, at["resp_val"])
        connect(s.xcel.resp.rdy, at["resp_rdy"])

        @update
        def comb_messages():
            s.request @= concat(s.xcel.req.msg.type_, s.xcel.req.msg.addr, s.xcel.req.msg.data)
            s.xcel.resp.msg.type_ @= s.response[WORD_NBITS]
            s.xcel.resp.msg.data @= s.response[0:WORD_NBITS]

    def line_trace(s):
        return f"{s.xcel.req}(){s.xcel.resp}"


@dataclass(frozen=True)
class OwnDesign(DescribedDesign):
    """A core whose functional model is its author's."""

    #: Makes the model of a width: a function of base, exponent and modulus, or ``Registers``.
    model: Callable[[int], Any] = field(kw_only=True)
    in_pymtl: Any = field(default=None, kw_only=True)  #: class of the circuit, if in PyMTL3

    def outcome(
        self,
        base: int,
        exponent: int,
        modulus: int,
        constants: Sequence[int] = (),
        missing: bool = False,
    ) -> Outcome:
        status = self.rules.status(base, exponent, modulus, missing)
        if status is not Status.OK:
            return Outcome(0, status)
        model = self.model(self.nbits)
        power = model if callable(model) else partial(drive, model, self.described_core)
        return Outcome(power(base, exponent, modulus), status)

    @cached_property
    def sources(self) -> tuple[Path, ...]:
        return (*super().sources, Path(__file__))

    def registers(self) -> Registers:
        """Make a functional model of the registers."""
        made: Registers = self.model(self.nbits)
        return made

    def own_accelerator(self, level: str) -> Component:
        """Accelerator for the processor's interface, not elaborated."""
        if level == "fl":
            return RegisterUnit(self.registers)
        if level != "rtl":
            raise ValueError(f"level {level!r}: fl, rtl are allowed for {OWN}{self.design_name}")
        if self.in_pymtl:
            made: Component = self.in_pymtl(self.nbits)
            return made
        return OwnXcel(self.described_core, self.text)


@dataclass(frozen=True)
class OwnEntry(DescribedEntry):
    """A core by its description, with a functional model."""

    model: Callable[[int], Any] = field(kw_only=True)
    place: Path = field(kw_only=True)
    component: Any = field(default=None, kw_only=True)  #: class of the circuit, if in PyMTL3

    def configure(self, nbits: int, /, **params: Any) -> OwnDesign:
        nbits = check_width(nbits, self.widths, self.name)
        entry = self if self.component is None else _described(self.place, self.component, nbits)
        found = DescribedEntry.configure(entry, nbits, **params)
        return OwnDesign(**_fields(found), model=self.model, in_pymtl=self.component)


def power_core(
    place: Path, model: Callable[[int], Power | Registers], component: Any = None
) -> OwnEntry:
    """Make the entry of an exponentiator, which a description in a folder tells how to drive.

    ``model`` makes the functional model of a width, a function or registers. ``component``: class
    of the circuit, if it is in PyMTL3: its translation is what the description is of; else that
    names files in Verilog.
    """
    about = tomllib.loads((place / FILE).read_text(encoding="utf-8"))
    widths = about["widths"] if component else ()
    entry = _described(place, component, *widths[:1])
    own = {"model": model, "place": place, "component": component}
    return OwnEntry(**_fields(entry) | {"widths": widths or entry.widths}, **own)


def xcel_core(place: Path, model: Callable[[int], Registers], component: Any = None) -> OwnEntry:
    """Make the entry of an accelerator with registers of its own, and the system ``xcel_NAME``.

    ``model`` makes the functional model of the registers; see ``power_core``.
    """
    from rsaxcel.proc.kinds import ATTACHED, ProcXcel, SystemKind
    from rsaxcel.proc.parameters import PROCESSOR_PARAMETERS
    from rsaxcel.proc.run import Devices

    entry = power_core(place, model, component)
    if not isinstance(entry.described.core(entry.widths[0]).protocol, Xcel):
        raise ValueError(f'{place}/core.toml: kind = "xcel" of the protocol is allowed here')
    ATTACHED[OWN] = SystemKind(
        OWN,
        "the processor with an accelerator of a project, by the accelerator's own registers",
        (),
        PROCESSOR_PARAMETERS,
        lambda configuration: Devices(configuration.registers()),
        OwnDesign.own_accelerator,
        ProcXcel,
    )
    return entry


def _described(place: Path, component: Any, nbits: int = 0) -> DescribedEntry:
    file = place / FILE if component is None else _translated(place, component, nbits)
    entry = describe(file)
    if not isinstance(entry, DescribedEntry):
        raise ValueError(f"{place / FILE}: operation = mod_exp is allowed here")
    return entry


def _fields(made: Any) -> dict[str, Any]:
    return {x.name: getattr(made, x.name) for x in fields(made)}


def drive(registers: Registers, core: Core, *operands: int) -> int:
    """Do the steps of a core's protocol on a model of its registers; return the result."""
    assert isinstance(core.protocol, Steps)
    values, nbits = dict(zip(core.operands, operands, strict=True)), core.protocol.word_nbits
    result = 0
    for step, turn in _accesses(core, core.protocol.steps):
        match step:
            case Write():
                shift = nbits * _place(core, step, turn)
                word = step.value + turn * step.increment
                word = values[step.field] >> shift & (1 << nbits) - 1 if step.field else word
                registers.write(step.address + turn * step.stride, word)
            case Pulse():
                registers.write(step.address, step.value)
            case Wait():
                polls = (registers.read(step.address) & step.mask for _ in range(_MOST_POLLS))
                if step.value & step.mask not in polls:
                    told = f"bits {step.mask:#x} of register {step.address:#x} never change"
                    raise RunError(f"{core.module}: functional model: {told}")
            case Read():
                word = registers.read(step.address + turn * step.stride)
                result |= word << nbits * _place(core, step, turn)
    return result & (1 << core.nbits) - 1


def _accesses(core: Core, steps: Sequence[Step]) -> Iterator[tuple[Any, int]]:
    """Yield each access of a protocol: its step, and the number of the word or of the round."""
    for step in steps:
        if isinstance(step, Repeat):
            yield from ((each, turn) for turn in range(step.count) for each in step.steps)
        else:
            words = 1
            if isinstance(step, Read) or (isinstance(step, Write) and step.field):
                words = core.words(step)
            yield from ((step, turn) for turn in range(words))


def _place(core: Core, step: Write | Read, turn: int) -> int:
    """Return the place of a word in its number; 0 is the least significant one."""
    return core.words(step) - 1 - turn if step.order == MOST else turn


def _translated(place: Path, component: Any, nbits: int) -> Path:
    """Translate a circuit in PyMTL3 for a width; return a description beside its Verilog."""
    from rsaxcel.diagnosis.check import check_component  # as the translation, slow to import
    from rsaxcel.sim.translate import translate_cached

    about = _WIDTHS.sub(f"widths = [{nbits}]", (place / FILE).read_text(encoding="utf-8"))
    module = translate_cached(
        f"{place.parent.name}_{nbits}",
        lambda: component(nbits),
        sources=[place.parent, *sources_of_described()],
        top=tomllib.loads(about)["top"],
        check=check_component,
    )

    def populate(folder: Path) -> None:
        (folder / FILE).write_text(about, encoding="utf-8")
        (folder / "core.sv").write_text(module.text, encoding="utf-8")

    return keep(cache_root(), f"core-{key_of(about, module.text)}", populate) / FILE
