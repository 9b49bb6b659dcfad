"""Claim: the synthesized netlist computes what the translated design computes.

Both are cut at their registers, which keep their names: Yosys and ABC show that outputs and next
states are the same functions of inputs and states, so that both behave alike from equal states on.

Synthesis drops registers that are constant or equal to others, as Yosys tells; the same proof shows
by induction that they stay so, from a first cycle in which they are so. Registers that nothing
reads may hold any value. Where the design leaves a value undefined (x), the netlist may have any.
The design is read as synthesis reads it; gate-level simulation shows that this reading is right.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from rsaxcel.flow.code import code_of
from rsaxcel.flow.kit import CLOCK_NS, DEFAULT_LIBRARY, Kit
from rsaxcel.flow.layout import usual_timer
from rsaxcel.flow.libraries import plain_kit
from rsaxcel.flow.names import register_of
from rsaxcel.flow.nodes.synthesis import SynthesisNode, synthesize
from rsaxcel.flow.paths import temporary_folder
from rsaxcel.flow.power.liberty import Library
from rsaxcel.flow.synthesizer.interface import MappingSource
from rsaxcel.flow.synthesizer.mapping import prepare
from rsaxcel.flow.tools import find_timer, key_of_tool
from rsaxcel.flow.yosys import Yosys, in_yosys, yosys_version
from rsaxcel.flow.yosys_json import Bit, Module, read_module, write_module
from rsaxcel.lab.proofs.aig import TRUE, Aig, Machine
from rsaxcel.lab.proofs.claim import CircuitClaim, Counterexample, Proof, processor_seconds
from rsaxcel.lab.proofs.signals import Signals, signals_of
from rsaxcel.lab.proofs.solver import ProofVerdict, run_abc, satisfied
from rsaxcel.sim.translate import VerilogModule
from rsaxcel.store.errors import RunError
from rsaxcel.store.folders import cache_root, file_digest, find, keep, key_of

METHOD = "combinational equivalence (&cec)"

_DIFFERENT = "NOT EQUIVALENT"
_NETLIST, _PREPARED = "netlist.json", "prepared.il"


@dataclass(frozen=True)
class NetlistClaim(CircuitClaim):
    """Claim: outputs and next states of design and netlist are the same functions.

    Design and netlist are cut at the registers, which have the same names; a gated clock is an
    enable. Where the Verilog leaves a value undefined, the netlist may have any.
    """

    kind = "netlist"
    most_nbits = 64
    meaning = "the synthesized netlist computes what the Verilog computes"

    @property
    def statement(self) -> str:
        return f"the netlist for {DEFAULT_LIBRARY} has the same outputs and next states"

    @property
    def text(self) -> str:
        """Verilog of the circuit."""
        return self.module.text

    @property
    def read(self) -> Sequence[str] | None:
        """Digests of netlist, prepared design and library; None: the netlist is not made yet."""
        kit = _kit()
        folder = find(cache_root(), _entry(self.module, kit))
        if folder is None:
            return None
        return [file_digest(x) for x in (folder / _NETLIST, folder / _PREPARED, kit.liberty)]

    def make(self) -> None:
        """Synthesize the circuit, unless it is in the store."""
        kept_netlist(self.module, self.kit)

    @property
    def kit(self) -> Kit:
        return _kit()

    @property
    def netlist(self) -> Path:
        """File of the netlist, which is made first if it is not in the store."""
        return kept_netlist(self.module, self.kit) / _NETLIST

    def prove_other(self, netlist: str, seconds: float) -> Proof:
        """Prove or refute the claim about another netlist, in JSON."""
        with temporary_folder() as folder:
            file = folder / "other.json"
            file.write_text(netlist)
            return prove_netlist(self.module, file, self.kit, seconds)

    def prove(self, seconds: float) -> Proof:
        """Prove or refute the claim; ``seconds`` do not limit the synthesis."""
        module, kit, begun = self.module, _kit(), processor_seconds()
        kept = kept_netlist(module, kit)
        with temporary_folder() as folder:
            (folder / "design.v").write_text(module.text)
            (folder / "work").mkdir()
            shutil.copy(kept / _NETLIST, folder / _NETLIST)
            shutil.copy(kept / _PREPARED, folder / "work" / _PREPARED)
            return _proof(folder, module.top, kit, seconds, begun)


def _kit() -> Kit:
    return Kit.read(plain_kit(DEFAULT_LIBRARY))


def kept_netlist(module: VerilogModule, kit: Kit) -> Path:
    """Folder with the netlist of a circuit and its prepared design, which are made once."""

    def populate(folder: Path) -> None:
        with temporary_folder() as made:
            source = MappingSource(made / "design.v", module.top, kit)
            source.verilog.write_text(module.text)
            synthesize(source, CLOCK_NS, made, made / "work")
            shutil.copy(made / _NETLIST, folder)
            shutil.copy(made / "work" / _PREPARED, folder)

    return keep(cache_root(), _entry(module, kit), populate)


def _entry(module: VerilogModule, kit: Kit) -> str:
    """Name of the kept netlist, which depends on all that decides on it."""
    tools = yosys_version(), key_of_tool(find_timer(usual_timer()))
    key = key_of(module.text, module.top, kit.digest, CLOCK_NS, tools, code_of(SynthesisNode))
    return f"proven-netlist-{key}"


def prove_netlist(module: VerilogModule, netlist: Path, kit: Kit, seconds: float) -> Proof:
    """Prove or refute the claim about the ``netlist.json`` of a synthesis."""
    begun = processor_seconds()
    with temporary_folder() as folder:
        verilog, work = folder / "design.v", folder / "work"
        verilog.write_text(module.text)
        shutil.copy(netlist, folder / _NETLIST)
        # Dropped registers are read from the first step of synthesis, which gives the same each
        # time.
        in_yosys(folder / "prepare.log", prepare, verilog, module.top, work / _PREPARED, work)
        return _proof(folder, module.top, kit, seconds, begun)


def _proof(folder: Path, top: str, kit: Kit, seconds: float, begun: float) -> Proof:
    """Proof about the netlist in the folder of a synthesis, which began at a processor time."""
    try:
        found = proved_equal(folder, top, kit, kit.library, seconds)
    except NotProved as error:
        used = processor_seconds() - begun
        if _DIFFERENT not in str(error):
            return Proof(ProofVerdict.OPEN, METHOD, "all states", used)
        return Proof(ProofVerdict.REFUTED, METHOD, "all states", used, _example(error))
    used = processor_seconds() - begun
    where = "all states" + ", where the Verilog defines a value" * found.undefined
    products = ", products formed as in synthesis" * found.formed
    scope = f"{where}, {found.kept} flip-flops, {found.dropped} dropped by synthesis{products}"
    return Proof(ProofVerdict.PROVEN, METHOD, scope, used)


def _example(error: NotProved) -> Counterexample:
    """State and inputs for which netlist and design differ."""
    if not error.differing:
        return Counterexample("netlist and Verilog differ")
    name, *others = error.differing
    gold, gate = (error.signals[f"{x}_{name}"][0] for x in ("gold", "gate"))
    text = f"{name.removeprefix('next:')} = {gate} in the netlist, {gold} in the Verilog"
    more = f"; {len(others)} others differ, too" if others else ""
    return Counterexample(text + more, (), error.signals, error.widths)


# Products of words are formed by passes of the synthesizer, as Booth rows: ABC takes a second for
# equal rows, and does not decide other rows at 32 bits. A fault of these passes would be in the
# design and in the netlist alike, and remain hidden.
#: passes of the synthesizer that form products of words
_PRODUCTS = ("wreduce", "booth", "alumacc")


@dataclass(frozen=True)
class Comparison:
    """Design and netlist, both cut at their registers, in one graph of inputs and states."""

    graph: Aig
    #: literals by output or next state: 1 if the design leaves the value undefined
    undefined: Mapping[str, int]
    #: literals by output or next state: 1 if the design defines the value, and the netlist differs
    wrong: Mapping[str, int]

    @classmethod
    def of(cls, folder: Path, kit: Kit, products: bool) -> Comparison:
        """Read ``gold.json`` and ``gate.json``; ``products``: the design multiplies words."""
        in_yosys(folder / "undefined.log", _write, folder, kit, _PRODUCTS if products else ())
        gold, gate = (Machine.read(folder / f"{name}.aig") for name in ("gold", "gate"))
        graph = Aig()
        given = {name: graph.add_input(name) for name in gate.inputs}
        pairs, _ = gold.possible(given, [], TRUE, graph.both, graph.either)
        undefined, wrong = {}, {}
        for name, value in graph.copy(gate, given, []).outputs.items():
            one, zero = pairs[name]
            undefined[name] = graph.both(one, zero)
            wrong[name] = graph.either(graph.both(value, one ^ 1), graph.both(value ^ 1, zero ^ 1))
        return cls(graph, undefined, wrong)

    def that_are_1(self, literals: Mapping[str, int], given: Mapping[str, int]) -> set[str]:
        """Names of the literals that are 1 for values of the inputs."""
        values = self.graph.values([given[x] for x in self.graph.inputs], literals.values())
        return {name for name, value in zip(literals, values, strict=True) if value}


def _write(folder: Path, kit: Kit, passes: tuple[str, ...]) -> None:
    """Write both modules as graphs; each undefined value of the design becomes an input."""
    for name, how, first in (("gold", "-anyseq", passes), ("gate", "-zero", ())):
        yosys = Yosys()
        yosys.run(f"read_json {folder}/{name}.json")
        yosys.run(f"read_liberty -ignore_miss_func -ignore_miss_data_latch {kit.liberty}")
        yosys.run(f"hierarchy -top {name}", "flatten", f"setundef -undriven {how}", *first)
        yosys.run("techmap", "opt_clean", "aigmap", "opt_clean")
        yosys.run(f"write_aiger -symbols {folder}/{name}.aig")


_MARKS = "registers"
_CONSTANTS = ("0", "1")
_CLOCK = "clk"
_SECONDS = 600
_EQUAL = "Networks are equivalent"
_ZEROS = "different phase"  #: ABC's word for outputs that differ if all inputs are 0
_INPUTS = re.compile(r"INPUT: a = \d+'h([0-9A-F]+)")
#: Gates for asynchronous sets and clears, by whether the pin is active at 1.
_SETS = {True: "$_OR_", False: "$_ORNOT_"}
_CLEARS = {True: "$_ANDNOT_", False: "$_AND_"}


class NotProved(RunError):  # noqa: N818
    """The netlist differs from the design, or ABC cannot decide (then ``signals`` is empty).

    ``signals``: lists of one value; those of the design begin with ``gold_`` and of the netlist
    with ``gate_``; bits that the design leaves undefined are 1 in ``undefined_``, and 0 in
    ``gold_``.
    """

    def __init__(
        self, text: str, signals: dict[str, list[int]] | None = None, widths: dict | None = None
    ) -> None:
        super().__init__(text)
        self.signals, self.widths = signals or {}, widths or {}

    @property
    def differing(self) -> list[str]:
        """Names of the outputs and next states that differ where the design defines them."""
        found = []
        for name in (x.removeprefix("gold_") for x in self.signals if x[:5] == "gold_"):
            (gold,), (gate,) = (self.signals[f"{x}_{name}"] for x in ("gold", "gate"))
            (undefined,) = self.signals.get(f"undefined_{name}", [0])
            if (gold ^ gate) & ~undefined:
                found.append(name)
        return found


@dataclass(frozen=True)
class Equivalence:
    """Numbers of register bits in a proof."""

    kept: int  #: register bits that are in the netlist
    constant: int  #: register bits dropped as constant
    alike: int  #: register bits dropped as equal to another one
    unread: int  #: register bits dropped because nothing reads them
    undefined: bool = False  #: the design leaves a value undefined for some inputs and states
    formed: bool = False  #: passes of the synthesizer formed the design's products

    @property
    def dropped(self) -> int:
        """Register bits that are not in the netlist."""
        return self.constant + self.alike + self.unread


@dataclass
class CutModule(Module):
    """A module without its registers."""

    states: dict[str, Bit] = field(default_factory=dict)  #: nets of register bits by name
    nexts: dict[str, Bit] = field(default_factory=dict)  #: nets of next states by name
    nets: int = 0

    def __post_init__(self) -> None:
        """Find the highest number of a net."""
        bits = (bit for net in self.netnames.values() for bit in net["bits"])
        self.nets = max(bit for bit in bits if isinstance(bit, int))

    @classmethod
    def of(cls, file: Path, top: str) -> CutModule:
        """Read a flat module; its registers are not cut yet."""
        module = read_module(file, top)
        return cls(**vars(module))

    def new_net(self) -> int:
        """Return the number of a new net."""
        self.nets += 1
        return self.nets

    def replace(self, others: Mapping[Bit, Bit]) -> None:
        """Replace nets wherever they are read."""
        for cell in self.cells.values():
            for name, bits in cell["connections"].items():
                cell["connections"][name] = [others.get(bit, bit) for bit in bits]
        for port in self.ports.values():
            port["bits"] = [others.get(bit, bit) for bit in port["bits"]]
        self.nexts = {name: others.get(bit, bit) for name, bit in self.nexts.items()}

    def write(self, file: Path, name: str, wanted: Mapping[str, Bit]) -> None:
        """Write a module with the states as inputs, and the nets in ``wanted`` as outputs."""
        ports = {n: p for n, p in self.ports.items() if n != _CLOCK}
        free = {f"state:{x}": bit for x, bit in self.states.items() if isinstance(bit, int)}
        for direction, nets in (("input", free), ("output", wanted)):
            ports |= {n: {"direction": direction, "bits": [bit]} for n, bit in nets.items()}
        write_module(file, name, Module(ports=ports, cells=self.cells))


def cut_design(file: Path, top: str) -> CutModule:
    """Cut the translated design at its registers, which are Yosys's cells ``$dff``."""
    cut = CutModule.of(file, top)
    names = cut.register_names()
    for cell, entry in list(cut.cells.items()):
        if entry["type"] == "$dff":
            pins = cut.cells.pop(cell)["connections"]
            for state, following in zip(pins["Q"], pins["D"], strict=True):
                if state not in names:
                    raise NotProved(f"{top}: a register without a name")
                cut.states[names[state]], cut.nexts[names[state]] = state, following
        elif "ff" in entry["type"]:
            raise NotProved(f"{top}: a register of the kind {entry['type']}")
    return cut


