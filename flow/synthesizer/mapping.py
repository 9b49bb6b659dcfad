"""Map a translated design to the library's cells; the functions run in Yosys's process.

Units with streams of their own (executors, multipliers, dividers) keep their boundaries. The
hierarchy below such a unit is flattened into it and optimized as a whole; each distinct unit is
mapped once, however many instances it has. The mapped hierarchy is flattened at the end, so that
the names in the netlist tell which unit a cell belongs to.

Each pass has a reason. The table also shows how a circuit changes if the pass is left out: area
(first number) and smallest period (second number), in %, measured with NanGate's 45 nm cells and
one attempt. The circuits are A: mont_r2l, 32 bits, 3 ns; B: ssmm_r2l, 32 bits, 1 ns; C: crt_window,
64 bits, 0.7 ns. It was measured once, with the mapping of November 2026::

    pass               reason                                            A          B          C
    -----------------  -----------------------------------------  ---------  ---------  ---------
    keep_units         each distinct unit is mapped once             -4  +1     -2  +2      0  +5
    specialize         constant operands make a unit smaller        +10   0      0   0      0   0
    opt -full -nosdff  enables stay enables: more clock gates         0   0     +7  -4     +2  +7
    wreduce            words lose bits that are never used           +1  -1      0   0      0  +5
    peepopt            shifts and products of words become smaller    0   0      0   0      0   0
    booth              products of words become Booth rows            0   0      0   0      0   0
    alumacc            sums and comparisons share adders              0  -1      0   0      0   0
    ripple carries     ABC speeds up the chains that are critical   +23  +3     +9 -30     +1   0
    simplemap          ABC takes no multiplexers of words             0   0      0   0      0   0
    clock gates        an enable costs a multiplexer per flip-flop   +6  +2    +16  +1    +10  -1
    32 per clock gate  the smallest clock gate drives as many         0   0     -1   0      0   0
    spread enables     ABC drives an enable of many clock gates       0   0      0   0      0   0
    ifraig, scorr      equal nodes and registers become one           0  +2     +1   0      0  +4
    &dch               ABC chooses among structures                  +2  +3     +3  +3     +1 +40
    buffer             nets of many loads need trees of buffers      +1 +103    -2 +30     -1 +125
    upsize, dnsize     cells on the longest path become stronger     +5  +3     -3 +38     +5  +5

Some passes gain nothing in these circuits, or need a remark:

- booth: systolic_l2r_always at 32 bits and 1.5 ns has products of words; +10 % area, -16 % period
  without it.
- spread enables: without it, a net of 64 clock gates on one small cell took 0.58 ns; with it,
  crt_window at 1024 bits has a period of 0.720 ns in place of 0.762 ns.
- spread data: a bit that more than 32 flip-flops take is spread, too. Without it, the systolic row
  at 2048 bits (systolic_l2r_always, synthesized) has a period of 2.422 ns in place of 2.026 ns.
- simplemap: sharing (``opt_share``) may leave a multiplexer of words, which has no cell.
- peepopt: no design is known that gains.
- ripple carries: "left out" means Yosys's tree of carries in place of the ripple.
  ``flow.nodes.synthesis`` tries this tree if the netlist misses the clock period.
- if -g: ``flow.nodes.synthesis`` tries it last if the netlist misses the clock period by far.
  crt_window at 64 bits and 0.5 ns has the same area and -6 % period with it, digit_serial_r2l at 32
  bits +1 % and -17 %, but systolic_l2r_always +13 % and +2 %. Where the period was missed by 4 % or
  less, areas became 9 to 39 % larger.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, Literal, get_args

from rsaxcel.flow.kit import Kit
from rsaxcel.flow.names import FLIP_FLOP
from rsaxcel.flow.synthesizer import kept_abc
from rsaxcel.flow.synthesizer.interface import Mapper, MappingSource, Synthesizer
from rsaxcel.flow.yosys import Yosys, YosysProcess, abc_program, in_yosys, yosys_version
from rsaxcel.flow.yosys_json import read_modules

#: Attribute in Verilog of an instance whose module keeps its boundary. Unlike ``keep_hierarchy``,
#: it means something to this module alone: proofs and mapping to FPGAs know no boundaries.
UNIT = "rsaxcel_unit"

#: Carries: a chain, or a tree (Brent and Kung's, from Yosys). ``fast``: a tree, and ABC shortens
#: all long paths before it maps them.
Adders = Literal["ripple", "prefix", "fast"]

_RIPPLE = Path(__file__).with_name("adders.v")
_MAX_FANOUT = 16
# Largest and smallest number of flip-flops that one clock gate drives. The library's smallest clock
# gate can drive about 32 clock pins. This clock gate has the area of two multiplexers; without one,
# every flip-flop with an enable needs a multiplexer.
_GATED_MOST = 32
_GATED_LEAST = 4
#: Number of pins of clock gates and flip-flops that one output of ABC's logic drives. At an output,
#: ABC assumes the load that the kit states for a port. This equals the load of 8 such pins.
_PINS_PER_OUTPUT = 8
# Largest number of flip-flops that take the same bit from one output of ABC's logic. More of them,
# such as the words of a memory, would make this output the slowest of all.
_MOST_TAKERS = 32

#: Load of a buffer over its input's, in %: ABC's usual value, and larger ones for a unit with a net
#: of so many loads that ABC ends its buffering with this message, and leaves the net as it is.
GAINS, LOW_GAIN = (300, 600, 1200), "is too low."

#: least size in bytes of a unit in ABC's input; ABC takes some tenths of a second for it
_KEPT_BYTES = 100_000


def prepare(verilog: Path, top: str, output: Path, work: Path) -> None:
    """Read a design, optimize its word-level operators, and write the design as RTLIL.

    Modules with a stream keep their boundaries (``keep_units``); others are flattened.
    """
    work.mkdir(parents=True, exist_ok=True)
    os.chdir(work)
    yosys = Yosys()
    yosys.read_verilog(verilog, top)
    yosys.run("proc", "memory_collect", "memory_map -rom-only", "check -nolatches -assert")
    keep_units(yosys)
    yosys.run("flatten -noscopeinfo", "opt_expr", "opt_clean", "opt -full -nosdff")
    specialize(yosys)
    yosys.run("opt -hier", "wreduce", "peepopt", "opt_clean", "booth", "alumacc")
    specialize(yosys)
    yosys.run("opt -full -hier", f"write_rtlil {output}")


def keep_units(yosys: Yosys) -> None:
    """Keep the boundaries of modules with a stream of their own, or an instance that is a UNIT."""
    keep, unit = (yosys.lib.IdString(f"\\{x}") for x in ("keep_hierarchy", UNIT))
    marked = {
        cell.type.str()
        for module in yosys.modules()
        for cell in module.cells_.values()
        if cell.get_bool_attribute(unit)
    }
    for module in yosys.modules():
        ports = {port.str() for port in module.ports}
        streams = any(port.endswith("__val") and f"{port[:-3]}rdy" in ports for port in ports)
        if streams or module.name.str() in marked:
            module.set_bool_attribute(keep, True)


def specialize(yosys: Yosys) -> None:
    """Make a copy of a unit for each set of constants at its inputs.

    Yosys optimizes constants into a unit only if all its instances have the same ones.
    """
    modules = {module.name.str(): module for module in yosys.modules()}
    variants: dict[str, dict[tuple, list[Any]]] = {name: {} for name in modules}
    for module in modules.values():
        for cell in module.cells_.values():
            if (kind := cell.type.str()) in modules:
                variants[kind].setdefault(_constant_inputs(cell, modules[kind]), []).append(cell)
    for kind, by_constants in variants.items():
        groups = sorted(by_constants.values(), key=len, reverse=True)
        for number, cells in enumerate(groups[1:], start=1):
            name = yosys.lib.IdString(f"{kind}_constants_{number}")
            modules[kind].cloneInto(yosys.design.addModule(name))
            for cell in cells:
                cell.type = name


def _constant_inputs(cell: Any, module: Any) -> tuple:
    """Ports and bits of a unit's instance that are tied to a constant."""
    return tuple(
        (port.str(), index, str(bit.data))
        for port, wire in sorted((p, module.wire(p)) for p in module.ports)
        if wire.port_input and cell.hasPort(port)
        for index, bit in enumerate(cell.getPort(port).bits())
        if not bit.is_wire()
    )


