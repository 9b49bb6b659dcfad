"""Simulates designs and multipliers at every level."""

from collections.abc import Iterable
from typing import Literal

from catalog import Configuration, MultiplierConfiguration
from sim.corners import Operands
from sim.operations import operation
from sim.runners import Answer, engine_of, open_runner
from sim.vectors import Vector, random_vectors

Level = Literal["fl", "cl", "rtl"]
Engine = Literal["native", "pymtl", "python"]

LEVELS: tuple[Level, ...] = ("fl", "cl", "rtl")
"""Levels of a simulation: functional model, cycle model, circuit."""


def simulate(
    chosen: Configuration | MultiplierConfiguration,
    operands: Iterable[Operands],
    *,
    level: Level = "rtl",
    engine: Engine | None = None,
) -> list[Answer]:
    """Simulate exponentiations or products, one after the other.

    Parameters
    ----------
    chosen : Configuration or MultiplierConfiguration
        Result of ``design`` or ``multiplier``.
    operands : iterable of tuple of int
        (base, exponent, modulus) for a design, (a, b, modulus) for a multiplier. They may have any
        size: if an input rule is not met, the answer has the rule's status. A design by the primes
        p and q takes ``chosen.halves.joined(dp, dq)`` as exponent, and ``joined(p, q)`` as modulus;
        ``joined_exponents(dp, dq, e)`` if it checks its result by the public exponent e.
    level : str
        ``"fl"``: the functional model; ``"cl"``: the cycle model; ``"rtl"``: the circuit.
    engine : str, optional
        ``"native"``: compiled C++, only for ``rtl`` and the default there; ``"pymtl"``: PyMTL3, for
        all levels; ``"python"``: the models without a component, the default for ``fl`` and ``cl``.

    Returns
    -------
    list of Answer
        An answer for each operation:

        - ``status``: a ``Status``.
        - ``result``: an int, 0 unless the status is ok. The result of a Montgomery multiplier is
          a * b / R mod m.
        - ``cycles``: from the acceptance of the request to the response; None at ``fl``.

        Operands that break an input rule are not sent to a multiplier, because its response has
        no status. Their answer has a status, but no cycles.

    Raises
    ------
    ValueError
        If the level is unknown, the engine does not run it, or an operand is negative.
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
    """Draw operands of all bit lengths as ``rsaxcel sim --random`` does; a few break an input rule.

    Parameters
    ----------
    chosen : Configuration or MultiplierConfiguration
        Result of ``design`` or ``multiplier``.
    count : int
        Number of operations.
    seed : int
        Seed; the same seed and width give the same operands.

    Returns
    -------
    list of tuple of int
        Operands for ``simulate``.
    """
    drawn = random_vectors(count, seed, chosen.nbits, operation(chosen))
    return [vector.operands for vector in drawn]
