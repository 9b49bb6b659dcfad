"""Claim: a multiplier's product is right for all operands and all moduli.

The circuit is unrolled into a combinational graph: a reset, with arbitrary contents of registers,
then a request with arbitrary operands until it is accepted, then any other operands in each cycle.
Control is constant in each cycle, so the graph is little more than the arithmetic of one product.
The specification is Verilog by hand: it compares the remainders of ``r * R`` and of ``a * b`` by
long division, and r with m.
"""

from __future__ import annotations

import ctypes
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path

from rsaxcel.circuit import ModulusConstant, ProductCircuit
from rsaxcel.lab.proofs.aig import FALSE, TRUE, Aig, Frame, Machine, beginning
from rsaxcel.lab.proofs.claim import (
    AFTER_CYCLES,
    NO_OTHER,
    TOP,
    CircuitClaim,
    Counterexample,
    Proof,
    processor_seconds,
    runs_of,
    shown_cycles,
)
from rsaxcel.lab.proofs.reading import read_machine
from rsaxcel.lab.proofs.signals import signals_of
from rsaxcel.lab.proofs.solver import ProofVerdict, SolverAnswer, satisfied
from rsaxcel.sim.batch import SimulationTimeout
from rsaxcel.sim.corners import moduli, residues
from rsaxcel.sim.native.toolchain import find_toolchain, run_tool
from rsaxcel.sim.operations import named, operation
from rsaxcel.sim.runners import cycles_of
from rsaxcel.sim.translate import Message, VerilogModule
from rsaxcel.store.foreign import ForeignLibrary

MOST_INPUTS = 38

_OPERANDS = ("a", "b", "m")

REMAINDER = """
// Remainder of x by m, by long division: one bit of x a step, the highest first.
module remainder #(parameter X = 1, parameter N = 1)
  (input [X-1:0] x, input [N-1:0] m, output [N-1:0] r);
  wire [N:0] part [X:0];
  assign part[X] = 0;
  for (genvar i = X - 1; i >= 0; i--) begin
    wire [N:0] grown = {part[i+1][N-1:0], x[i]};
    assign part[i] = grown >= m ? grown - m : grown;
  end
  assign r = part[0][N-1:0];
endmodule
"""

LATER = """
  // Once the request is accepted, the circuit gets any other message in each cycle.
  reg accepted_reg;
  always_ff @(posedge clk) accepted_reg <= !reset & (accepted_reg | offered & ready);
  wire [{request} - 1:0] message = accepted_reg ? later : request;
"""

_CHECKER = """
module checked(
  input clk, input reset, input offered, input taken, output ready, output valid,
  input [{a} - 1:0] a, input [{b} - 1:0] b, input [{n} - 1:0] m, input [{request} - 1:0] later,
  output [{n} - 1:0] r, output legal, output right);
  {modulus}
  wire [{request} - 1:0] request;
  {fields}
  {message}
  {circuit} circuit(
    .clk(clk), .reset(reset), .recv__val(offered), .recv__rdy(ready), .recv__msg(message),
    .send__val(valid), .send__rdy(taken), .send__msg(r));
  wire [{n} - 1:0] result, expected;
  remainder #(.X({n} + {r_log2}), .N({n})) of_r(.x({shifted}), .m(modulus), .r(result));
  remainder #(.X({a} + {b}), .N({n})) of_ab(.x({ab}), .m(modulus), .r(expected));
  assign legal = {legal};
  assign right = r < modulus & result == expected;
endmodule
"""


@dataclass(frozen=True)
class UnrolledMultiplier:
    """A multiplier's unrolled circuit; literals, and numbers of cycles."""

    graph: Aig
    legal: int  #: literal: the operands are legal
    wrong: int  #: literal: the circuit fails
    done: int  #: literal: a response has come in time
    accepted: int  #: cycle of the request's acceptance
    cycles: int  #: cycles from the acceptance on


