"""What is tried of a configuration, in the order in which faults are easiest to understand."""

from __future__ import annotations

import random
from collections.abc import Sequence
from statistics import fmean

import numpy as np

from catalog import AnyConfiguration, MultiplierConfiguration
from eval.check.behaviour import check_behaviour, compare, compare_models
from eval.check.operands import drawn_indices
from eval.check.refused import Refused
from eval.check.rows import affordable, rows_of
from eval.check.subject import Subject, subject_of
from eval.engines import hang_cycles, open_component
from eval.exhaustive import run_products
from eval.operations import Operands, operation
from eval.products import MOST_NBITS, WORK, Products, all_pairs, some_pairs
from fl.status import Status
from sim.batch import Batch
from sim.stalls import STALL_PROFILES, StallProfile

_FEWER_PAIRS = 200
_MODELLED = 400
_WATCHED_CYCLES = 3000.0  # of circuits in pure Python
_MODEL_CYCLES = 15000.0  # of the cycle model's component
# Cycles of a circuit in the native engine, for one pass over all rows.
_CYCLES = 3e8
_LEAST_ROWS = 200


def check_golden_model(configuration: AnyConfiguration, count: int, seed: int) -> str:
    """Compare the golden model with Python's integers; of up to 8 bits, for every modulus."""
    to_do = operation(configuration)
    rows = rows_of(configuration, count, seed)
    if isinstance(configuration, MultiplierConfiguration) and configuration.nbits <= MOST_NBITS:
        products = Products(configuration, lambda *x: some_pairs(x[0], x[1], _FEWER_PAIRS))
        for columns in products.blocks():
            listed = zip(*(x.tolist() for x in columns), strict=True)
            for row, expected in zip(listed, products.expected(columns).tolist(), strict=True):
                _same_outcome(configuration, row, expected, Status.OK)
            count += len(columns[0])
    else:
        indices = drawn_indices(rows, count, seed)
        rows, count = [rows[i] for i in indices], len(indices)
        for row in rows:
            status = to_do.status(row)
            _same_outcome(
                configuration, row, to_do.result(row) if status is Status.OK else 0, status
            )
    return f"{count:,} {to_do_name(configuration)}"


def _same_outcome(
    configuration: AnyConfiguration, row: Operands, expected: int, status: Status
) -> None:
    found = configuration.outcome(*row)
    if tuple(found) != (expected, status):
        told = f"result {found.result:#x}, status {found.status} at fl"
        raise subject_of(configuration).refused(
            "model", row, f"{told} instead of result {expected:#x}, status {status}"
        )


def to_do_name(configuration: AnyConfiguration) -> str:
    """Name what a configuration forms, in the plural."""
    is_product = isinstance(configuration, MultiplierConfiguration)
    return "products" if is_product else "exponentiations"


def check_circuit(configuration: AnyConfiguration, count: int, seed: int, hint: str = "") -> str:
    """Compare results of the circuit with Python's integers, cycles with the cycle model's."""
    subject = subject_of(configuration)
    rows = _affordable_natively(configuration, rows_of(configuration, count, seed), seed)
    batch = subject.run(rows)
    compare(subject, rows, batch, "wrong", "")
    cycles = [int(x) for x in batch.cycles if x is not None]
    indices = drawn_indices(rows, _MODELLED, seed)
    asked = [rows[i] for i in indices]
    modelled = [(*subject.expected(row), configuration.cycles(*row)) for row in asked]
    compare_models(subject, asked, [cycles[i] for i in indices], modelled, hint)
    found = f"{len(rows):,}"
    if isinstance(configuration, MultiplierConfiguration) and configuration.nbits <= MOST_NBITS:
        found = check_products(configuration, subject)
    return f"{found} {to_do_name(configuration)}, {fmean(cycles):.1f} cycles on average"


def check_products(configuration: MultiplierConfiguration, subject: Subject) -> str:
    """Form every product of small operands, or the corners of all, and compare with Python's.

    Raises
    ------
    Refused
        With the first wrong result, or the first cycles that the cycle model does not give.
    """
    every = Products(configuration).work <= WORK
    products = Products(configuration, all_pairs if every else some_pairs)
    count = 0
    for block in run_products(products, shown=1):
        for vector, said in block.faults:
            batch = subject.run([vector.operands])
            compare(subject, [vector.operands], batch, "wrong", "")
            (cycles,) = batch.cycles
            if cycles != configuration.cycles(*vector.operands):
                raise subject.refused("cycles", vector.operands, said)
            raise subject.refused("state", vector.operands, f"{said}, behind other products")
        count += sum(block.cycles.values())
    return f"{'all ' if every else ''}{count:,}"


def check_order(configuration: AnyConfiguration, count: int, seed: int) -> str:
    """See that answers depend on nothing but operands: order, stalls, resets, power-up."""
    subject = subject_of(configuration)
    rows = _affordable_natively(configuration, rows_of(configuration, count, seed), seed)
    if len(rows) > count:
        rows = random.Random(f"order/{seed}").sample(rows, count)
    check_behaviour(subject, rows, seed)
    return f"{len(rows):,} {to_do_name(configuration)}, {len(STALL_PROFILES)} stall profiles"