def cut_netlist(file: Path, top: str, library: Library) -> CutModule:
    """Cut the netlist at its flip-flops; where a clock gate is off, the next state is the state."""
    cut = CutModule.of(file, top)
    (clock,) = cut.ports[_CLOCK]["bits"]
    enables = {}
    flip_flops = []
    for cell, entry in list(cut.cells.items()):
        if (state := library.cells[entry["type"]].sequential) is not None:
            pins = {pin: bits[0] for pin, bits in cut.cells.pop(cell)["connections"].items()}
            (data,), (clocked,) = state.next_state.pins, state.clock.pins
            if state.kind == "gate":
                assert pins[clocked] == clock
                (output,) = library.cells[entry["type"]].outputs
                enables[pins[output.name]] = pins[data]
            else:
                assert state.kind == "ff"
                flip_flops.append((cell, library.cells[entry["type"]], pins))
    for cell, kind, pins in flip_flops:
        state = kind.sequential
        assert state is not None
        (data,), (clocked,) = state.next_state.pins, state.clock.pins
        outputs = {x.function.pins[0]: pins.get(x.name) for x in kind.outputs if x.function}
        held = outputs.get(state.state) or cut.new_net()
        following = pins[data]
        if (other := outputs.get(state.complement)) is not None:
            cut.cells[f"{cell}:inverted"] = _gate("$_NOT_", A=held, Y=other)
        if pins[clocked] != clock:
            chosen, enable = cut.new_net(), enables[pins[clocked]]
            cut.cells[f"{cell}:held"] = _gate("$_MUX_", A=held, B=following, S=enable, Y=chosen)
            following = chosen
        for function, gates in ((state.preset, _SETS), (state.clear, _CLEARS)):
            if function is not None:
                (pin,), forced = function.pins, cut.new_net()
                gate = gates[bool(function.table[1])]
                cut.cells[f"{cell}:{pin}"] = _gate(gate, A=following, B=pins[pin], Y=forced)
                following = forced
        cut.states[register_of(cell)], cut.nexts[register_of(cell)] = held, following
    return cut


