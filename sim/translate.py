"""Translates a PyMTL3 component to one Verilog text, for both Verilator and Yosys.

PyMTL3's SystemVerilog backend makes bitstructs packed structs, and lists unpacked arrays. Yosys
must read them with ``read_slang``: its own ``read_verilog -sv`` silently takes an array of structs
for an array of single bits. PyMTL3's Yosys backend leaves a bitstruct register undriven that is
written whole and read by field, and drives a bitstruct port twice that is written by field.
The translator gives modules other names than PyMTL3 does, unrolls loops, and makes bounds of slices
constant.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pymtl3 import Component, InPort, OutPort
from pymtl3.datatypes import is_bitstruct_class
from pymtl3.passes.backends.verilog import VerilogTranslationPass
from pymtl3.passes.backends.verilog.translation.behavioral.VBehavioralTranslatorL5 import (
    BehavioralRTLIRToVVisitorL5,
)
from pymtl3.passes.backends.verilog.translation.VTranslator import VTranslator
from pymtl3.passes.rtlir import BehavioralRTLIR, RTLIRType
from pymtl3.version import __version__ as pymtl3_version

from rsaxcel.diagnosis.component import check_update_blocks, message_types
from rsaxcel.fl.digit_bus import Frames
from rsaxcel.rtl.lib.verilog_core import VerilogText
from rsaxcel.store.code import code_digest
from rsaxcel.store.errors import RunError
from rsaxcel.store.folders import cache_root, keep, key_of

#: Comment with the path of a source file, which differs between machines.
_LOCATION = re.compile(r"^ *// At .*\n", re.MULTILINE)
#: Declaration of an array of signals: indentation, type, name, dimensions.
_ARRAY = re.compile(r"^(  [\w\[\]: ]+ \w+ (?:\[0:\d+\])+) ?;$", re.MULTILINE)
#: Loops with more steps than this are not unrolled.
_UNROLLED_STEPS = 256


class TranslationError(RunError):
    """PyMTL3 refuses to translate a component; the message is one line."""


class _UnrollingVisitor(BehavioralRTLIRToVVisitorL5):
    """Unrolls loops and replaces the loop variable by numbers.

    Verilator treats an array that a loop variable indexes as one signal. A chain through the
    array's elements then looks like a combinational loop, which Verilator evaluates until the
    values are stable: twice the time for a pipeline with back-pressure from stage to stage.
    """

    _values: Mapping[str, int] = MappingProxyType({})

    def visit_For(s, node: BehavioralRTLIR.For) -> list[str]:  # noqa: N802
        """Return a loop in Verilog, unrolled if its bounds are constant and its steps few."""
        bounds: list[Any] = [
            getattr(part, "_value", None) for part in (node.start, node.end, node.step)
        ]
        if None in bounds or len(steps := range(*map(int, bounds))) > _UNROLLED_STEPS:
            return super().visit_For(node)
        outer = s._values
        lines: list[str] = []
        for value in steps:
            s._values = {**outer, node.var.name: value}
            for statement in node.body:
                lines.extend(f"  {line}" for line in s.visit(statement))
        s._values = outer
        return ["begin", *lines, "end"]

    def visit_LoopVar(s, node: BehavioralRTLIR.LoopVar) -> str:  # noqa: N802
        """Return the value of the loop variable in the current step, as a number in Verilog."""
        if node.name not in s._values:
            return super().visit_LoopVar(node)
        nbits = node.Type.get_dtype().get_length()
        return f"{nbits}'d{s._values[node.name] % 2**nbits}"

    def visit_Slice(s, node: BehavioralRTLIR.Slice) -> str:  # noqa: N802
        """Return a slice in Verilog; bounds with constant values are written as numbers.

        PyMTL3 would write ``2 * nbits``, which Verilog evaluates in the width of its operands: 0 if
        ``nbits`` is 8.
        """
        bounds = [getattr(part, "_value", None) for part in (node.lower, node.upper)]
        if None in bounds or (node.base and node.size):
            return super().visit_Slice(node)
        lower, upper = (int(bound) for bound in bounds if bound is not None)
        node.value._top_expr = True
        return f"{s.visit(node.value)}[{upper - 1}:{lower}]"


class NamingTranslator(VTranslator):
    """Translates one elaborated component; a module has its class's name: ``AddRed``, ``AddRed_2``.

    PyMTL3's own names contain the parameters, which may have characters that identifiers must not
    have; Verilator mangles double underscores; two classes of one name would share a module.
    """

    def __init__(self, component: Component, top: str | None, taken: Iterable[str] = ()) -> None:
        cores = [x for x in component.get_all_components() if isinstance(x, VerilogText)]
        if isinstance(component, VerilogText):
            top = component.module
        self.top_name = top or _identifier(type(component).__name__)
        if self.top_name != _identifier(self.top_name):
            raise ValueError(f"top={top!r}: letters, digits and single underscores only")
        self._names: list[tuple[tuple, str]] = [(_identity(component), self.top_name)]
        self._taken = {self.top_name, *taken, *(name for core in cores for name in core.modules)}
        self._component = component
        super().__init__(component)

    def text(self) -> str:
        """Verilog of all modules, the top module last.

        ``ValueError`` if PyMTL3 would silently write wrong Verilog.
        """
        check_update_blocks(self._component)
        if isinstance(self._component, VerilogText):
            return str(self._component.text)
        for part in self._component.get_all_components():
            part.set_metadata(VerilogTranslationPass.explicit_module_name, "")
        try:
            self.translate(self._component)
        except Exception as error:
            reason = " ".join(str(error).split())
            raise TranslationError(f"{type(self._component).__name__}: {reason}") from error
        return _ARRAY.sub(r"\1 /* verilator split_var */;", _LOCATION.sub("", self.hierarchy.src))

    def _get_rtlir2v_visitor(self) -> type[BehavioralRTLIRToVVisitorL5]:
        return _UnrollingVisitor

    def rtlir_tr_component(self, behavioral: Any, structural: Any) -> str:
        """Return the text of a module; paths and names in its comments stay on their lines."""
        if structural.placeholder_src:
            return str(structural.placeholder_src)
        for name in ("component_file_info", "component_full_name"):
            setattr(structural, name, " ".join(str(getattr(structural, name)).split()))
        return super().rtlir_tr_component(behavioral, structural)

    def rtlir_tr_placeholder_src(self, core: VerilogText) -> str:
        return str(core.text)

    def rtlir_tr_upblk_py_src(
        self, upblk: Any, is_lambda: bool, src: str, lino: int, filename: str
    ) -> list[str]:
        """Return the comment with the source of a block."""
        name = " ".join(filename.split())
        return super().rtlir_tr_upblk_py_src(upblk, is_lambda, src, lino, name)

    def rtlir_tr_component_unique_name(self, c_rtype: RTLIRType.Component) -> str:
        """Return the name of the module for a component."""
        component = c_rtype.get_obj()
        if isinstance(component, VerilogText):
            return str(component.module)
        identity = _identity(component)
        for known, name in self._names:
            if known == identity:
                return name
        base = name = _identifier(c_rtype.get_name())
        number = 1
        while name in self._taken:
            number += 1
            name = f"{base}_{number}"
        self._taken.add(name)
        self._names.append((identity, name))
        return name


def _identifier(name: str) -> str:
    return re.sub(r"[\W_]+", "_", name)


def _identity(component: Component) -> tuple:
    """Class and ``construct`` arguments: components with the same ones share a Verilog module."""
    arguments = RTLIRType.Component(component, {}).get_params()
    return (type(component), [(name, _comparable(value)) for name, value in arguments])


def _comparable(value: Any) -> object:
    # Bitstructs with the same name and fields may be distinct classes: compare name and fields.
    if isinstance(value, type) and is_bitstruct_class(value):
        message: type[Any] = value
        return (message.__name__, list(message.__bitstruct_fields__.items()))
    return value


@dataclass(frozen=True)
class MessageField:
    """One field of a message: bits ``lsb`` to ``lsb + width - 1`` of the message port."""

    name: str
    lsb: int
    width: int


@dataclass(frozen=True)
class Message:
    """Layout of a message of ``width`` bits at a Verilog port; fields are in message order."""

    port: str
    width: int
    fields: tuple[MessageField, ...]
    #: Width of the port if messages are sent digit by digit, least significant first; 0: messages
    #: are sent whole.
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
    taken: Iterable[str] = (),
) -> VerilogModule:
    """Elaborate and translate a new component; ``top`` is by default the name of its class.

    No module below the top has one of the names ``taken``. ``check`` raises ``ValueError`` if
    interfaces are missing. ``TranslationError`` if PyMTL3 would write wrong Verilog.
    """
    component.elaborate()
    check(component)
    translator = NamingTranslator(component, top, taken)
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

    The key names the component with all parameters. Other code of ``sources``, or another PyMTL3,
    causes a new translation; a changed comment or docstring does not.
    """
    digest = key_of(key, top, pymtl3_version, code_digest([*sources, Path(__file__)]))
    label = re.sub(r"\W+", "-", key)[:60]

    def write(folder: Path) -> None:
        module = translate(factory(), top, check=check)
        (folder / "module.json").write_text(json.dumps(asdict(module)))

    entry = keep(directory or cache_root(), f"verilog-{label}-{digest}", write)
    stored = json.loads((entry / "module.json").read_text())
    for message in stored["messages"].values():
        message["fields"] = tuple(MessageField(**field) for field in message["fields"])
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
        fields.append(MessageField(name, lsb, kind.nbits))
    return Message(port, message.nbits, tuple(fields))
