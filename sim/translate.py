"""Translates a PyMTL3 component to one Verilog text, for both Verilator and Yosys.

PyMTL3's SystemVerilog backend makes bitstructs packed structs, and lists unpacked arrays. Yosys
must read them with ``read_slang``: its own ``read_verilog -sv`` silently takes an array of structs
for an array of single bits. PyMTL3's Yosys backend leaves a bitstruct register undriven that is
written whole and read by field, and drives a bitstruct port twice that is written by field.
"""

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from pymtl3 import Component, InPort, OutPort
from pymtl3.datatypes import is_bitstruct_class
from pymtl3.version import __version__ as pymtl3_version

from rsaxcel.diagnosis.component import message_types
from rsaxcel.fl.digit_bus import Frames
from rsaxcel.sim.translator import NamingTranslator
from rsaxcel.store.code import code_digest
from rsaxcel.store.folders import cache_root, keep, key_of


@dataclass(frozen=True)
class Field:
    """One field of a message: bits ``lsb`` to ``lsb + width - 1`` of the message port."""

    name: str
    lsb: int
    width: int


@dataclass(frozen=True)
class Message:
    """Layout of a message of ``width`` bits at a Verilog port; fields are in message order."""

    port: str
    width: int
    fields: tuple[Field, ...]
    # Width of the port if messages are sent digit by digit, least significant first; 0: they are
    # not.
    digit_nbits: int = 0

    @property
    def port_nbits(self) -> int:
        return self.digit_nbits or self.width

    @property
    def digits(self) -> int:
        """Number of digits in which a message is sent; 1: it is sent in one cycle."""
        return self.width // self.port_nbits


@dataclass(frozen=True)
class VerilogModule:
    """Verilog of all modules; ``recv.msg`` of the top module becomes ``recv__msg``.

    ``reset`` is active high and synchronous. ``messages`` are by port.
    """

    text: str
    top: str
    messages: dict[str, Message]

    @property
    def request(self) -> Message:
        return self.messages["recv__msg"]

    @property
    def response(self) -> Message:
        return self.messages["send__msg"]

    def with_text(self, *texts: str) -> "VerilogModule":
        """Copy with other Verilog for the same ports, such as a netlist and its cell models."""
        return replace(self, text="\n".join(texts))


def translate(
    component: Component,
    top: str | None = None,
    *,
    check: Callable[[Component], object] = message_types,
) -> VerilogModule:
    """Elaborate and translate a new component; ``top`` is by default the name of its class.

    ``check`` raises ``ValueError`` if interfaces are missing. ``TranslationError`` if PyMTL3 would
    write wrong Verilog.
    """
    component.elaborate()
    check(component)
    translator = NamingTranslator(component, top)
    return VerilogModule(
        text=translator.text(), top=translator.top_name, messages=_messages(component)
    )


def translate_cached(
    key: str,
    factory: Callable[[], Component],
    *,
    sources: Iterable[Path] = (),
    top: str | None = None,
    check: Callable[[Component], object] = message_types,
    directory: Path | None = None,
) -> VerilogModule:
    """Translate the component that ``factory`` returns, or load the translation of its ``key``.

    The key names it with all parameters. Other code of ``sources``, or another PyMTL3, causes a new
    translation; a changed comment or docstring does not.
    """
    translator = (Path(__file__), Path(__file__).with_name("translator.py"))
    digest = key_of(key, top, pymtl3_version, code_digest([*sources, *translator]))
    label = re.sub(r"\W+", "-", key)[:60]

    def write(folder: Path) -> None:
        module = translate(factory(), top, check=check)
        (folder / "module.json").write_text(json.dumps(asdict(module)))

    entry = keep(directory or cache_root(), f"verilog-{label}-{digest}", write)
    stored = json.loads((entry / "module.json").read_text())
    for message in stored["messages"].values():
        message["fields"] = tuple(Field(**field) for field in message["fields"])
    stored["messages"] = {name: Message(**m) for name, m in stored["messages"].items()}
    return VerilogModule(**stored)


def _messages(component: Component) -> dict[str, Message]:
    """Layouts of the messages, maybe of several digits (``frames``), by Verilog port."""
    ports = component.get_all_object_filter(
        lambda x: isinstance(x, InPort | OutPort) and x.get_host_component() is component
    )
    found = {}
    for port in ports:
        if port.is_top_level_signal() and is_bitstruct_class(port._dsl.Type):
            name = repr(port).removeprefix("s.").replace(".", "__")
            found[name] = message_of(name, port._dsl.Type)
    frames: Frames | None = getattr(component, "frames", None)
    if frames:
        for name, kind in (("recv__msg", frames.request), ("send__msg", frames.response)):
            found[name] = replace(message_of(name, kind), digit_nbits=frames.digit_nbits)
    return dict(sorted(found.items()))


def message_of(port: str, message: type[Any]) -> Message:
    """Layout of a bitstruct type in a Verilog port; the first field has the highest bits."""
    lsb, fields = message.nbits, []
    for name, kind in message.__bitstruct_fields__.items():
        lsb -= kind.nbits
        fields.append(Field(name, lsb, kind.nbits))
    return Message(port, message.nbits, tuple(fields))
