"""Steps of a check: at each width, outside of the input rules, and what cycles depend on."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from rsaxcel.catalog import (
    AnyConfiguration,
    Configuration,
    Design,
    MultiplierConfiguration,
    MultiplierEntry,
    find,
)
from rsaxcel.catalog.given import VerilogEntry
from rsaxcel.circuit import Circuit, DescribedCircuit, ProductCircuit, is_described, is_product
from rsaxcel.diagnosis.explain import diagnose
from rsaxcel.sim.check import steps
from rsaxcel.sim.check.handshakes import Bare, allowed, check_start
from rsaxcel.sim.check.hints import with_hints
from rsaxcel.sim.check.refused import Refused
from rsaxcel.sim.check.steps import NARROW, OVERLAPS, on_one_lane
from rsaxcel.sim.check.subject import CheckSubject, subject_of
from rsaxcel.sim.corners import Operands
from rsaxcel.sim.operations import operation
from rsaxcel.sim.replay import command
from rsaxcel.store.limit import TooLongError, time_limit

#: Checks a configuration, with a number and a seed of operands; returns a text on the tested
#: property.
Check = Callable[[Any, int, int], str]


@dataclass(frozen=True)
class Step:
    name: str  #: name for `--only`
    title: str
    of: str  #: checked design or multiplier, with its changed parameters
    nbits: int
    run: Callable[[], str]  #: returns a text on the tested property; raises `Refused`
    again: str  #: command that runs the step again


@dataclass(frozen=True)
class StepResult:
    """Result of a step; ``told`` is a text on the tested property."""

    step: Step
    told: str
    fault: Refused | None = None  #: reason for which the design is refused; None: accepted


#: Titles by name of the step.
TITLES = {
    "declared": "what the contract declares",
    "golden": "golden model",
    "circuit": "circuit and cycles",
    "order": "order, stalls, resets",
    "cycles": "what cycles depend on",
    "outside": "outside of its rules",
    "start": "start values and handshakes",
    "widths": "other widths that it claims",
    "waiting": "cycles with requests waiting",
    "parameters": "extreme parameter values",
    "one-lane": "two products on one lane",
    "translation": "Verilog against PyMTL3",
    "netlist": "netlist on fresh operands",
}


@dataclass(frozen=True)
class CheckRequest:
    """A request to check a design or a multiplier."""

    entry: Design | MultiplierEntry | VerilogEntry
    nbits: int
    params: Mapping[str, Any]  #: parameters and choices on the axes
    count: int  #: number of random operands of a step
    seed: int

    @cached_property
    def configurations(self) -> list[Any]:
        """Configurations at all widths to check, the narrowest first.

        ``ValueError`` if not allowed.
        """
        found = {self.nbits: self.entry.configure(self.nbits, **self.params)}
        for nbits in NARROW:
            try:
                found.setdefault(nbits, self.entry.configure(nbits, **self.params))
            except ValueError:
                continue  # ``skipped`` lists this width
        return [found[nbits] for nbits in sorted(found)]

    @property
    def skipped(self) -> list[int]:
        """Narrow widths (``NARROW``) that the design or multiplier can't have with ``params``."""
        return [x for x in NARROW if x not in (y.nbits for y in self.configurations)]

    def steps(self, netlist: Check | None = None) -> list[Step]:
        """Return the steps; a design's multipliers come first, the check of the netlist last."""
        own = self.configurations
        if isinstance(self.entry, VerilogEntry):
            found = [x for circuit in own for x in self._of_given(circuit, self.entry, own)]
        else:
            found = self._of_catalog(own)
        if netlist is not None:
            found.append(self._step(own[0], "netlist", netlist))
        return found

    def _of_given(self, circuit: Circuit, entry: Any, alike: Sequence[Circuit]) -> Iterator[Step]:
        """Yield steps for a circuit of an entry; ``alike``: all circuits of it to check."""
        described = is_described(circuit)
        for name, check in (("circuit", steps.check_circuit), ("order", steps.check_order)):
            yield self._step(circuit, name, with_hints(check) if described else check)
        if self._is_narrowest(circuit) and described:
            yield self._step(circuit, "cycles", check_cycles)
            yield self._step(circuit, "outside", check_outside)
            yield self._step(circuit, "start", check_start)
            some = {*steps.claimed(entry.widths), *(x for x in NARROW if x in entry.widths)}
            if left := sorted(some - {x.nbits for x in alike}):
                check = partial(steps.check_widths, entry, circuit.params, left)
                yield self._step(circuit, "widths", check)

    def _of_catalog(self, own: Sequence[Any]) -> list[Step]:
        multipliers = list(dict.fromkeys(map(_multiplier_of, own)))
        found = [
            x
            for multiplier in multipliers
            for x in (
                self._of_multiplier(multiplier)
                if isinstance(multiplier, MultiplierConfiguration)
                else self._of_given(multiplier, find(multiplier.design_name), multipliers)
            )
        ]
        if isinstance(self.entry, Design):
            found += [x for configuration in own for x in self._of_design(configuration)]
        return found

    def _is_narrow(self, configuration: AnyConfiguration) -> bool:
        return configuration.nbits <= NARROW[-1] or self._is_narrowest(configuration)

    def _is_narrowest(self, configuration: Any) -> bool:
        """Whether steps for a single width are run at the width of this configuration."""
        least = self.configurations[0]
        own = (least,) if isinstance(self.entry, VerilogEntry) else (least, _multiplier_of(least))
        return configuration in own

    def _of_multiplier(self, configuration: MultiplierConfiguration) -> Iterator[Step]:
        make = partial(self._step, configuration)
        yield make("declared", steps.check_declared)
        yield make("golden", steps.check_golden_model)
        yield make("circuit", steps.check_circuit)
        yield make("order", steps.check_order)
        if self._is_narrow(configuration):
            yield make("waiting", steps.check_under_stalls)
        if self._is_narrowest(configuration):
            if configuration.parameters:
                yield make("parameters", steps.check_parameters)
            yield make("translation", steps.check_translation)

    def _of_design(self, configuration: Configuration) -> Iterator[Step]:
        make = partial(self._step, configuration)
        yield make("golden", steps.check_golden_model)
        yield make("circuit", steps.check_circuit)
        yield make("order", steps.check_order)
        if self._is_narrow(configuration):
            queued = on_one_lane(configuration.design, configuration.nbits, self.params)
            if queued is not None:
                check = partial(steps.check_circuit, hint=OVERLAPS)
                yield self._step(queued, "one-lane", check)
        in_verilog = configuration.multiplier.classes.in_verilog
        if self._is_narrowest(configuration) and not in_verilog:
            yield make("translation", steps.check_translation)

    def _step(self, configuration: Circuit, name: str, check: Callable[..., str]) -> Step:
        changed = " ".join(f"{k}={v}" for k, v in configuration.changed.items())
        of = " ".join(filter(None, (configuration.design_name, changed)))
        run = partial(check, configuration, self.count, self.seed)
        return Step(name, TITLES[name], of, configuration.nbits, run, self._again(name))

    def _again(self, step: str) -> str:
        whole = command("check", self.entry.name, self.nbits, self.params)
        drawn = f"--random {self.count} --seed {self.seed}"
        return f"{whole} {drawn} --only {step}"