def map_registers(prepared: Path, top: str, kit: Kit, adders: Adders, work: Path) -> Yosys:
    """Map word-level operators to gates, and registers to cells; this needs no target delay."""
    os.chdir(work)
    # A copy, because Yosys may not accept the path of the project.
    ripple = shutil.copy(_RIPPLE, work)
    rules = f"-map +/techmap.v -map {ripple}" if adders == "ripple" else ""
    yosys = Yosys()
    yosys.run(f"read_liberty -lib {kit.liberty}", f"read_rtlil {prepared}")
    yosys.run(f"hierarchy -top {top}", f"techmap {rules}", "opt -fast -hier", "opt -full")
    # opt_share leaves multiplexers of words in front of the operators that it shares.
    yosys.run("simplemap t:$mux")
    yosys.run("setundef -zero", "opt_clean")
    enables = _gate_clocks(yosys, kit)
    yosys.run(f"dfflibmap -liberty {kit.liberty} {_dont_use(kit)}", "opt_clean")
    _name_flip_flops(yosys)
    _tie_resets(yosys, kit)
    # Add buffers only now, after all calls of opt_clean before ABC: opt_clean would remove
    # the buffers.
    _spread(yosys, {cell: (port,) for cell, port in enables.items()}, _MAX_FANOUT)
    _spread(yosys, _data_pins(kit), _MOST_TAKERS)
    return yosys


