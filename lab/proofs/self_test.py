"""Checks claims by planted faults, and tells the share that they refute.

A fault does not count if it has no effect on what the claim reads in the runs that it is about
(``equal``): these are all runs from a reset, or those with one request. ABC proves it, by other
means than the claim; or the claim, where it fixes all that it reads, is proven of the fault, and
random runs show no difference either. Each other fault that no claim refutes is listed.
"""

from __future__ import annotations

import json
import random
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rsaxcel.flow.errors import ToolFailure
from rsaxcel.flow.paths import temporary_folder
from rsaxcel.flow.power.liberty import Library
from rsaxcel.flow.yosys import Yosys, in_yosys
from rsaxcel.lab.proofs.circuits_alike import proved_equal, seen_apart
from rsaxcel.lab.proofs.claim import AROUND, Claim
from rsaxcel.lab.proofs.netlists import NetlistClaim
from rsaxcel.lab.proofs.reading import read_machine
from rsaxcel.lab.proofs.secrecy import SecrecyClaim
from rsaxcel.lab.proofs.solver import ProofVerdict
from rsaxcel.sim.translate import VerilogModule

FAULTS = 30  #: faults that are planted in a circuit, if no other number is given

#: What becomes of a fault; proven: the claims hold in spite of it; open: one is not decided.
REFUTED, EQUAL, PROVEN, OPEN = "refuted", "equal", "proven", "open"

_EQUAL_SECONDS = 5
_LOOP = "logic loop"  #: in Yosys's message


@dataclass(frozen=True)
class SelfTest:
    """Faults in the circuit of claims of one class, and what became of each."""

    claims: Sequence[Claim]
    found: Sequence[tuple[PlantedFault, str]]

    def count(self, what: str) -> int:
        return sum(found == what for _, found in self.found)

    @property
    def share(self) -> float:
        """Share of the faults in the logic that the claims read that is refuted."""
        counted = self.count(REFUTED) + len(self.surviving)
        return self.count(REFUTED) / counted if counted else 1.0

    @property
    def surviving(self) -> list[tuple[PlantedFault, str]]:
        """Faults that no claim refutes, each with ``PROVEN`` or ``OPEN``."""
        return [(fault, found) for fault, found in self.found if found in (PROVEN, OPEN)]


def grouped(claims: Sequence[Claim]) -> list[list[Claim]]:
    """Group claims of one class about one circuit."""
    groups: dict[tuple[Any, ...], list[Claim]] = {}
    for claim in claims:
        key = claim.kind, claim.name, claim.nbits, str(claim.changed)
        groups.setdefault(key, []).append(claim)
    return list(groups.values())


def faults_in(claims: Sequence[Claim], count: int, seed: int) -> list[PlantedFault]:
    """Plant faults in the circuit of claims."""
    claim: Any = claims[0]
    if isinstance(claim, NetlistClaim):
        library = claim.kit.library
        return plant_in_netlist(claim.netlist, claim.module.top, library, count, seed)
    secret = None
    if isinstance(claim, SecrecyClaim):
        (e,) = (x for x in claim.module.request.fields if x.name == "e")
        secret = e.lsb, claim.configuration.rules.exponent_nbits or claim.nbits
    return plant(claim.module, count, seed, claim.read_bits, secret)


def fate_of(claims: Sequence[Any], fault: PlantedFault, seconds: float) -> str:
    """Say what becomes of a fault."""
    if isinstance(claims[0], NetlistClaim):
        return _FATES[claims[0].prove_other(fault.verilog, seconds).verdict]
    faulty = [replace(claim, verilog=fault.verilog) for claim in claims]
    fate = PROVEN
    for claim in faulty:
        try:
            verdict = claim.prove(seconds).verdict
            if verdict is ProofVerdict.REFUTED:
                return REFUTED
            if verdict is ProofVerdict.OPEN:
                fate = OPEN
        except ToolFailure as error:
            if _LOOP not in str(error):
                raise
            return REFUTED  # a circuit whose gates form a loop is refused
    own, around = (claims[0], faulty[0]), claims[0].around
    one, other = (x.text + around if around else x.module.text for x in own)
    with temporary_folder() as folder:
        top = AROUND if around else claims[0].module.top
        if proved_equal(one, other, top, folder / "pair", _EQUAL_SECONDS):
            return EQUAL
    # A leak has no effect where its bit of the exponent is 0: secrecy proven, it never has any.
    if fate == PROVEN and (cycles := claims[0].fixed_cycles):
        machines = read_machine(one, top), read_machine(other, top)
        return PROVEN if seen_apart(*machines, cycles) else EQUAL
    return fate