def _multiplier_of(configuration: AnyConfiguration) -> ProductCircuit:
    """Return a design's multiplier, as wide as the design's products; or a multiplier itself."""
    if isinstance(configuration, MultiplierConfiguration):
        return configuration
    classes = configuration.multiplier.classes
    if classes.in_verilog:
        entry: Any = find(classes.name)
        return entry.configure(configuration.product_nbits)
    entry = MultiplierEntry(classes)
    return MultiplierConfiguration(entry, configuration.product_nbits, configuration.multiplier)


def results(
    planned: Sequence[Step], seconds: int, keep_going: bool = False
) -> Iterator[StepResult]:
    """Run steps, each for at most ``seconds``, until one refuses the design, or all of them.

    An exception in the design's own code refuses it, too; the message has file and line.
    """
    for step in planned:
        try:
            with time_limit(seconds):
                told = step.run()
            result = StepResult(step, told)
        except Refused as fault:
            result = StepResult(step, "", fault)
        except Exception as error:
            found = diagnose(error)
            if found is None and not isinstance(error, TooLongError):
                raise
            kind = "limits" if isinstance(error, TooLongError) else "broken"
            reason = str(found) if found else str(error)
            result = StepResult(step, "", Refused(kind, reason))
        yield result
        if result.fault and not keep_going:
            return


_ROWS = 12
#: To hang is to take more than the longest allowed operation, times the factor, plus the margin.
_HANG_FACTOR, _HANG_MARGIN = 4, 1000


