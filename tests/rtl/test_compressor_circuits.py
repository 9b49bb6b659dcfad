"""Circuits of compressor trees: all operands of small moduli, and many of large ones."""

import random

import numpy as np
import pytest
from pymtl3 import Component, Wire, connect, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.messages import message
from rsaxcel.plan.compressors import TREES, plan_product, plan_residue, plan_square
from rsaxcel.plan.compressors.weights import operand_nbits
from rsaxcel.rtl.lib.compressors import ModularProduct, ModularResidue, ModularSquare
from rsaxcel.sim.native.build import BuildOptions
from rsaxcel.sim.native.engine import NativeEngine
from rsaxcel.sim.translate import translate

OPERATORS = {"product": ModularProduct, "square": ModularSquare, "residue": ModularResidue}
OPERATIONS = tuple(OPERATORS)


def expected(operation, a, b, modulus, nbits):
    """Expected result by Python's integers; ``a`` and ``b`` may be arrays of them."""
    if operation == "residue":
        return (a * 2**nbits + b) % modulus
    return a * (b if operation == "product" else a) % modulus


def plan_of(operation, modulus, nbits, *choices):
    """Plan of an operator; the operand of a residue is a and b joined, ``2 * nbits`` bits."""
    if operation == "residue":
        return plan_residue(modulus, 2 * nbits, *choices)
    return (plan_product if operation == "product" else plan_square)(modulus, *choices)


class Operators(Component):
    """Operators as a unit: request {a, b}, response with a field ``r_<modulus>`` per modulus.

    A result is ``a * b``, ``a * a`` or, of (a, b) joined as one number, the residue. Operands have
    the width of the largest modulus. If an operand is not below a modulus, that product is not
    defined.

    Parameters
    ----------
    operation : str
        ``"product"``, ``"square"`` or ``"residue"``.
    moduli : tuple of int
        Constant moduli of the operators.
    choices : tuple
        Further arguments of the planning function: ``tree`` and ``reweighted``.

    Latency: 1 cycle; a request per cycle.
    """

    def construct(s, operation, moduli, choices=()):
        nbits = max(map(operand_nbits, moduli))
        plans = tuple(plan_of(operation, m, nbits, *choices) for m in moduli)
        fields = tuple((f"r_{m}", operand_nbits(m)) for m in moduli)
        request = message(f"OperatorsReq{nbits}", (("a", nbits), ("b", nbits)))
        s.recv = RecvIfcRTL(request)
        s.send = SendIfcRTL(message(f"OperatorsResp{nbits}", fields))
        s.full_reg = Wire(1)
        s.msg_reg = Wire(request)
        s.send.val //= s.full_reg

        @update
        def comb_ports():
            s.recv.rdy @= ~s.full_reg | s.send.rdy

        @update_ff
        def seq_stage():
            if s.reset:
                s.full_reg <<= 0
            elif s.recv.rdy:
                s.full_reg <<= s.recv.val
                s.msg_reg <<= s.recv.msg

        s.joined = Wire(2 * nbits)
        s.joined[0:nbits] //= s.msg_reg.b
        s.joined[nbits : 2 * nbits] //= s.msg_reg.a
        for m, plan in zip(moduli, plans, strict=True):
            part = OPERATORS[operation](plan)
            setattr(s, f"part_{m}", part)
            result = getattr(s.send.msg, f"r_{m}")
            connect(result[0 : plan.result_nbits], part.r)
            if plan.result_nbits < operand_nbits(m):
                connect(result[plan.result_nbits : operand_nbits(m)], 0)
            if operation == "residue":
                part.x //= s.joined
            else:
                part.a //= s.msg_reg.a[0 : plan.nbits]
            if operation == "product":
                part.b //= s.msg_reg.b[0 : plan.nbits]


# The compiler takes minutes to optimize what runs for a second.
QUICKLY_BUILT = BuildOptions(optimize="-O0")
#: 2^n, and 2^n - k and 2^n + k for every k up to 2^(n - 1), for n up to 6: every modulus up to 96.
SMALL_MODULI = range(2, 97)
slow = pytest.mark.slow