def map_gates(
    yosys: Yosys, kit: Kit, target_ns: float, outputs: Path, adders: Adders, gain: int
) -> None:
    """Map gates to cells for a delay in ns within a unit.

    Write flat ``netlist.v``, ``netlist.json``.
    """
    os.chdir(outputs)
    constraints = Path("abc.constr")
    constraints.write_text(f"set_driving_cell {kit.driving_cell}\nset_load {kit.port_load_ff}\n")
    options = f"-liberty {kit.liberty} {_dont_use(kit)} -constr {constraints}"
    yosys.run(f"abc {_kept_abc()} {options} -script +{abc_script(target_ns, adders, gain)}")
    ties = {"-hicell": kit.tie_high, "-locell": kit.tie_low}
    options = " ".join(f"{option} {' '.join(tie)}" for option, tie in ties.items() if tie)
    yosys.run("opt_clean -purge", f"hilomap -singleton {options}", "opt_clean")
    # Names (g1, n1) that Verilog, timing and simulation share; flattening puts the unit's path
    # before them.
    yosys.run("rename -enumerate -pattern g% c:$*", "rename -enumerate -pattern n% w:$*")
    yosys.run("setattr -mod -unset keep_hierarchy *", "flatten -noscopeinfo", "opt_clean -purge")
    yosys.run("check -mapped -assert", "setattr -unset src *", "setattr -unset registers *")
    netlist = outputs / "netlist"
    yosys.run(f"write_verilog -noattr -noexpr -nohex -simple-lhs {netlist}.v")
    yosys.run(f"write_json {netlist}.json")


def _kept_abc() -> str:
    """Write a program that takes ABC's place, and maps a large unit once; see ``kept_abc``.

    Return Yosys' option that calls it; none where files of this folder cannot be run (``noexec``).
    """
    program, abc = Path("abc.sh"), str(abc_program())  # Yosys gives ABC's arguments alone
    called = (sys.executable, "-P", "-m", kept_abc.__name__, abc, yosys_version())
    found = shlex.quote(os.pathsep.join(sys.path))  # rsaxcel need not be installed
    # ABC maps a small unit in less time than Python takes to start.
    is_small = f'[ "$2" != -f ] || [ $(wc -c < "${{3%/*}}/input.blif") -lt {_KEPT_BYTES} ]'
    program.write_text(
        f'#!/bin/sh\nif {is_small}; then exec {shlex.quote(abc)} "$@"; fi\n'
        f'PYTHONPATH={found} exec {shlex.join(called)} "$3"\n'
    )
    program.chmod(0o700)
    return f"-exe ./{program}" if os.access(program, os.X_OK) else ""


def _dont_use(kit: Kit) -> str:
    unusable = kit.library.unusable(kit.unusable)
    return " ".join(f"-dont_use {pattern}" for pattern in unusable)