def check_outside(circuit: DescribedCircuit, count: int, seed: int) -> str:
    """Say in a line for each kind of operands outside of the rules what the core does."""
    bare, draws = Bare(circuit), random.Random(f"outside/{circuit.nbits}/{seed}")
    good = [_row(circuit, draws) for _ in range(_ROWS)]
    took = [x.cycles for x in bare.in_turn(good)]
    bare.most_cycles = min(bare.most_cycles, _HANG_FACTOR * max(took) + _HANG_MARGIN)
    lines = [f"{title}: {_told(bare, rows, good[0])}" for title, rows in _kinds(circuit, draws)]
    return "\n".join(["what is not judged:", *lines])


def _told(bare: Bare, rows: list[Operands], good: Operands) -> str:
    found: dict[str, list[str]] = {}
    after = ""
    for row in rows:
        answer, expected = bare.alone(row), bare.expected(row)
        if answer.result is None:
            kind = "no answer" if answer.is_taken else "not accepted"
            example = bare.shown(row)
        elif expected is None:
            kind, example = "some answer", ""
        elif answer.result == expected:
            kind, example = "right", ""
        else:
            kind = "wrong"
            example = f"{bare.shown(row)}: {answer.result:#x} instead of {expected:#x}"
        found.setdefault(kind, []).append(example)
        if answer.result is not None and not after:
            _, then = bare.in_turn([row, good])
            if then.result != bare.expected(good):
                after = f"; the operation after {bare.shown(row)} is wrong, too"
    parts = [
        f"{kind} in {len(x)} of {len(rows)}{f' ({x[0]})' if x[0] else ''}"
        for kind, x in found.items()
    ]
    return ", ".join(parts) + after


def _row(circuit: DescribedCircuit, draws: random.Random) -> Operands:
    """Draw operands that meet the rules."""
    nbits = circuit.nbits
    while True:
        modulus = circuit.usable_modulus(draws.getrandbits(nbits) | 3)
        row = draws.randrange(modulus), draws.getrandbits(nbits), modulus
        if circuit.rules is None:
            row = row[0], row[1] % modulus, modulus
        if found := allowed(circuit, [row]):
            return found[0]


def _kinds(circuit: DescribedCircuit, draws: random.Random) -> Iterator[tuple[str, list[Operands]]]:
    """Yield kinds of operands that a rule excludes, with rows that keep all other rules."""
    rules, nbits, most = circuit.rules, circuit.nbits, (1 << circuit.nbits) - 1
    rows = [_row(circuit, draws) for _ in range(_ROWS)]

    def with_moduli(moduli: list[int]) -> list[Operands]:
        small = [
            x % max(1, y) for x, y in zip((0, 1, 2, most, *range(3, _ROWS)), moduli, strict=False)
        ]
        changed = zip(small, rows, moduli, strict=False)
        return [(x, row[1] if rules else row[1] % max(1, y), y) for x, row, y in changed]

    yield "modulus 0", [(b, e, 0) for b, e, _ in rows[:4]]
    yield "modulus 1", [(0, e if rules else 0, 1) for _, e, _ in rows[:4]]
    odd = rules.odd_modulus if rules else is_product(circuit) and circuit.golden.odd_modulus
    least = rules.min_modulus if rules else 2
    if odd:
        even = [2, most - 1, *(max(2, row[2] & ~1) for row in rows)][:_ROWS]
        yield "even modulus", with_moduli([x for x in even if x >= least - 1] or [most - 1])
    if least > 3:
        short = [3, 5, (1 << nbits - 1) - 1, *(row[2] >> 1 | 3 for row in rows)][:_ROWS]
        yield "modulus shorter than the width", with_moduli([x for x in short if x < least])
    above = [(n, e, n) for _, e, n in rows[:4]]
    above += [(draws.randint(n, most), e, n) for _, e, n in rows[4:]]
    if rules is None:
        above += [(e, b, n) for b, e, n in above]
        yield "an operand not below the modulus", above
    else:
        yield "base not below the modulus", [*above, (most, 3, rows[0][2])]
    if rules and rules.min_exponent:
        yield "exponent 0", [(b, 0, n) for b, _, n in rows]


_WORDS = {"base": "the base", "exp": "the exponent", "n": "the modulus", "a": "a", "b": "b"}
_REPEATED = 3  #: values of the same length and weight
_DECLARED = {"exp": "exponent_dependent", "base": "base_dependent"}


