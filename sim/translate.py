"""Translates a PyMTL3 component to one Verilog text, for both Verilator and Yosys.

PyMTL3's SystemVerilog backend writes the text: bitstructs become packed structs, lists of signals
and of sub-components become unpacked arrays. Yosys must read it with ``read_slang``: its own
``read_verilog -sv`` silently takes an array of structs, such as the message ports of a list of
sub-components, for an array of single bits. PyMTL3's Yosys backend is not usable either: it leaves
a bitstruct register undriven if the register is written whole and read by field, and it drives a
bitstruct port twice if the port is written by field.
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
    """Layout of a message of ``width`` bits at a Verilog port; fields are in message order.

    ``digit_nbits`` is the width of the port if a message is sent digit by digit, the least
    significant digit first; 0: the port has ``width`` bits.
    """

    port: str
    width: int
    fields: tuple[Field, ...]
    digit_nbits: int = 0

    @property
    def port_nbits(self) -> int:
        """Width of the port in bits."""
        return self.digit_nbits or self.width

    @property
    def digits(self) -> int:
        """Number of digits in which a message is sent; 1: it is sent in one cycle."""
        return self.width // self.port_nbits


@dataclass(frozen=True)
class VerilogModule:
    """Verilog text with the messages of its top module.

    The top module has the ports ``clk``, ``reset`` (active high, synchronous), and the ports of the
    component's interfaces: ``recv.msg`` becomes ``recv__msg``.

    Parameters
    ----------
    text
        Verilog of all modules.
    top
        Name of the top module.
    messages
        Mapping from the name of each port with a message to that message.
    """

    text: str
    top: str
    messages: dict[str, Message]

    @property
    def request(self) -> Message:
        """Layout of the request message, at the port ``recv__msg``."""
        return self.messages["recv__msg"]

    @property
    def response(self) -> Message:
        """Layout of the response message, at the port ``send__msg``."""
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
    """Elaborate and translate a new component.

    Parameters
    ----------
    component
        A new component, neither elaborated nor simulated.
    top
        Name of the top module; the class name unless given.
    check
        Function that raises ``ValueError`` if the elaborated component lacks required interfaces.
        The default requires the streams ``recv`` and ``send``.

    Raises
    ------
    ValueError
        If the component lacks the interfaces or ``top`` is no simple identifier.
    TranslationError
        If PyMTL3 would write wrong Verilog or refuses to translate.
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
    """Translate the component that ``factory`` returns, or load a stored translation.

    Parameters
    ----------
    key
        Text that names the component and all its parameters.
    factory
        Returns a new component; called only without a stored translation.
    sources
        Source files, or their folders, on which the component depends. A change of their code, or
        another version of PyMTL3, causes a new translation; a changed comment or docstring does
        not.
    top, check
        See :func:`translate`.
    directory
        Store of the translations; see :func:`store.folders.cache_root`.
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
    """Layouts of the messages at a component's bitstruct ports, by the ports' Verilog names.

    A component with ``frames`` has messages of several digits at the ports of its streams.
    """
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
