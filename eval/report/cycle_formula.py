"""Writes the cycles of a design as a sum over its executors and steps."""

from __future__ import annotations

from collections import Counter

from rsaxcel.catalog import Configuration
from rsaxcel.cl.elastic import latency
from rsaxcel.cl.exponentiator import ExponentiatorCL
from rsaxcel.plan.programs import Program
from rsaxcel.plan.walk import State, walk

_TIMES = "\N{MULTIPLICATION SIGN}"


def cycle_formula(
    configuration: Configuration, exponent: int, modulus: int
) -> tuple[list[str], int] | None:
    """Return a line with the sum of each executor's cycles, and the total; None without formula."""
    # Cycles go to the request, to units for constants, and to each step: products of its busiest
    # lane, and control. There is no formula if the cycles of a product depend on its operands.
    if configuration.base_dependent:
        return None
    model = configuration.timing
    lines, total = [], 0
    for program in model.golden.programs:
        text, cycles = _machine(model, program, exponent, modulus)
        lines.append(f"{program.name}: {text} = {cycles:,}")
        total += cycles
    return lines, total


def _machine(
    model: ExponentiatorCL, program: Program, exponent: int, modulus: int
) -> tuple[str, int]:
    handshake = model.handshake
    fixed = handshake.fixed_cycles
    terms, cycles = [f"{fixed} (request)"], fixed
    if program.computed_constants:
        taken = max(latency(unit.durations(modulus)) for unit in model.units) + 1
        terms.append(f"{taken} (constants)")
        cycles += taken
    if len(program.turns) > 1:
        turns = len(program.turns) - 1
        terms.append(f"{turns} {_TIMES} {handshake.later_turn_cycles} (start of the next half)")
        cycles += turns * handshake.later_turn_cycles
    if program.reduction:
        terms.append(f"{program.reduction.steps} (reduction)")
        cycles += program.reduction.steps
    for (most, taken), count in _steps(model, program, exponent, modulus).items():
        control = handshake.step_cycles
        each = f"({taken} + {control})" if taken else f"{control}"
        named = f"{most} products in a row" if most > 1 else "product" if most else "no product"
        terms.append(f"{count:,} {_TIMES} {each} ({named})")
        cycles += count * (taken + control)
    return " + ".join(terms), cycles


def _steps(
    model: ExponentiatorCL, program: Program, exponent: int, modulus: int
) -> Counter[tuple[int, int]]:
    """Count steps by the busiest lane's products, and cycles without those of control."""
    found: Counter[tuple[int, int]] = Counter()
    names = (*program.residues, "b")
    split, public = [exponent], 0
    if model.golden.halves:
        numbers = model.golden.halves.split_exponents(exponent)
        split, public = [*numbers.private], numbers.public
    states = [State(0, each, dict.fromkeys(names, 0), public=public) for each in split]
    more = model.more_cycles(program)
    for formed in walk(program, states, lambda each: 0):
        lanes = Counter(program.lane_of[each.product, each.half] for each in formed)
        # The cycles of products do not depend on the operands, so any operands will do.
        taken = model.step_cycles(formed, program, [modulus] * len(states), more)
        found[max(lanes.values(), default=0), taken - model.handshake.step_cycles] += 1
    return found
