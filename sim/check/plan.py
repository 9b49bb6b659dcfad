"""The steps of a check at each width, and their results."""

from __future__ import annotations

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
from rsaxcel.circuit import Circuit, ProductCircuit, is_described
from rsaxcel.diagnosis.explain import diagnose
from rsaxcel.sim.check import steps
from rsaxcel.sim.check.compositions import NARROW, OVERLAPS, on_one_lane
from rsaxcel.sim.check.hints import with_hints
from rsaxcel.sim.check.outside import check_outside
from rsaxcel.sim.check.refused import Refused
from rsaxcel.sim.check.start import check_start
from rsaxcel.sim.check.timing import check_cycles
from rsaxcel.sim.check.widths import check_widths, claimed
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
            some = {*claimed(entry.widths), *(x for x in NARROW if x in entry.widths)}
            if left := sorted(some - {x.nbits for x in alike}):
                check = partial(check_widths, entry, circuit.params, left)
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