def _gate(kind: str, **pins: Bit) -> dict:
    directions = {pin: "output" if pin == "Y" else "input" for pin in pins}
    connections = {pin: [bit] for pin, bit in pins.items()}
    return {"type": kind, "port_directions": directions, "connections": connections}


def proved_equal(
    folder: Path, top: str, kit: Kit, library: Library, seconds: float = _SECONDS
) -> Equivalence:
    """Prove that ``netlist.json`` and ``design.v`` in the folder of a synthesis are equivalent.

    The first attempt takes 0 for undefined values, the second one allows any; ABC's processor time
    is limited to ``seconds`` for each.
    """
    in_yosys(folder / "design.log", _read_design, folder, top)
    design = cut_design(folder / "design.json", top)
    netlist = cut_netlist(folder / "netlist.json", top, library)
    if more := netlist.states.keys() - design.states.keys():
        raise NotProved(f"{top}: the Verilog has no register {min(more)}")

    held = _held(folder / "synthesized.json", top)
    kept = {held[name]: name for name in netlist.states if name in held}
    values = {name: held.get(name) for name in design.states.keys() - netlist.states.keys()}
    stands_for = {  #: for each dropped register bit, the equal constant or bit
        name: str(kept.get(bit, bit))
        for name, bit in values.items()
        if bit in _CONSTANTS or bit in kept
    }
    others: dict[Bit, Bit] = {}
    wanted_design, wanted_netlist = {}, {}
    for name in netlist.states:
        wanted_design[f"next:{name}"] = design.nexts[name]
        wanted_netlist[f"next:{name}"] = netlist.nexts[name]
    for name, what in stands_for.items():
        constant = what in _CONSTANTS
        others[design.states[name]] = what if constant else design.states[what]
        wanted_design[f"next:{name}"] = design.nexts[name]
        wanted_netlist[f"next:{name}"] = what if constant else netlist.nexts[what]
    design.replace(others)
    wanted_design = {name: others.get(bit, bit) for name, bit in wanted_design.items()}
    design.states = {name: bit for name, bit in design.states.items() if name not in stands_for}
    unread = design.states.keys() - netlist.states.keys()
    netlist.states |= {name: netlist.new_net() for name in unread}
    design.write(folder / "gold.json", "gold", wanted_design)
    netlist.write(folder / "gate.json", "gate", wanted_netlist)
    in_yosys(folder / "miter.log", _compare, folder, kit, "miter", "")
    constants = sum(what in _CONSTANTS for what in stands_for.values())
    found = Equivalence(
        kept=len(wanted_netlist) - len(stands_for),
        constant=constants,
        alike=len(stands_for) - constants,
        unread=len(unread),
    )
    if _EQUAL in (told := _told(folder, "miter", seconds)):
        return found
    formed = any(cell["type"] == "$mul" for cell in design.cells.values())
    comparison = Comparison.of(folder, kit, formed)
    given = _found(told, Machine.read(folder / "miter.aig").inputs, "in_")
    if not (given and comparison.that_are_1(comparison.wrong, given)):
        graph = comparison.graph
        graph.write(folder / "defined.aig", graph.any_of(comparison.wrong.values()))
        if _EQUAL in (told := _told(folder, "defined", seconds)):
            undefined = satisfied(graph, graph.any_of(comparison.undefined.values())) is not False
            return replace(found, undefined=undefined, formed=formed)
        given = _found(told, graph.inputs)
    signals, widths = _shown(folder, kit, comparison, given) if given else ({}, {})
    raise NotProved(f"{top}: {told[-500:]}", signals, widths)