@dataclass(frozen=True)
class ProductClaim(CircuitClaim):
    """Claim: the first product after a reset is right, for all operands and all moduli.

    If cycles do not depend on operands, the response comes in exactly the cycle model's cycle.
    """

    configuration: ProductCircuit
    kind = "product"
    most_nbits = 11
    meaning = "the product is right for all operands"

    @property
    def statement(self) -> str:
        (cycles,) = self.figures
        most = "" if self.configuration.golden.constant_time else "at most "
        return f"{self._formula}; after a reset, in {most}{shown_cycles([cycles])}, {NO_OTHER}"

    @property
    def _formula(self) -> str:
        r = self.configuration.r
        if self.configuration.golden.unary:
            return "r = a mod m, for all operands and all m that the circuit takes"
        formula = f"r * 2^{r.bit_length() - 1} = a * b mod m" if r > 1 else "r = a * b mod m"
        modulus = self.configuration.constant_modulus
        return (
            f"{formula} and r < m, for all operands and {f'm = {modulus}' if modulus else 'all m'}"
        )

    @cached_property
    def figures(self) -> Sequence[int]:
        """Largest number of cycles of some products at the ends of ranges."""
        nbits = self.configuration.nbits
        tried = [self.configuration.usable_modulus(x) for x in moduli(nbits) if x > 1]
        rows = [
            (a, b, m)
            for m in {m | self.configuration.golden.odd_modulus for m in tried}
            for a, b in product(residues(m), repeat=2)
        ]
        return [self._longest(rows)]

    @property
    def text(self) -> str:
        """Verilog of the circuit with its specification."""
        return _checked(self.configuration, self.module)

    @property
    def around(self) -> str:
        fields = {x.name: x.width for x in self.module.request.fields}
        n = self.configuration.nbits
        held = {"a": fields["a"], "b": fields.get("b", fields["a"]), "m": n}
        return runs_of(
            held,
            {"later": self.module.request.width},
            {"r": n, "legal": 1, "right": 1},
            "legal ? {ready & !accepted_reg, valid, valid ? r : N'd0} : 0".replace("N", str(n)),
        )

    def prove(self, seconds: float) -> Proof:
        machine = read_machine(self.text, TOP)
        begun = processor_seconds()
        (longest,) = self.figures
        while True:
            run = unroll(machine, longest, self.configuration.golden.constant_time)
            answer = decide_run(run, _order(machine), seconds)
            late = answer.verdict is ProofVerdict.REFUTED and self._late(run, answer)
            if not late or late <= longest:
                break
            longest = late  # these operands take longer than all operands that were tried
        used = processor_seconds() - begun
        found = None
        if answer.verdict is ProofVerdict.REFUTED:
            found = self._counterexample(machine, run, answer)
        scope = f"first product after a reset, {longest} cycles"
        return Proof(answer.verdict, answer.method, scope, used, found)

    def _longest(self, rows: Sequence[tuple[int, int, int]]) -> int:
        """Largest number of cycles of products, by model or simulation; 0: a product never ends."""
        try:
            return max(cycles_of(self.configuration, rows))
        except SimulationTimeout:
            return 0

    def _late(self, run: UnrolledMultiplier, answer: SolverAnswer) -> int:
        """Cycles that a product without a response takes; 0: there is none, or it never ends."""
        values = answer.frames[0]
        bits = [values.get(name, 0) for name in run.graph.inputs]
        (done,) = run.graph.values(bits, [run.done])
        return 0 if done else self._longest([self._operands(values)])

    def _operands(self, values) -> tuple[int, int, int]:
        golden = self.configuration.golden
        b_nbits = 0 if golden.unary else golden.operand_nbits
        widths = {"a": golden.operand_nbits, "b": b_nbits, "m": golden.nbits}
        a, b, m = (
            sum(values.get(f"{name}[{i}]" if nbits > 1 else name, 0) << i for i in range(nbits))
            for name, nbits in widths.items()
        )
        return a, b, golden.constant_modulus or m

    def _counterexample(
        self, machine: Machine, run: UnrolledMultiplier, answer: SolverAnswer
    ) -> Counterexample:
        values = answer.frames[0]
        operands = self._operands(values)
        to_do = operation(self.configuration)
        frames = frames_of(run, values)
        signals, widths = signals_of(machine, frames)
        answers = [r for r, valid in zip(signals["r"], signals["valid"], strict=True) if valid]
        got = f"r = {answers[0]}" if answers else f"no response in {run.cycles} cycles"
        a, b, m = operands
        expected = to_do.result(operands)
        text = f"a = {a}, b = {b}, m = {m}: {got}, expected {expected}"
        if answers == [expected]:
            text += ", which comes in another cycle than the cycle model's"
        vector = {name: f"{value:x}" for name, value in named(to_do, operands).items()}
        return Counterexample(text, [vector], signals, widths)