#: A netlist is compared with the circuit in all states: what is proven is equal.
_FATES = {ProofVerdict.REFUTED: REFUTED, ProofVerdict.PROVEN: EQUAL, ProofVerdict.OPEN: OPEN}


#: Word-level operators, and the operator that a fault puts in the place of each.
_OTHERS = {
    "$add": "$sub",
    "$sub": "$add",
    "$and": "$or",
    "$or": "$and",
    "$xor": "$or",
    "$eq": "$ne",
    "$ne": "$eq",
    "$lt": "$le",
    "$le": "$lt",
    "$gt": "$ge",
    "$ge": "$gt",
    "$logic_and": "$logic_or",
    "$logic_or": "$logic_and",
    "$logic_not": "$reduce_bool",
    "$reduce_and": "$reduce_or",
    "$reduce_or": "$reduce_and",
    "$shl": "$shr",
    "$shr": "$shl",
}

#: What faults of a kind are planted in, as Yosys selects it, and their share.
_KINDS = {
    "gate": ("t:* t:$buf %d", 0.4),
    "register": ("t:$dff", 0.2),
    "handshake": ("w:*val w:*rdy %u %ci2 t:$buf %d", 0.2),
}
OPERATOR, LEAK = "operator", "leak"
_WORDS = re.compile(r"-(\w+) (\S+)")


@dataclass(frozen=True)
class PlantedFault:
    """A fault in a circuit."""

    kind: str
    text: str  #: what is wrong, in one line
    verilog: str  #: the whole circuit, with its own ports and top module; or a netlist in JSON


def plant(
    module: VerilogModule,
    count: int,
    seed: int,
    read: Collection[str] = (),
    secret: tuple[int, int] | None = None,
) -> list[PlantedFault]:
    """Plant about ``count`` faults, drawn by ``seed``; ``secret``: lowest bit and width of a field.

    ``read``: bits of outputs, such as ``send__msg_7``; faults are in the cells on which these
    depend in any cycle, or in all cells. With ``secret``, all faults are leaks: a gate's output is
    inverted where a bit of this field of ``recv__msg`` is 1.
    """
    with temporary_folder() as folder:
        (folder / "circuit.sv").write_text(module.text)
        drawn = count, seed, tuple(read), secret
        in_yosys(folder / "plant.log", _plant, folder, module.top, *drawn)
        found = json.loads((folder / "faults.json").read_text())
        texts = ((folder / f"{number}.v").read_text() for number in range(len(found)))
        return [
            PlantedFault(kind, told, text) for (kind, told), text in zip(found, texts, strict=True)
        ]


def _plant(
    folder: Path,
    top: str,
    count: int,
    seed: int,
    read: tuple[str, ...],
    secret: tuple[int, int] | None,
) -> None:
    yosys = Yosys()
    yosys.run(f"read_slang --no-implicit-memories --top {top} {folder}/circuit.sv")
    # Without branches that are never taken, in which a fault has no effect.
    # ``bwmuxmap``: Verilog has no operator for that cell.
    yosys.run("proc -norom", "flatten", "opt -keepdc -nodffe -nosdff", "bwmuxmap")
    yosys.run("design -save whole")
    cone = _cone(yosys, folder, read)
    draw = random.Random(seed)
    told: list[tuple[str, str]] = []
    faults = (
        _leaks(yosys, top, count, draw, cone, secret)
        if secret
        else _faults(yosys, folder, count, draw, cone)
    )
    for kind, text, command in [*faults]:
        yosys.run("design -load whole")
        if callable(command):
            command()
        else:
            yosys.run(command)
        yosys.run(f"write_verilog -noattr {folder}/{len(told)}.v")
        told.append((kind, text))
    (folder / "faults.json").write_text(json.dumps(told))


def _cone(yosys: Yosys, folder: Path, read: Collection[str]) -> set[str]:
    """Names of the cells on which outputs depend; the file ``cone`` lists them for Yosys."""
    outputs = " ".join(f"w:{name}" for name in read) or "o:*"
    if read:
        yosys.run("splitnets -ports -format _")
    yosys.run(f"select -write {folder}/cone {outputs} %ci* c:* %i", "design -load whole")
    return {line.partition("/")[2] for line in (folder / "cone").read_text().splitlines()}