def _told(folder: Path, name: str, seconds: float) -> str:
    return run_abc(f"read_aiger {name}.aig; &get; &cec -m", folder, seconds)


def _found(told: str, inputs: Iterable[str], prefix: str = "") -> dict[str, int]:
    """Values of inputs in ABC's counterexample, by name without prefix; none if there is none."""
    found = _INPUTS.search(told)
    if not (found or _ZEROS in told):
        return {}
    bits = int(found[1], 16) if found else 0
    return {x.removeprefix(prefix): bits >> i & 1 for i, x in enumerate(inputs)}


def _shown(folder: Path, kit: Kit, comparison: Comparison, given: Mapping[str, int]) -> Signals:
    """Values of all ports of the miter, and which bits are undefined, for values of inputs."""
    in_yosys(folder / "shown.log", _compare, folder, kit, "shown", "-make_outputs")
    machine = Machine.read(folder / "shown.aig")
    signals, widths = signals_of(machine, [{f"in_{x}": value for x, value in given.items()}])
    for full in comparison.that_are_1(comparison.undefined, given):
        name = next(x for x in (full, full.rpartition("[")[0]) if f"gold_{x}" in widths)
        bit = int(full[len(name) + 1 : -1] or 0)
        signals.setdefault(f"undefined_{name}", [0])[0] |= 1 << bit
        widths[f"undefined_{name}"] = widths[f"gold_{name}"]
        signals[f"gold_{name}"][0] &= ~(1 << bit)
    return signals, widths