def frames_of(run: UnrolledMultiplier, values: Mapping[str, int]) -> list[dict[str, int]]:
    """Return the inputs in each cycle of a run, for the values of the graph's inputs."""
    offered = [0, *[1] * (run.accepted + 1), *[0] * (run.cycles + AFTER_CYCLES)]
    frames = [
        {**values, "reset": int(not i), "offered": x, "taken": int(i > 0)}
        for i, x in enumerate(offered)
    ]
    for label, value in values.items():
        name, _, cycle = label.partition("@")
        if cycle and int(cycle) < len(frames):
            frames[int(cycle)][name] = value
    return frames


def unroll(
    machine: Machine, longest: int, fixed: bool, operands: Sequence[str] = _OPERANDS
) -> UnrolledMultiplier:
    """Unroll a circuit with its checker from a reset until ``AFTER_CYCLES`` after its response.

    A request has its response after ``longest`` cycles; ``fixed``: exactly then.
    """
    graph = Aig()
    given = {name: graph.add_input(name) for port in operands for name in machine.bits(port)}
    begin = [graph.add_input(beginning(latch.name)) for latch in machine.latches]
    control = {"clk": FALSE, "reset": TRUE, "offered": FALSE, "taken": FALSE}
    others = [name for name in machine.inputs if name not in given and name not in control]

    def copy(cycle: int, states: Sequence[int]) -> Frame:
        fresh = {name: graph.add_input(f"{name}@{cycle}") for name in others}
        return graph.copy(machine, {**given, **control, **fresh}, states)

    states = copy(0, begin).nexts
    accepted = done = in_time = wrong = FALSE
    legal = waited = cycles = 0
    while cycles <= longest + AFTER_CYCLES:
        control |= {"reset": FALSE, "taken": TRUE, "offered": accepted ^ 1}
        frame = copy(1 + waited + cycles, states)
        legal, states, out = frame.outputs["legal"], frame.nexts, frame.outputs
        accepted = graph.either(accepted, out["ready"])
        answers = graph.both(out["valid"], done ^ 1)
        failures = [graph.both(answers, accepted ^ 1), graph.both(answers, out["right"] ^ 1)]
        failures.append(graph.both(out["valid"], done))
        if fixed and accepted == TRUE:
            failures.append(out["valid"] ^ (TRUE if cycles == longest else FALSE))
        wrong = graph.any_of([wrong, *failures])
        done = graph.either(done, answers)
        if cycles <= longest:
            in_time = done
        if accepted == TRUE:
            cycles += 1
        else:
            waited += 1
        if waited > 4 * longest + 64:  # in some cases the request is not accepted
            break
    wrong = graph.either(wrong, in_time ^ 1)
    return UnrolledMultiplier(graph, legal, wrong, in_time, waited, min(cycles, longest + 1))


def decide_run(run: UnrolledMultiplier, order: Sequence[str], seconds: float) -> SolverAnswer:
    """Decide by enumeration, or by SAT if there are many inputs.

    Inputs besides the operands are undefined values, and contents of registers before the reset.
    The last bits in ``order`` change most slowly.
    """
    graph = run.graph
    others = sorted((graph.support(run.wrong) | graph.support(run.legal)) - {*order})
    if len(others) + len(order) <= MOST_INPUTS:
        return decide(graph, run.legal, run.wrong, [*others, *order], seconds)
    found = satisfied(graph, graph.both(run.legal, run.wrong), seconds=seconds)
    if isinstance(found, dict):
        return SolverAnswer(ProofVerdict.REFUTED, "SAT", [found])
    return SolverAnswer(ProofVerdict.OPEN if found is None else ProofVerdict.PROVEN, "SAT")


def _order(machine: Machine) -> list[str]:
    """List the inputs of an enumeration; the modulus changes most slowly."""
    return [name for port in _OPERANDS for name in machine.bits(port)]