def _faults(
    yosys: Yosys, folder: Path, count: int, draw: random.Random, cone: Collection[str]
) -> Iterator[tuple[str, str, str]]:
    """Yield kind, text, and Yosys's command of each fault."""
    found: dict[str, tuple[str, str, str]] = {}
    yosys.run(f"select -read {folder}/cone", "select -set cone %", "select -clear")
    for kind, (selection, share) in _KINDS.items():
        yosys.run(
            f"select -set chosen {selection} @cone %i", f"select -write {folder}/chosen @chosen"
        )
        if not (folder / "chosen").read_text():
            continue
        amount = max(1, round(share * count))
        listing = f"{folder}/{kind}.txt"
        yosys.run(f"mutate -list {amount} -seed {draw.randrange(1 << 30)} -o {listing} @chosen")
        for line in Path(listing).read_text().splitlines():
            word = dict(_WORDS.findall(line))
            pin = f"{word['cell']}.{word['port']}[{word['portbit']}]".replace("\\", "")
            at = f" ({word['wire']}[{word['wirebit']}])".replace("\\", "") if "wire" in word else ""
            found[line] = kind, f"{word['mode']} {pin}{at}", line
    yield from found.values()
    (module,) = yosys.modules()
    cells = [x for x in module.cells_.values() if x.type.str() in _OTHERS]
    cells = [x for x in cells if x.name.str().removeprefix("\\") in cone]
    cells.sort(key=lambda x: x.name.str())
    for cell in draw.sample(cells, min(len(cells), count - len(found))):
        name, was = cell.name.str(), cell.type.str()
        text = f"{_OTHERS[was]} in place of {was}, {name} ({_place(cell.get_src_attribute())})"
        yield OPERATOR, text, f"chtype -set {_OTHERS[was]} c:{name.removeprefix(chr(92))}"


def _place(source: str) -> str:
    found = re.search(r":(\d+)", source)
    return f"line {found[1]}" if found else "no line"


def _leaks(
    yosys: Yosys,
    top: str,
    count: int,
    draw: random.Random,
    cone: Collection[str],
    secret: tuple[int, int],
) -> Iterator[tuple[str, str, Any]]:
    """Yield kind, text, and a function that plants the leak."""
    y, lib = yosys.lib.IdString("\\Y"), yosys.lib
    names = sorted(x.name.str() for x in yosys.module(top).cells_.values() if x.hasPort(y))
    names = [x for x in names if x.removeprefix("\\") in cone]
    low, width = secret

    def leak(name: str, bit: int) -> None:
        module = yosys.module(top)
        cell = module.cell(lib.IdString(name))
        out = cell.getPort(y)
        inner = lib.SigSpec(module.addWire(module.uniquify(lib.IdString("\\inner")), out.size()))
        cell.setPort(y, inner)
        exponent = lib.SigSpec(module.wire(lib.IdString("\\recv__msg"))).extract(bit, 1)
        module.addXor(module.uniquify(lib.IdString("\\leak")), inner, exponent, out)

    for name in draw.sample(names, min(count, len(names))):
        bit = low + draw.randrange(width)
        yield LEAK, f"bit {bit - low} of the exponent in {name}", lambda n=name, b=bit: leak(n, b)


def plant_in_netlist(
    netlist: Path, top: str, library: Library, count: int, seed: int
) -> list[PlantedFault]:
    """Plant faults in a netlist, drawn by ``seed``: each has the netlist's text in JSON."""
    text = netlist.read_text()
    cells = json.loads(text)["modules"][top]["cells"]
    kinds: dict[frozenset[str], list[str]] = defaultdict(list)
    for name, model in library.cells.items():
        if model.sequential is None:
            kinds[frozenset(model.pins)].append(name)
    draw, found = random.Random(seed), []
    for name in draw.choices(sorted(cells), k=count):
        content = json.loads(text)
        cell = content["modules"][top]["cells"][name]
        own = cell["type"]
        state = library.cells[own].sequential  # its clock is no logic
        ways = cell["port_directions"].items()
        inputs = state.next_state.pins if state else sorted(x for x, y in ways if y == "input")
        alike = [x for x in kinds[frozenset(cell["port_directions"])] if x[:4] != own[:4]]
        if alike and draw.random() < 0.5:
            kind, cell["type"] = OPERATOR, draw.choice(alike)
            told = f"{cell['type']} in place of {own}, {name}"
        elif inputs:
            pin, value = draw.choice(inputs), draw.choice("01")
            kind = "register" if state else "gate"
            told = f"const{value} {name}.{pin} ({own})"
            cell["connections"][pin] = [value]
        else:
            continue
        found.append(PlantedFault(kind, told, json.dumps(content)))
    return found