def check(answers, operation, moduli, nbits, a, b):
    """Compare every answer for operands of which there is a result."""
    for modulus, answer in zip(moduli, answers, strict=True):
        if not isinstance(answer, np.ndarray):  # whole numbers that NumPy would round to floats
            answer = np.array(answer, dtype=object)
        valid = np.full(len(a), True)
        if operation != "residue":
            valid = a < modulus
        if operation == "product":
            valid &= b < modulus
        wrong = np.flatnonzero(valid & (answer != expected(operation, a, b, modulus, nbits)))
        assert not len(wrong), (
            f"{operation} modulo {modulus}: {len(wrong)} wrong, first a={a[wrong[0]]} "
            f"b={b[wrong[0]]}: {answer[wrong[0]]}"
        )


def wrapper(operation, moduli, *choices, options=QUICKLY_BUILT):
    return NativeEngine.from_component(
        lambda: Operators(operation, moduli, choices), options=options
    )


def exhaustive():
    """Width of the operands, operation, tree and re-weighting; one build each."""
    for nbits in range(1, 8):
        for operation in OPERATIONS:
            for tree in TREES:
                for reweighted in ("products", "rows"):
                    first = tree == "full_adders" and reweighted == "products"
                    quick = nbits in (1, 4) and first
                    point = nbits, operation, tree, reweighted
                    yield pytest.param(*point, marks=() if quick else slow)


@pytest.mark.parametrize(("nbits", "operation", "tree", "reweighted"), [*exhaustive()])
def test_every_operand_of_small_moduli(nbits, operation, tree, reweighted):
    moduli = tuple(m for m in SMALL_MODULI if operand_nbits(m) == nbits)
    values = np.arange(1 << nbits)
    a, b = np.repeat(values, len(values)), np.tile(values, len(values))
    batch = wrapper(operation, moduli, tree, reweighted).run_columns([a, b], in_flight=None)
    check(batch.responses, operation, moduli, nbits, a, b)


def draws(nbits, count, seed, moduli):
    """Random operands for each of the moduli's widths, and corners of each modulus."""
    draw = random.Random(seed)
    corners = [m - 1 for m in moduli] + [m // 2 for m in moduli] + [0, 1]
    columns = []
    # By turns below each modulus, so that each has operands of its whole range.
    limits = [moduli[row % len(moduli)] for row in range(count)]
    for _ in range(2):
        columns.append([draw.randrange(limit) for limit in limits])
    columns[0] += [x for x in corners for _ in corners]
    columns[1] += [y for _ in corners for y in corners]
    # Arrays of Python's integers do not overflow.
    return [np.array(column, object if nbits > 30 else np.int64) for column in columns]


def run_random(operation, moduli, count, *choices, options=QUICKLY_BUILT):
    nbits = max(map(operand_nbits, moduli))
    engine = wrapper(operation, moduli, *choices, options=options)
    for block, first in enumerate(range(0, count, 100_000)):
        a, b = draws(nbits, min(100_000, count - first), block, moduli)
        batch = engine.run_columns([a.tolist(), b.tolist()], in_flight=None)
        check(batch.responses, operation, moduli, nbits, a, b)


@pytest.mark.slow_cases("64-")
@pytest.mark.parametrize(
    ("nbits", "moduli"),
    [
        (16, ((2**16 - 1) // 3, 2**16 + 1, 2**16 - 85)),
        (64, ((2**64 - 1) // 3,)),
        pytest.param(128, ((2**128 - 1) // 3, 2**128 - 1, 2**128 + 1), marks=slow),
        pytest.param(256, (2**256 - 1,), marks=slow),
    ],
    ids=lambda value: value if isinstance(value, int) else "",
)
def test_thousand_wide_products(nbits, moduli):
    run_random("product", moduli, 1000)


def test_modules_of_two_plans(tmp_path):
    """Two plans of one operation never share a module's name, whoever names the modules."""
    plans = [plan_product(13, tree) for tree in ("full_adders", "all")]
    assert plans[0].digest != plans[1].digest
    assert len({str(plan) for plan in (*plans, plan_product(11))}) == 3
    texts = [translate(ModularProduct(plan), check=lambda part: None).text for plan in plans]
    assert texts[0] != texts[1]
    assert texts[0] == translate(ModularProduct(plans[0]), check=lambda part: None).text


def test_plan_of_another_operation():
    with pytest.raises(ValueError, match="ModularSquare: plan of a product, not a square"):
        ModularSquare(plan_product(13)).elaborate()