def abc_script(target_ns: float, adders: Adders, gain: int) -> str:
    """Commands for ABC, with commas for blanks: restructure, map, buffer, size."""
    target_ps = max(1, round(target_ns * 1000))
    size = (f"upsize -c -D {target_ps}", f"dnsize -c -D {target_ps}")
    commands = (
        "strash",
        "ifraig",
        "scorr",
        # `&dch` and `&nf` alone keep most of the length of a path.
        *(("if -g -K 6", "strash") if adders == "fast" else ()),
        "&get -n",
        "&st",
        "&dch -f",
        "&nf -C 32",
        "&put",
        # Operands go to every row of a multiplier: their nets need trees of buffers.
        f"buffer -c -N {_MAX_FANOUT}{f' -G {gain}' if gain != GAINS[0] else ''}",
        "topo",
        *size,
        *size,
        "stime -p",
    )
    return ";".join(commands).replace(" ", ",")


def _gate_clocks(yosys: Yosys, kit: Kit) -> dict[str, Any]:
    """Gate the clocks of registers with an enable.

    Return the enable port of each kind of clock gate.
    """
    clock_port = yosys.lib.IdString("\\C")
    clocks = {
        (module.name.str(), cell.name.str()): cell.getPort(clock_port)
        for module in yosys.modules()
        for cell in module.cells_.values()
        if cell.hasPort(clock_port)
    }
    yosys.run(f"clockgate -liberty {kit.liberty} -min_net_size {_GATED_LEAST}")
    enables = {}
    for module in yosys.modules():
        cells = list(module.cells_.values())
        for gate in (cell for cell in cells if yosys.is_library_cell(cell)):
            (output,) = (port for port in gate.connections_ if gate.output(port))
            clock = gate.getPort(output)
            gated = [x for x in cells if x.hasPort(clock_port) and x.getPort(clock_port) == clock]
            ungated = clocks[module.name.str(), gated[0].name.str()]
            (enables[gate.type.str()],) = (
                port
                for port, signal in gate.connections_.items()
                if gate.input(port) and signal != ungated and not signal.is_fully_const()
            )
            for start in range(_GATED_MOST, len(gated), _GATED_MOST):
                another = module.addCell(module.uniquify(gate.name), gate)
                wire = module.addWire(module.uniquify(yosys.lib.IdString("\\gated_clock")), 1)
                another.setPort(output, yosys.lib.SigSpec(wire))
                for flip_flop in gated[start : start + _GATED_MOST]:
                    flip_flop.setPort(clock_port, yosys.lib.SigSpec(wire))
    return enables


def _tie_resets(yosys: Yosys, kit: Kit) -> None:
    """Tie asynchronous resets and sets that a circuit does not use, as its resets are synchronous.

    A tie cell drives as many flip-flops as the library lets an output drive. One for all would have
    wires through the whole core, and one for each would take a seventh of a flip-flop's area.
    """
    library = kit.library
    ties = {True: kit.tie_high, False: kit.tie_low}
    for module in yosys.modules():
        tied: dict[bool, list[tuple[Any, Any]]] = {True: [], False: []}
        # Bits of a register are side by side in this order, as they often are in the core.
        for cell in sorted(module.cells_.values(), key=lambda x: _in_order(x.name.str())):
            kind = library.cells.get(cell.type.str().removeprefix("\\"))
            if kind is None:
                continue
            for pin, value in kind.forcing_pins.items():
                port = yosys.lib.IdString(f"\\{pin}")
                if cell.getPort(port).is_fully_const():
                    tied[value].append((cell, port))
        for value, pins in tied.items():
            tie = ties[value]
            if tie is None:
                continue  # constants are rails
            name, port = tie
            allowed = library.cells[name].pins[port].max_fanout or _MAX_FANOUT
            most = max(1, int(min(allowed, _MAX_FANOUT)))
            for start in range(0, len(pins), most):
                wire = module.addWire(module.uniquify(yosys.lib.IdString("\\tied")), 1)
                own = module.uniquify(yosys.lib.IdString("\\tie"))
                driver = module.addCell(own, yosys.lib.IdString(f"\\{name}"))
                driver.setPort(yosys.lib.IdString(f"\\{port}"), yosys.lib.SigSpec(wire))
                for cell, pin in pins[start : start + most]:
                    cell.setPort(pin, yosys.lib.SigSpec(wire))


def _in_order(name: str) -> list[tuple[bool, int, str]]:
    """Key that orders names by their numbers: bit 9 before bit 10."""
    return [(x.isdigit(), int(x) if x.isdigit() else 0, x) for x in re.split(r"(\d+)", name)]


