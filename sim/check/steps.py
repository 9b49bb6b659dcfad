"""Functions of the steps of a check; each tests one property of a configuration."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any

import numpy as np

from rsaxcel.catalog import Configuration, MultiplierConfiguration
from rsaxcel.circuit import Circuit, ProductCircuit, is_product
from rsaxcel.fl.status import Status
from rsaxcel.sim.answers import Expected, difference
from rsaxcel.sim.batch import Batch
from rsaxcel.sim.check.behaviour import check_behaviour, compare_models, cycles_of
from rsaxcel.sim.check.hints import with_hints
from rsaxcel.sim.check.refused import Refused
from rsaxcel.sim.check.rows import (
    LEAST_ROWS,
    MODELLED,
    affordable,
    as_many_as,
    drawn_indices,
    rows_of,
)
from rsaxcel.sim.check.subject import CheckSubject, subject_of
from rsaxcel.sim.corners import Operands
from rsaxcel.sim.operations import expected_response, operation
from rsaxcel.sim.products import (
    MOST_NBITS,
    WORK,
    ProductBlock,
    Products,
    all_pairs,
    run_products,
    some_pairs,
)
from rsaxcel.sim.runners import RunnerError, cycles_or, hang_cycles, open_component
from rsaxcel.sim.stalls import STALL_PROFILES, StallProfile

NARROW = (8, 13)  #: narrow enough to try every modulus; 13 is an odd width

#: Hint in a message about different cycles on one lane.
OVERLAPS = (
    "; two products of a step share one lane here: overlaps in the multiplier's cycle model may be "
    "wrong"
)


def on_one_lane(design: Any, nbits: int, params: Mapping[str, Any]) -> Configuration | None:
    """Configure a design whose products of a step share one lane.

    None if there is no further such configuration.
    """
    own = design.configure(nbits, **params)
    for choices in ({"schedule": "r2l", "lanes": 1}, {"lanes": 1}):
        try:
            found: Configuration = design.configure(nbits, **{**params, **choices})
        except ValueError:
            continue
        return None if found == own else found
    return None


_FEWER_PAIRS = 200
_WATCHED_CYCLES = 3000.0  #: budget of cycles for circuits on the engine ``pymtl``
_MODEL_CYCLES = 15000.0  #: budget of cycles for components at CL

_LISTED = 8  #: most claimed widths of which all are tried
_FULL_ROWS = 4
_WIDTH_CYCLES, _MOST_CYCLES = 3e6, 1e7  #: most cycles of all operations of a width, and of one


def check_golden_model(configuration: Circuit, count: int, seed: int) -> str:
    """Compare the golden model with Python's integers.

    Up to 8 bits, at every modulus of a multiplier.
    """
    to_do = operation(configuration)
    if is_product(configuration) and configuration.nbits <= MOST_NBITS:
        count = 0
        products = Products(configuration, lambda *x: some_pairs(x[0], x[1], _FEWER_PAIRS))
        for columns in products.blocks():
            listed = zip(*(x.tolist() for x in columns), strict=True)
            for row, expected in zip(listed, products.expected(columns).tolist(), strict=True):
                _check_outcome(configuration, row, (expected, Status.OK))
            count += len(columns[0])
    else:
        rows = rows_of(configuration, count, seed)
        indices = drawn_indices(rows, count, seed)
        rows, count = [rows[i] for i in indices], len(indices)
        for row in rows:
            _check_outcome(configuration, row, expected_response(to_do, row))
    return f"{count:,} {to_do_name(configuration)}"


def _check_outcome(configuration: Circuit, row: Operands, expected: tuple[int, Status]) -> None:
    told = difference(Expected(expected), tuple(configuration.outcome(*row)), who="at fl")
    if told:
        raise subject_of(configuration).refused("model", row, told)


def to_do_name(configuration: Circuit) -> str:
    return "products" if is_product(configuration) else "exponentiations"


def check_circuit(configuration: Circuit, count: int, seed: int, hint: str = "") -> str:
    """Compare the circuit's answers with Python's integers, and its cycles with the cycle model."""
    subject = subject_of(configuration)
    rows = _affordable_natively(configuration, rows_of(configuration, count, seed), seed)
    cycles = cycles_of(subject, rows)
    indices = drawn_indices(rows, MODELLED, seed)
    asked = [rows[i] for i in indices]
    if "cl" in configuration.levels:
        modelled = [(*subject.expected(row), cycles_or(0, configuration, row)) for row in asked]
        compare_models(subject, asked, [cycles[i] for i in indices], modelled, hint)
    found = f"{len(rows):,}"
    if is_product(configuration) and configuration.nbits <= MOST_NBITS:
        found = check_products(configuration, subject)
    return f"{found} {to_do_name(configuration)}, {fmean(cycles):.1f} cycles on average"


def check_products(configuration: ProductCircuit, subject: CheckSubject) -> str:
    """Compare products of a multiplier of up to 8 bits with Python's integers.

    All products if they take a few seconds, else corners and random pairs of each modulus.
    """
    every = Products(configuration).work <= WORK
    products = Products(configuration, all_pairs if every else some_pairs)
    count = 0
    for block in _blocks(products, subject):
        for vector, said in block.faults:
            (cycles,) = cycles_of(subject, [vector.operands])
            if cycles != cycles_or(cycles, configuration, vector.operands):
                raise subject.refused("cycles", vector.operands, said)
            raise subject.refused(
                "state", vector.operands, f"{said}, after other products", shows=False
            )
        count += sum(block.cycles.values())
    return f"{'all ' if every else ''}{count:,}"


def _blocks(products: Products, subject: CheckSubject) -> Iterator[ProductBlock]:
    """Run all of ``products`` on the circuit; refuse the multiplier if a product gets no answer."""
    try:
        yield from run_products(products, shown=1)
    except RunnerError as error:
        if error.vector is None:
            raise Refused("wrong", f"{subject.nbits} bits: {error.reason}") from error
        subject.run([error.vector.operands])
        raise subject.refused(
            "state", error.vector.operands, "no answer after other products", shows=False
        ) from error


def check_order(configuration: Circuit, count: int, seed: int) -> str:
    """Check that answers do not depend on order, stalls, resets or power-up contents."""
    subject = subject_of(configuration)
    rows = _affordable_natively(configuration, rows_of(configuration, count, seed), seed)
    if len(rows) > count:
        rows = random.Random(f"order/{seed}").sample(rows, count)
    check_behaviour(subject, rows, seed)
    return f"{len(rows):,} {to_do_name(configuration)}, {len(STALL_PROFILES)} stall profiles"


def _affordable_natively(configuration: Circuit, rows: list[Operands], seed: int) -> list[Operands]:
    return as_many_as(rows, hang_cycles(configuration) / 4, seed)


def check_under_stalls(configuration: Circuit, count: int, seed: int) -> str:
    """Compare the cycles in which circuit and CL component accept and answer, with stalls.

    Requests do not wait for responses.
    """
    subject = subject_of(configuration)
    rows = affordable(configuration, rows_of(configuration, count, seed), _MODEL_CYCLES, seed)
    model = open_component(configuration, "cl", "pymtl")
    for profile in STALL_PROFILES.values():
        ours = subject.run(rows, stalls=profile, in_flight=None)
        theirs = _batch(model, configuration, rows, profile)
        for what in ("accepted", "valid"):
            found, modelled = getattr(ours, what), getattr(theirs, what)
            if found != modelled:
                index = int((np.array(found) != np.array(modelled)).argmax())
                told = (
                    f"request {index + 1}, with requests waiting ({profile.name}), is "
                    f"{'accepted' if what == 'accepted' else 'answered'} in cycle {found[index]} "
                    f"by the circuit, in cycle {modelled[index]} by the cycle model"
                )
                if isinstance(configuration, MultiplierConfiguration) and index:
                    told += (
                        f" (overlaps = {configuration.timing.overlaps} in the cycle model: whether "
                        "operands are accepted in the cycle in which a result is taken)"
                    )
                raise Refused("cycles", subject.refused("cycles", rows[index], told).reason)
    return f"{len(rows)} {to_do_name(configuration)}, {len(STALL_PROFILES)} stall profiles"


def _batch(
    runner: object, configuration: Circuit, rows: Sequence[Operands], profile: StallProfile
) -> Batch:
    return runner.run(  # type: ignore[attr-defined]
        [configuration.request(*row) for row in rows],
        stalls=profile,
        in_flight=None,
        max_idle_cycles=hang_cycles(configuration),
    )


def check_translation(configuration: Circuit, count: int, seed: int) -> str:
    """Compare the circuit in PyMTL3 with its compiled Verilog: responses and their cycles."""
    subject = subject_of(configuration)
    rows = affordable(configuration, rows_of(configuration, count, seed), _WATCHED_CYCLES, seed)
    profile = STALL_PROFILES["random"]
    ours = subject.run(rows, stalls=profile, in_flight=None)
    theirs = _batch(open_component(configuration, "rtl", "pymtl"), configuration, rows, profile)
    for index, row in enumerate(rows):
        pairs = [(x.responses[index], x.accepted[index], x.valid[index]) for x in (ours, theirs)]
        if pairs[0] != pairs[1]:
            told = " against ".join(
                f"{response}, accepted in cycle {accepted}, answered in cycle {valid}"
                for response, accepted, valid in pairs
            )
            what = f"Verilog against PyMTL3: {told}"
            raise subject.refused("verilog", row, what, shows=False)
    return f"{len(rows)} {to_do_name(configuration)}"


def check_declared(configuration: MultiplierConfiguration, count: int, seed: int) -> str:
    """Check ``constant_time`` or ``timed_by`` (operands) of a multiplier by the cycle model.

    Durations must be integers, 0 or more.
    """
    golden = configuration.golden
    where = f"{configuration.nbits} bits"
    seen = () if golden.constant_time else golden.timed_by
    draws = random.Random(f"declared/{seed}")
    for a, b, modulus in rows_of(configuration, count, seed)[: 4 * count + LEAST_ROWS]:
        stages = tuple(configuration.timing.durations(a, b, modulus))
        if not stages or not all(type(x) is int and x >= 0 for x in stages):
            raise Refused("cycles", f"{where}: durations of the cycle model are {stages}")
        # Operands that are declared not to affect the cycles change, and the cycles must not.
        other = (
            a if "a" in seen else draws.randrange(modulus),
            b if "b" in seen else draws.randrange(modulus),
        )
        found = tuple(configuration.timing.durations(*other, modulus))
        if found != stages:
            declared = f"timed_by = {golden.timed_by}" if seen else "constant_time"
            raise Refused(
                "declared",
                f"{where}: {declared} is declared, but the cycle model gives {sum(stages)} cycles "
                f"for a={a:#x}, b={b:#x}, {sum(found)} for a={other[0]:#x}, b={other[1]:#x}, "
                f"n={modulus:#x}",
            )
    return f"constant time: {'yes' if golden.constant_time else 'no'}"


def check_parameters(configuration: MultiplierConfiguration, count: int, seed: int) -> str:
    """Compare results and cycles at the two smallest and the largest value of each parameter."""
    tried = 0
    for parameter in configuration.parameters:
        values = parameter.listed(configuration.nbits)
        for value in dict.fromkeys((*values[:2], values[-1])):
            params = {**configuration.params, parameter.name: value}
            try:
                other = configuration.design.configure(configuration.nbits, **params)
            except ValueError:
                continue  # this value and another parameter's value exclude each other
            rows = affordable(other, rows_of(other, count, seed), _WATCHED_CYCLES, seed)
            subject = subject_of(other)
            cycles = cycles_of(subject, rows)
            modelled = [(*subject.expected(row), other.cycles(*row)) for row in rows]
            compare_models(subject, rows, cycles, modelled)
            tried += 1
    return f"{tried} values" if tried else "none"


def claimed(widths: Sequence[int]) -> list[int]:
    """Widths that stand for all that are claimed: those of a short list, else ends and a middle."""
    if len(widths) <= _LISTED:
        return [*widths]
    return sorted({*widths[:2], widths[len(widths) // 2], widths[-1]})


def check_widths(
    entry: Any,
    params: Mapping[str, Any],
    widths: Sequence[int],
    circuit: Any,
    count: int,
    seed: int,
) -> str:
    """Compare a few results of full length at each of ``widths`` with Python's integers."""
    subject = subject_of(circuit)
    usual = max(int(x or 0) for x in subject.run([*_full_rows(circuit, seed)]).cycles)
    done, left = [], []
    for nbits in widths:
        expected = usual * (nbits / circuit.nbits) ** 2
        if expected > _MOST_CYCLES:
            left.append(nbits)
            continue
        try:
            other = entry.configure(nbits, **params)
        except ValueError as error:
            raise Refused("broken", f"{nbits} bits, which it claims: {error}") from error
        few = max(1, min(_FULL_ROWS, int(_WIDTH_CYCLES / max(1, expected))))
        with_hints(_check_one)(other, few, seed)
        done.append(nbits)
    told = [f"{', '.join(map(str, done))} bits are right"] if done else []
    if left:
        most = f"{_MOST_CYCLES:,.0f}"
        told.append(f"not run at {', '.join(map(str, left))} bits: more than {most} cycles")
    return "; ".join(told)


def _check_one(circuit: Any, count: int, seed: int) -> str:
    cycles_of(subject_of(circuit), [*_full_rows(circuit, seed)][:count])
    return ""


def _full_rows(circuit: Any, seed: int) -> Iterator[Operands]:
    """Draw operands of full length that meet the rules."""
    draws, nbits = random.Random(f"widths/{circuit.nbits}/{seed}"), circuit.nbits
    to_do, found = operation(circuit), 0
    while found < _FULL_ROWS:
        n = circuit.usable_modulus(draws.getrandbits(nbits) | 1 << nbits - 1 | 1)
        second = draws.getrandbits(nbits) | 1 << nbits - 1 | 1
        row = draws.randrange(n), second % n if is_product(circuit) else second, n
        if not to_do.status(row):
            found += 1
            yield row