def _checked(configuration: ProductCircuit, module: VerilogModule) -> str:
    """Verilog of a multiplier with the specification."""
    golden, n = configuration.golden, configuration.nbits
    request = module.request
    widths = {field.name: field.width for field in request.fields}
    r_log2 = configuration.r.bit_length() - 1
    times = golden.operand_limit(1)
    modulus = golden.constant_modulus
    operands = ("a",) if golden.unary else ("a", "b")
    rules = [f"{name} < {times} * (1 + {widths[name]})'(modulus)" for name in operands]
    if not modulus:
        rules.append(f"m >= {3 if golden.odd_modulus else 2}")
        rules += ["m[0]"] if golden.odd_modulus else []
    checker = _CHECKER.format(
        a=widths["a"],
        b=widths["b"],
        ab="a" if golden.unary else f"a * ({widths['a']} + {widths['b']})'(b)",
        n=n,
        request=request.width,
        message=LATER.format(request=request.width),
        modulus=f"wire [{n} - 1:0] modulus = {modulus if modulus else 'm'};",
        fields="\n  ".join(_fields(request, golden.constants, n)),
        circuit=module.top,
        r_log2=r_log2,
        shifted=f"{{r, {r_log2}'d0}}" if r_log2 else "r",
        legal=" & ".join(f"({rule})" for rule in rules),
    )
    return module.text + REMAINDER + checker


def _fields(request: Message, constants: tuple[ModulusConstant, ...], nbits: int) -> Iterator[str]:
    """Verilog that assigns the fields of a request."""
    tabulated = {constant.name: constant for constant in constants}
    for field in request.fields:
        place = f"request[{field.lsb + field.width - 1}:{field.lsb}]"
        if field.name not in tabulated:
            yield f"assign {place} = {'modulus' if field.name == 'm' else field.name};"
            continue
        constant, name = tabulated[field.name], field.name
        # Terms instead of a case statement, which Yosys may take for a memory.
        terms = (
            f"({{{field.width}{{modulus == {m}}}}} & {field.width}'h{constant.formula.value(m):x})"
            for m in range(3, 1 << nbits, 2)
        )
        yield f"wire [{field.width} - 1:0] {name} = {' | '.join(terms)};"
        yield f"assign {place} = {name};"


METHOD = "enumeration"
_LANES_LOG2 = 9
_STATEMENTS = 2000  #: gates of one C++ function: the compiler slows down on longer ones
_CHUNK_SECONDS = 0.5
_FLAGS = ("-std=c++17", "-O1", "-march=native", "-fPIC", "-shared")

_SOURCE = """
#include <cstdint>
#include <cstring>
typedef uint64_t Lanes __attribute__((vector_size(64)));
static Lanes w[{slots}];
static const uint64_t patterns[6] = {{
    0xaaaaaaaaaaaaaaaaull, 0xccccccccccccccccull, 0xf0f0f0f0f0f0f0f0ull,
    0xff00ff00ff00ff00ull, 0xffff0000ffff0000ull, 0xffffffff00000000ull}};
{functions}
static bool any(const Lanes& x) {{
  uint64_t found = 0;
  for (int i = 0; i < 8; i++) found |= x[i];
  return found != 0;
}}
// Number of the first assignment with a wrong result; -1: there is none.
extern "C" int64_t search(uint64_t begin, uint64_t end) {{
  for (int i = 0; i < {varied}; i++)
    for (int j = 0; j < 8; j++)
      w[i][j] = i < 6 ? patterns[i] : ((j >> (i - 6)) & 1 ? ~0ull : 0ull);
  for (uint64_t at = begin; at < end; at++) {{
    for (int i = {varied}; i < {inputs}; i++)
      w[i] = Lanes{{}} - ((at >> (i - {varied})) & 1);
    {assumed}
    {evaluated}
    const Lanes wrong = {root};
    if (any(wrong))
      for (int j = 0; j < 8; j++)
        if (wrong[j]) return (at << {lanes}) + 64 * j + __builtin_ctzll(wrong[j]);
  }}
  return -1;
}}
"""