def _data_pins(kit: Kit) -> dict[str, tuple[str, ...]]:
    """Pins of each kind of flip-flop from which it takes its next state."""
    cells = kit.library.cells.values()
    return {
        f"\\{cell.name}": cell.sequential.next_state.pins
        for cell in cells
        if cell.sequential is not None and cell.sequential.kind == "ff"
    }


def _spread(yosys: Yosys, pins: Mapping[str, Sequence[Any]], most: int) -> None:
    """Split a net with more than ``most`` of some pins into nets with a buffer and a few pins.

    Each net is an output of the logic that ABC maps, so ABC makes its driver strong enough.
    """
    for module in yosys.modules():
        by_net: dict[Any, list[Any]] = defaultdict(list)
        for cell in module.cells_.values():
            for pin in pins.get(cell.type.str(), ()):
                port = yosys.lib.IdString(f"\\{pin}") if isinstance(pin, str) else pin
                bit = cell.getPort(port).as_bit()
                if bit.is_wire():
                    by_net[bit].append((cell, port))
        for net, loads in by_net.items():
            if len(loads) <= most:
                continue
            for start in range(0, len(loads), _PINS_PER_OUTPUT):
                wire = module.addWire(module.uniquify(yosys.lib.IdString("\\spread")), 1)
                buffer = module.uniquify(yosys.lib.IdString("\\spread_buffer"))
                module.addBufGate(buffer, net, yosys.lib.SigBit(wire))
                for cell, port in loads[start : start + _PINS_PER_OUTPUT]:
                    cell.setPort(port, yosys.lib.SigSpec(wire))


def _name_flip_flops(yosys: Yosys) -> None:
    """Name each flip-flop after the register and bit that it holds."""
    file = Path("flip_flops.json")
    yosys.run(f"write_json {file}")
    modules = read_modules(file)
    for module in yosys.modules():
        entry = modules[module.name.str().removeprefix("\\")]
        names = entry.register_names()
        cells = {cell.name.str().removeprefix("\\"): cell for cell in module.cells_.values()}
        for cell, description in entry.cells.items():
            if not yosys.is_library_cell(cells[cell]):
                continue
            # Only the output with the state has the net of the register. (Libraries have different
            # names for it.)
            directions = description["port_directions"]
            for port, bits in description["connections"].items():
                if directions[port] == "output" and bits[0] in names:
                    # Registers with the same content were merged into one flip-flop, which gets the
                    # name of one of them. No name is given to a second flip-flop.
                    name = names.pop(bits[0]) + FLIP_FLOP
                    module.rename(cells[cell], yosys.lib.IdString(f"\\{name}"))
                    break


class YosysSynthesizer(Synthesizer):
    """Synthesizer that runs Yosys, which calls ABC."""

    name = "yosys"
    *adders, last_resort = get_args(Adders)

    def version(self) -> str:
        return yosys_version()

    @contextmanager
    def open(self, source: MappingSource, work: Path) -> Iterator[Mapper]:
        prepared = work / "prepared.il"
        in_yosys(work / "prepare.log", prepare, source.verilog, source.top, prepared, work)
        with ExitStack() as processes:
            yield _YosysMapper(source, prepared, work, processes)


class _YosysMapper(Mapper):
    def __init__(
        self, source: MappingSource, prepared: Path, work: Path, processes: ExitStack
    ) -> None:
        self._source, self._prepared, self._work = source, prepared, work
        self._processes = processes
        self._mapped: dict[str, YosysProcess] = {}

    def map(self, adders: str, target_ns: float, folder: Path) -> None:
        """Map the circuit to cells, and write the netlist; see ``Mapper.map``.

        Registers and word-level operators do not depend on the target delay: they are mapped only
        if ``adders`` changes.
        """
        source = self._source
        carries = "prefix" if adders == "fast" else adders
        if carries not in self._mapped:
            self._processes.close()
            given = self._prepared, source.top, source.kit, carries, self._work
            process = YosysProcess(self._work / f"{carries}.log", map_registers, *given)
            self._mapped = {carries: self._processes.enter_context(closing(process))}
        process, log = self._mapped[carries], folder / "yosys.log"
        for gain in GAINS:
            process.call(log, map_gates, source.kit, target_ns, folder, adders, gain)
            if LOW_GAIN not in log.read_text(errors="replace"):
                return