def _affordable_natively(
    configuration: AnyConfiguration, rows: list[Operands], seed: int
) -> list[Operands]:
    longest = hang_cycles(configuration) / 4
    most = max(_LEAST_ROWS, int(_CYCLES / longest))
    return rows if len(rows) <= most else random.Random(f"most/{seed}").sample(rows, most)


def check_under_stalls(configuration: AnyConfiguration, count: int, seed: int) -> str:
    """Compare circuit and cycle model cycle by cycle, requests waiting and responses held up."""
    subject = subject_of(configuration)
    rows = affordable(configuration, rows_of(configuration, count, seed), _MODEL_CYCLES, seed)
    model = open_component(configuration, "cl", "pymtl")
    for profile in STALL_PROFILES.values():
        ours, theirs = (
            _batch(runner, configuration, rows, profile)
            for runner in (open_component(configuration, "rtl", "native"), model)
        )
        for what in ("accepted", "valid"):
            found, modelled = getattr(ours, what), getattr(theirs, what)
            if found != modelled:
                index = int((np.array(found) != np.array(modelled)).argmax())
                raise _late(configuration, subject, rows, index, profile, what, found, modelled)
    return f"{len(rows)} {to_do_name(configuration)}, {len(STALL_PROFILES)} stall profiles"


def _batch(
    runner: object, configuration: AnyConfiguration, rows: Sequence[Operands], profile: StallProfile
) -> Batch:
    return runner.run(  # type: ignore[attr-defined]
        [configuration.request(*row) for row in rows],
        stalls=profile,
        in_flight=None,
        max_idle_cycles=hang_cycles(configuration),
    )


def _late(
    configuration: AnyConfiguration,
    subject: Subject,
    rows: Sequence[Operands],
    index: int,
    profile: StallProfile,
    what: str,
    found: Sequence[int],
    modelled: Sequence[int],
) -> Refused:
    """Say which request the circuit accepts or answers in another cycle than the model."""
    hint = ""
    if isinstance(configuration, MultiplierConfiguration) and index:
        declared = configuration.timing.overlaps
        hint = (
            f" (overlaps = {declared} in the cycle model: whether operands are accepted in the "
            "cycle in which a result is taken)"
        )
    verb = "accepted" if what == "accepted" else "answered"
    said = (
        f"request {index + 1}, with requests waiting ({profile.name}), is {verb} in cycle "
        f"{found[index]} by the circuit, in cycle {modelled[index]} by the cycle model{hint}"
    )
    return Refused("cycles", subject.refused("cycles", rows[index], said).reason)


def check_translation(configuration: AnyConfiguration, count: int, seed: int) -> str:
    """Compare the circuit in PyMTL3 with its Verilog, compiled: responses and their cycles."""
    subject = subject_of(configuration)
    rows = affordable(configuration, rows_of(configuration, count, seed), _WATCHED_CYCLES, seed)
    profile = STALL_PROFILES["random"]
    ours, theirs = (
        _batch(open_component(configuration, "rtl", engine), configuration, rows, profile)
        for engine in ("native", "pymtl")
    )
    for index, row in enumerate(rows):
        pairs = [(x.responses[index], x.accepted[index], x.valid[index]) for x in (ours, theirs)]
        if pairs[0] != pairs[1]:
            told = " against ".join(f"{x[0]} in cycle {x[2]}" for x in pairs)
            raise subject.refused("verilog", row, f"Verilog against PyMTL3: {told}")
    return f"{len(rows)} {to_do_name(configuration)}"


def check_declared(configuration: MultiplierConfiguration, count: int, seed: int) -> str:
    """See that what the contract declares is so: bounds, constant time, the cycle model's form."""
    golden = configuration.golden
    durations, cycles = configuration.timing.durations, set()
    where = f"{configuration.nbits} bits"
    for a, b, modulus in rows_of(configuration, count, seed)[: 4 * count]:
        stages = tuple(durations(a, b, modulus))
        if not stages or not all(type(x) is int and x >= 0 for x in stages):
            raise Refused("cycles", f"{where}: durations of the cycle model are {stages}")
        cycles.add(stages)
    if golden.constant_time and len(cycles) > 1:
        some = ", ".join(str(sum(x)) for x in sorted(cycles)[:3])
        raise Refused(
            "declared", f"{where}: constant_time is declared, and products take {some} cycles"
        )
    return f"constant time: {'yes' if golden.constant_time else 'no'}"


def check_parameters(configuration: MultiplierConfiguration, count: int, seed: int) -> str:
    """Compare results and cycles at the least, the next and the largest value of each parameter."""
    tried = 0
    for parameter in configuration.parameters:
        values = parameter.listed(configuration.nbits)
        for value in dict.fromkeys((*values[:2], values[-1])):
            params = {**configuration.params, parameter.name: value}
            try:
                other = configuration.design.configure(configuration.nbits, **params)
            except ValueError:
                continue  # two values that do not go together
            _check_few(other, count, seed)
            tried += 1
    return f"{tried} values" if tried else "none"


def _check_few(configuration: MultiplierConfiguration, count: int, seed: int) -> None:
    rows = affordable(configuration, rows_of(configuration, count, seed), _WATCHED_CYCLES, seed)
    subject = subject_of(configuration)
    batch = subject.run(rows)
    compare(subject, rows, batch, "wrong", "")
    modelled = [(*subject.expected(row), configuration.cycles(*row)) for row in rows]
    compare_models(subject, rows, [int(x) for x in batch.cycles if x is not None], modelled)