def _held(file: Path, top: str) -> dict[str, Bit]:
    """Net or constant that holds each register bit in the synthesized design before mapping."""
    found: dict[str, Bit] = {}
    for wire, net in read_module(file, top).netnames.items():
        path, dot, _ = wire.rpartition(".")
        for mark in net["attributes"].get(_MARKS, "").split():
            offset, _, name = mark.partition(":")
            found[f"{path}{dot}{name}"] = net["bits"][int(offset)]
    return found


def _read_design(folder: Path, top: str) -> None:
    """Write the flat design, and its form in synthesis before it is mapped to cells."""
    plain = Yosys()
    plain.read_verilog(folder / "design.v", top)
    plain.run("proc", "setattr -mod -unset keep_hierarchy *")
    plain.run("flatten -noscopeinfo", "opt_clean")
    plain.run("dffunmap", "opt_clean", f"write_json {folder}/design.json")
    made = Yosys()
    made.run(f"read_rtlil {folder / 'work' / 'prepared.il'}", f"hierarchy -top {top}", "techmap")
    made.run("opt -fast -hier", "opt -full", "setattr -mod -unset keep_hierarchy *")
    made.run("flatten -noscopeinfo", "opt_clean", f"write_json {folder}/synthesized.json")


def _compare(folder: Path, kit: Kit, name: str, option: str) -> None:
    """Write the miter: a circuit whose output is 1 if outputs of the two modules differ."""
    yosys = Yosys()
    yosys.run(f"read_json {folder}/gold.json", f"read_json {folder}/gate.json")
    yosys.run(f"read_liberty -ignore_miss_func -ignore_miss_data_latch {kit.liberty}")
    yosys.run("flatten gate")
    yosys.run(f"miter -equiv {option} -flatten gold gate miter", "hierarchy -top miter", "flatten")
    yosys.run("setundef -zero", "techmap", "opt_clean", "aigmap", "opt_clean")
    yosys.run(f"write_aiger -symbols {folder}/{name}.aig")