def decide(
    graph: Aig, assumed: int, wrong: int, order: Sequence[str], seconds: float
) -> SolverAnswer:
    """Decide whether ``wrong`` is false for all inputs for which ``assumed`` is true.

    The last inputs in ``order`` change most slowly. ``seconds`` is without the time to compile.
    """
    if wrong == FALSE:
        return SolverAnswer(ProofVerdict.PROVEN, METHOD)
    with tempfile.TemporaryDirectory() as folder:
        library = ForeignLibrary(_compiled(graph, assumed, wrong, order, Path(folder)))
    search = library.declare("search", ctypes.c_int64, ctypes.c_uint64, ctypes.c_uint64)
    total = 1 << max(0, len(order) - _LANES_LOG2)
    at, count, began = 0, 1, time.process_time()
    while at < total:
        if time.process_time() - began > seconds:
            return SolverAnswer(ProofVerdict.OPEN, METHOD)
        chunk = time.monotonic()
        found = search(at, min(at + count, total))
        if found >= 0:
            values = {name: found >> i & 1 for i, name in enumerate(order)}
            return SolverAnswer(ProofVerdict.REFUTED, METHOD, [values])
        at += count
        if time.monotonic() - chunk < _CHUNK_SECONDS / 2:
            count *= 2
    return SolverAnswer(ProofVerdict.PROVEN, METHOD)


def _compiled(graph: Aig, assumed: int, wrong: int, order: Sequence[str], folder: Path) -> Path:
    """Compile the search, and return the shared library."""
    (folder / "search.cpp").write_text(_source(graph, assumed, wrong, order))
    library = folder / "search.so"
    run_tool([*find_toolchain().compiler(_FLAGS), "-o", str(library), str(folder / "search.cpp")])
    return library


def _source(graph: Aig, assumed: int, wrong: int, order: Sequence[str]) -> str:
    node_of = dict(zip(graph.inputs, graph.input_nodes, strict=True))
    first = graph.cone([assumed])
    rest = sorted(set(graph.cone([wrong])) - set(first))
    gates = [*first, *rest]
    slots = _Slots([node_of[name] for name in order])
    slots.keep(assumed >> 1, wrong >> 1)
    statements = slots.statements(graph, gates)
    functions, calls = [], []
    for name, lines in (("assumed", statements[: len(first)]), ("rest", statements[len(first) :])):
        starts = range(0, len(lines), _STATEMENTS)
        bodies = ["\n".join(lines[at : at + _STATEMENTS]) for at in starts]
        functions += [f"static void {name}_{i}() {{\n{x}\n}}" for i, x in enumerate(bodies)]
        calls.append(" ".join(f"{name}_{i}();" for i in range(len(bodies))))
    legal = slots.value(assumed)
    return _SOURCE.format(
        slots=slots.count,
        functions="\n".join(functions),
        varied=min(len(order), _LANES_LOG2),
        inputs=len(order),
        assumed=f"{calls[0]} if (!any({legal})) continue;",
        evaluated=calls[1],
        root=f"{legal} & {slots.value(wrong)}",
        lanes=_LANES_LOG2,
    )


class _Slots:
    """Places for the values of nodes, used again after their last use; inputs stay first."""

    def __init__(self, inputs: Sequence[int]) -> None:
        self._place = {node: i for i, node in enumerate(inputs)}
        self._kept = set(inputs)
        self._free: list[int] = []
        self.count = max(1, len(inputs))

    def keep(self, *nodes: int) -> None:
        """Never use the places of these nodes again."""
        self._kept |= {*nodes}

    def statements(self, graph: Aig, gates: Sequence[int]) -> list[str]:
        """C++ statements that compute gates, in this order."""
        last = {x >> 1: node for node in gates for x in graph.gates[node]}
        found = []
        for node in gates:
            a, b = graph.gates[node]
            right = f"{self.value(a)} & {self.value(b)}"
            for read in {a >> 1, b >> 1} - self._kept:
                if last[read] == node:
                    self._free.append(self._place.pop(read))
            if not self._free:
                self._free.append(self.count)
                self.count += 1
            place = self._place[node] = self._free.pop()
            found.append(f"w[{place}] = {right};")
        return found

    def value(self, literal: int) -> str:
        """C++ expression of a literal."""
        if literal >> 1 == 0:
            return "(~Lanes{})" if literal else "Lanes{}"
        return f"{'~' if literal & 1 else ''}w[{self._place[literal >> 1]}]"
