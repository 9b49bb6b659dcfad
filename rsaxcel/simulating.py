"""Simulations of designs and multipliers at every level."""

from collections.abc import Iterable
from typing import Literal

from catalog import Configuration, MultiplierConfiguration
from sim.operations import Operands, operation
from sim.runners import Answer, engine_of, open_runner
from sim.vectors import Vector, random_vectors

Level = Literal["fl", "cl", "rtl"]
Engine = Literal["native", "pymtl", "python"]

LEVELS: tuple[Level, ...] = ("fl", "cl", "rtl")
"""Functional model, cycle model, circuit."""


def simulate(
    chosen: Configuration | MultiplierConfiguration,
    operands: Iterable[Operands],
    *,
    level: Level = "rtl",
    engine: Engine | None = None,
) -> list[Answer]:
    """Simulate exponentiations or products one after the other.

    Parameters
    ----------
    chosen : Configuration or MultiplierConfiguration
        What ``design`` or ``multiplier`` gives.
    operands : iterable of tuple of int
        (base, exponent, modulus) for a design, (a, b, modulus) for a multiplier, of any size: what
        an input rule refuses gets its status.
    level : str
        ``"fl"``: what is computed; ``"cl"``: the cycle model; ``"rtl"``: the circuit.
    engine : str, optional
        ``"native"`` (compiled C++, ``rtl`` only and its default), ``"pymtl"``, or ``"python"``
        (the models of ``fl`` and ``cl`` without a component, their default).

    Returns
    -------
    list of Answer
        One for each, with ``status`` (a ``Status``), ``result`` (an int; 0 unless the status is ok;
        of a Montgomery multiplier a * b / R mod m) and ``cycles`` (from the request's acceptance to
        the response, None at ``fl``). A multiplier has no status to refuse with: what breaks its
        rules is not sent, and has no cycles.

    Raises
    ------
    ValueError
        For another level, an engine that does not run it, or a negative operand.
    RunnerError
        If the simulation never ends.
    ToolError
        If Verilator or the C++ compiler is missing.
    """
    engine_name = engine_of(level, engine)
    status = operation(chosen).status
    vectors = []
    for number, triple in enumerate(operands, 1):
        if min(triple) < 0:
            raise ValueError(f"operands={triple}: 0 and more are allowed")
        vectors.append(Vector(number, triple, status(triple), 0))
    if not vectors:
        return []
    answers, _ = open_runner(chosen, level, engine_name).run(vectors)
    return answers


def random_operands(
    chosen: Configuration | MultiplierConfiguration, count: int, seed: int = 0
) -> list[Operands]:
    """Draw operands as ``rsaxcel sim --random`` does: of all lengths, a few against an input rule.

    Parameters
    ----------
    chosen : Configuration or MultiplierConfiguration
        What ``design`` or ``multiplier`` gives.
    count : int
        How many.
    seed : int
        The same ones for the same seed and width.

    Returns
    -------
    list of tuple of int
        For ``simulate``.
    """
    drawn = random_vectors(count, seed, chosen.nbits, operation(chosen))
    return [vector.operands for vector in drawn]