def check_cycles(circuit: Any, count: int, seed: int) -> str:
    """Say on which operands the cycles depend; refuse what contradicts a declaration."""
    subject, draws = subject_of(circuit), random.Random(f"cycles/{circuit.nbits}/{seed}")
    told, counted = [], set()
    for place, name in enumerate(subject.keys):
        rows = _varied(circuit, place, draws)
        cycles = _cycles(subject, rows)
        counted |= {*cycles}
        values = [row[place] for row in rows]
        special = [(x, y) for x, y in zip(values, cycles, strict=True) if x < 2]
        if dependence := _dependence([*zip(values, cycles, strict=True)]):
            _compare(circuit, subject, name, rows, cycles)
            least, most = min(cycles), max(cycles)
            told.append(f"the {dependence} of {_WORDS[name]}: {least:,} to {most:,}")
        elif len({*cycles}) > 1:
            _compare(circuit, subject, name, rows, cycles)
            usual = max(cycles, key=cycles.count)
            few = ", ".join(f"{x}: {y:,}" for x, y in dict(special).items() if y != usual)
            told.append(f"whether {_WORDS[name]} is small ({few}; else {usual:,})")
    if not told:
        return f"cycles: constant ({min(counted):,})"
    return f"cycles depend on {'; on '.join(told)}"


def _varied(circuit: Any, place: int, draws: random.Random) -> list[Operands]:
    """Rows in which one operand changes, in length, weight and value, and the others stay."""
    nbits = circuit.nbits
    to_do = operation(circuit)
    lengths = sorted({nbits, nbits - 1, 3 * nbits // 4, nbits // 2, max(3, nbits // 4)})
    while True:
        modulus = circuit.usable_modulus((1 << nbits) - 1 - 2 * draws.getrandbits(nbits - 2))
        fixed = [draws.randrange(modulus) for _ in range(2)] + [modulus]
        if not to_do.status((fixed[0], fixed[1], modulus)):
            break
    if place == 2:  # the others are below each modulus
        fixed[0] = draws.randrange(1, 4)
        if is_product(circuit):
            fixed[1] = draws.randrange(1, 4)
    values = [0, 1]
    for length in lengths:
        for weight in sorted({2, (length + 1) // 2, max(2, length - 1)}):
            values += [_number(length, weight, draws, place == 2) for _ in range(_REPEATED)]
    rows = []
    for value in values:
        row = [*fixed]
        row[place] = value
        rows.append((row[0], row[1], row[2]))
    return [x for x in rows if not to_do.status(x)]


def _number(length: int, weight: int, draws: random.Random, odd: bool) -> int:
    """Draw a number of a length with so many ones, as far as there is one."""
    found = 1 << length - 1 | odd
    places = [x for x in range(length) if not found >> x & 1]
    for place in draws.sample(places, min(len(places), max(0, weight - found.bit_count()))):
        found |= 1 << place
    return found


def _cycles(subject: CheckSubject, rows: Sequence[Operands]) -> list[int]:
    return [int(x or 0) for x in subject.run(rows).cycles]


def _dependence(pairs: Sequence[tuple[int, int]]) -> str:
    """Say what of a value determines the cycles; "": at most whether it is 0 or 1 does."""
    usual = [(x, y) for x, y in pairs if x > 1]
    if len({y for _, y in usual}) < 2:
        return ""
    kinds: dict[str, Callable[[int], Any]] = {
        "length": int.bit_length,
        "weight (number of ones)": int.bit_count,
        "length and weight (number of ones)": lambda x: (x.bit_length(), x.bit_count()),
    }
    for name, kind in kinds.items():
        groups: dict[Any, set[int]] = {}
        for value, cycles in usual:
            groups.setdefault(kind(value), set()).add(cycles)
        if all(len(x) == 1 for x in groups.values()):
            return name
    return "value"


def _compare(
    circuit: Any, subject: CheckSubject, name: str, rows: Sequence[Operands], cycles: Sequence[int]
) -> None:
    """Refuse a core that declares that an operand never changes its cycles."""
    if name not in _DECLARED or getattr(circuit, _DECLARED[name]):
        return
    places = cycles.index(min(cycles)), cycles.index(max(cycles))
    shown = " and ".join(
        f"{cycles[i]:,} cycles for "
        + ", ".join(f"{k}={x:#x}" for k, x in zip(subject.keys, rows[i], strict=True))
        for i in places
    )
    told = f"{circuit.nbits} bits: secrecy.{_DECLARED[name]} = false is declared, but there are"
    raise Refused("declared", f"{told} {shown}", subject.replay([rows[i] for i in places]))
