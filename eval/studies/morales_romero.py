"""Morales-Romero et al.: a systolic multiplier, and exponentiation with it (tables 1 to 5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from rsaxcel import catalog
from rsaxcel.eval.facts.fact import CELLS, DERIVED, Fact
from rsaxcel.eval.facts.printed import printed as printed_figures
from rsaxcel.eval.measure.cycles import products
from rsaxcel.eval.measure.flows import AS_FAST_AS_CAN_BE_NS, flow, fpga, outline
from rsaxcel.eval.measure.job import Job, Measurement, Progress
from rsaxcel.eval.report.spec import (
    Column,
    Panel,
    Plot,
    Reason,
    ReportTable,
    Row,
    Section,
    Study,
    in_section,
    rows,
)
from rsaxcel.fl.contract import WordMultiplier

DOCUMENT = "morales_romero"
DESIGN, MULTIPLIER = "systolic_l2r_always", "systolic"
FPGA = "xc7"
NBITS = 1024  #: width of the modulus in tables 4 and 5, in bits

#: Width of the modulus, and the document's width for this number of words, by column.
WIDTHS = {
    f"{nbits}_bits": (nbits, printed)
    for printed in (512, NBITS, 2048, 4096)
    # The document's number of words for a width suffices only for a modulus two bits narrower. So
    # both are measured: the narrower modulus with the document's number of words, and the
    # document's width.
    for nbits in (printed - 2, printed)
}

#: Widths that are synthesized for standard cells, and whose energies are measured.
SYNTHESIZED = (256, 512, 1024)

#: Other works that table 4 quotes, with their names in tables.
OTHERS = {
    "perin_virtex4": "Perin, Virtex-4",
    "perin_virtex5": "Perin, Virtex-5",
    "wang_virtex5": "Wang, Virtex-5",
    "mcivor_virtex2": "McIvor, Virtex-2",
    "mrabet_artix7": "Mrabet, Artix-7",
    "mrabet_virtex5": "Mrabet, Virtex-5",
}

DEVICE = "xc7a100t"  #: device of the document, whose resources are printed in tables 1 to 3 and 5

#: Works with whose cycles the document compares its own: McIvor and Wang.
LARGER_INTERVAL = "mcivor_wang"

_RESOURCES_OF_DEVICE = ("luts", "registers", "dsps", "slices")
_LARGER_INTERVAL = Column(
    LARGER_INTERVAL, {"subject": LARGER_INTERVAL, "nbits": NBITS}, label="McIvor and Wang"
)
#: For 4096 bits the document has only a number of DSP blocks, which follows from the number of
#: elements.
_MOST_MEASURED_NBITS = 2048


def measurements(max_nbits: int, library: str) -> list[Measurement]:
    """Measurements: cycles and FPGA resources at the printed widths, and flows at some widths."""
    widths = [nbits for nbits in SYNTHESIZED if nbits <= max_nbits]
    found = [flow(DESIGN, nbits, library=library) for nbits in widths]
    if max_nbits >= _MOST_MEASURED_NBITS:
        found.append(outline(DESIGN, _MOST_MEASURED_NBITS, library))
    for nbits, printed in WIDTHS.values():
        if printed > max_nbits:
            continue
        job = Job(f"elements {nbits}", elements, (nbits,), 1.0, elements)
        found.append(Measurement(job, partial(_elements_facts, nbits)))
        if printed <= _MOST_MEASURED_NBITS:
            found.append(_also(fpga(MULTIPLIER, nbits, FPGA), _device))
            found.append(_also(products(DESIGN, nbits, printed, MULTIPLIER), _saved))
        if printed == NBITS:
            found.append(fpga(DESIGN, nbits, FPGA, exponent_nbits=printed))
    return found


def _also(measurement: Measurement, more: Callable[[list[Fact]], Iterator[Fact]]) -> Measurement:
    """Add facts that follow from a measurement's own facts and from printed figures."""

    def facts(result: Any) -> Iterator[Fact]:
        own = list(measurement.facts(result))
        yield from own
        yield from more(own)

    return replace(measurement, facts=facts)


def _device(own: list[Fact]) -> Iterator[Fact]:
    """Yield the resources of the document's device, of which a row's are a share."""
    for name in _RESOURCES_OF_DEVICE:
        available = printed_figures().value(DOCUMENT, name, subject=DEVICE)
        yield Fact(DEVICE, name, available, DERIVED, library=FPGA)


def _saved(own: list[Fact]) -> Iterator[Fact]:
    """Yield cycles that a product saves against another work, and that all products take there."""
    others = printed_figures().value(DOCUMENT, "product_cycles", subject="mcivor_virtex2")
    for fact in own:
        if fact.quantity == "product_cycles":
            less = others - float(fact.value)
            yield replace(fact, quantity="saved_product_cycles", value=less, kind=DERIVED)
        elif fact.quantity == "products" and fact.nbits == NBITS:
            cycles = others * float(fact.value)
            other = replace(fact, subject=LARGER_INTERVAL, choices="", kind=DERIVED)
            yield replace(other, quantity="products_cycles", value=cycles)


def elements(nbits: int, progress: Progress | None = None) -> int:
    """Return the number of elements of the systolic row: one for each word of the modulus."""
    golden = catalog.multipliers()[MULTIPLIER].configure(nbits).golden
    assert isinstance(golden, WordMultiplier)
    return golden.words


def _elements_facts(nbits: int, count: int) -> Iterator[Fact]:
    yield Fact(MULTIPLIER, "elements", count, "measured", nbits)


#: quantities that are as printed if the number of words is: registers and states are our own
_AS_PRINTED = ("product_cycles", "products", "products_cycles", "elements", "dsps")


def _columns(subject: str, *widths: int, **choices: int) -> list[Column]:
    return [
        Column(
            name,
            {"subject": subject, "nbits": nbits, "choices": choices},
            {"nbits": printed, "choices": {}},
            as_printed=_AS_PRINTED if nbits != printed else (),
        )
        for name, (nbits, printed) in WIDTHS.items()
        if printed in (widths or (printed,))
    ]


_ROW = _columns(MULTIPLIER)
_COMPARED = [
    *_columns(MULTIPLIER, NBITS),
    *(Column(x, {"subject": x, "nbits": NBITS}, label=label) for x, label in OTHERS.items()),
]
_EXPONENTIATORS = _columns(DESIGN, NBITS, exponent_nbits=NBITS)
_FPGA = {"library": FPGA}
_PRODUCT = {"operation": "product"}
_DECRYPTION = {"operation": "decrypt"}
_SECTION = "FPGA (measured: estimate)"
_USUAL = rows("luts", "registers", "dsps", "slices", where=_FPGA, section=_SECTION)
_LUTS, _REGISTERS, _DSPS, _SLICES = _USUAL
_MORE = rows("memory_luts", "memory_blocks", where=_FPGA, section=_SECTION)
_CARRY = Row("carry_bits", _FPGA, section=_SECTION)
_OF_DEVICE: Any = {"mode": "percent", "base": DEVICE, "section": "Share of the device"}
_RESOURCES = [
    _LUTS,
    *_MORE,
    _REGISTERS,
    _CARRY,
    _DSPS,
    _SLICES,
    *(Row(f"{x}_percent", _FPGA, of=x, **_OF_DEVICE) for x in _RESOURCES_OF_DEVICE),
]
_DEVICE = (Column(DEVICE, {"subject": DEVICE, "nbits": 0, "choices": {}}),)
_PRINTED_TIME = {"quantity": "product_us"}
_OF_DESIGN = {"subject": lambda x: DESIGN if x == MULTIPLIER else x}
_IN_CELLS = {**_PRODUCT, **_OF_DESIGN, "clock_ns": AS_FAST_AS_CAN_BE_NS}
_TIMES = [
    Row("product_at_100_mhz_us", _PRODUCT, _PRINTED_TIME, label="at the printed frequency"),
    Row("product_us", _IN_CELLS, prints=False, label="in standard cells"),
]
_COMPARISON = [
    Row("device", _FPGA),
    Row("frequency_mhz", printed={"operation": ""}),
    Row("product_cycles", _PRODUCT),
    Row("saved_product_cycles", _PRODUCT),
    *_USUAL,
    *in_section("Time of a product", _TIMES),
]
_CYCLES = (
    "products",
    "products_cycles",
    "saved_products_cycles",
    "control_cycles",
    "cycles",
    "load_cycles",
)
_IN_TABLE = ("area_um2", "flip_flops", "min_period_ns", "cycles", "time_ms", "energy_uj")
_TABLES = (
    ReportTable(
        f"{DOCUMENT}_multiplier",
        "Multiplier (tables 1 to 3)",
        _ROW,
        [*in_section("Row", [Row("elements"), Row("product_cycles", _PRODUCT)]), *_RESOURCES],
        {},
        (
            "morales_romero_cycles",
            "morales_romero_fpga",
            "morales_romero_registers",
            "morales_romero_slices",
            "fpga",
        ),
        bases=_DEVICE,
    ),
    ReportTable(
        f"{DOCUMENT}_comparison",
        f"Multiplier of {NBITS} bits and other works (table 4)",
        _COMPARED,
        _COMPARISON,
        {},
        ("morales_romero_comparison",),
    ),
    ReportTable(
        f"{DOCUMENT}_exponentiation",
        f"Exponentiation of {NBITS} bits (table 5)",
        [*_EXPONENTIATORS, _LARGER_INTERVAL],
        [
            *rows(*_CYCLES, where=_DECRYPTION, section=f"Exponent of {NBITS} bits"),
            *(replace(x, key=f"exponentiation_{x.quantity}") for x in _RESOURCES),
        ],
        {},
        ("morales_romero_exponentiation", "morales_romero_resources", "fpga"),
        bases=_DEVICE,
    ),
    ReportTable(
        f"{DOCUMENT}_cells",
        "Exponentiation in standard cells",
        [
            Column(f"{n}_bits", {"subject": DESIGN, "nbits": n})
            for n in (*SYNTHESIZED, _MOST_MEASURED_NBITS)
        ],
        [Row(x, _DECRYPTION, prints=False, key=f"cells_{x}") for x in _IN_TABLE],
        {"clock_ns": AS_FAST_AS_CAN_BE_NS, "library": CELLS},
        ("morales_romero_cells", "simulated", "glitches"),
    ),
)
_POINTS = [{"nbits": nbits} for nbits, _ in WIDTHS.values()]
_CYCLE_SERIES = [Column("cycles", {"subject": MULTIPLIER})]
_PER_WORD = [
    Column("LUTs", {"subject": MULTIPLIER, "y": "luts_per_word"}),
    Column("flip-flops", {"subject": MULTIPLIER, "y": "registers_per_word"}),
]
_STYLE: Any = {"x_label": "time of a product in µs", "printed": True, "names": True}
_PRODUCTS = Panel("product_at_100_mhz_us", "dsps", _COMPARED, where=_PRODUCT, **_STYLE)
_BETWEEN = "cycles between\ndependent products"
_CYCLES_OVER_WIDTH = Panel(
    "nbits", "product_cycles", _CYCLE_SERIES, _POINTS, _PRODUCT, y_label=_BETWEEN, printed=True
)
_WORDS = "per word of 16 bits"
_PLOTS = (
    Plot(
        f"{DOCUMENT}_products",
        f"Products of {NBITS} bits (as table 4)",
        f"DSPs over the time of a modular product of {NBITS} bits, measured and printed.",
        [(_PRODUCTS,)],
        4.2,
        ("morales_romero_plots",),
    ),
    Plot(
        f"{DOCUMENT}_scaling",
        "Cycles and resources over the width",
        "Cycles between dependent products, and LUTs and flip-flops per word, over the width.",
        [
            (_CYCLES_OVER_WIDTH,),
            (Panel("nbits", "luts_per_word", _PER_WORD, _POINTS, y_label=_WORDS, printed=True),),
        ],
        5.8,
        ("morales_romero_widths",),
    ),
)
_NOTES = {
    "morales_romero_cycles": """From one product to the next that needs its result, on the circuit:
        what two more exponent bits, which are four more products, add to an exponentiation.""",
    "morales_romero_fpga": """The multiplier here has its memory of words, its loader and its
        unloader with it, and takes and gives whole operands. Yosys puts memories of more than 128
        words into blocks. A modulus of 4096 bits is said to take 258 DSP blocks; by the bound on
        the operands it takes one element, and so one block, more.""",
    "morales_romero_registers": """A word of 16 bits takes
        {{ ours('systolic', 'registers_per_word', nbits=1022) }} flip-flops here, and 83 in the
        document, where moduli of 1024 bits take 2,667 more than moduli of 512. Its elements save
        x_i and u_i in a register each, the sum in a block Memory and the carry in a register, and
        have a state machine each (sections 3.1 and 3.2). Here one register has x_i and, a cycle
        later, u_i; the sum stays in the accumulator of the DSP block, which is no register of a
        slice; and one chain of two flip-flops per element tells all elements their states. The
        others hold words of y, of the modulus and of the result.""",
    "morales_romero_slices": """Slices: as few as hold the LUTs, four in each. A placer puts fewer
        into a slice; by the document's tables 1.8 to 2.5. So ours are a lower bound.""",
    "morales_romero_comparison": """Other works as the document quotes them; resources of different
        families do not compare one by one. Time at the printed frequency: cycles over it, for ours
        over the document's 100 MHz. That is the clock at which its circuit runs, not the
        limit of the circuit. A limit of ours on an FPGA would be a guess: the delays of cells are
        published, but the delays of wires, which are about half of a path, follow from placing and
        routing, and no tool here does either for this family. In standard cells the whole
        exponentiator's smallest period is {{ ours('systolic_l2r_always', 'min_period_ns') }}.""",
    "morales_romero_exponentiation": """With an exponent of 1024 bits, on the circuit; the operands
        are loaded before the request is accepted. The document counts the products alone, for
        itself and for the other works (McIvor and Wang, 199 cycles each).""",
    "morales_romero_resources": """The document keeps S[0], S[1] and the base in registers; here
        they are in memory LUTs, as are modulus and constants, which takes fewer flip-flops. The
        document's exponentiator has 4,162 more than its multiplier: these three take 3,072, and
        the rest would fit a register of the exponent, which it does not mention. Ours has the
        exponent's alone.
        Requests are as wide as the operands here, and selecting their words takes LUTs; the
        document does not say how it takes them. A modulus of 1024 bits takes one element more than
        the document has, and so one DSP more.""",
    "morales_romero_cells": f"""The exponentiator alone, synthesized for {AS_FAST_AS_CAN_BE_NS} ns.
        Time: cycles at the smallest period. Every bit of the exponent's width is scanned here, so
        that an encryption with e = 65537 takes as long as a decryption; the document begins at the
        highest 1, and takes 36 products for it. At {_MOST_MEASURED_NBITS} bits,
        only area and period are measured.""",
    "morales_romero_plots": """Filled: measured, or our estimate; hollow: printed. Ours at the
        document's 100 MHz; other works are on other devices (table 4). Down and left is better.""",
    "morales_romero_widths": """Filled: measured, LUTs estimated; hollow: printed, for moduli that
        are two bits too long for their words.""",
}

_HEADLINE = """A decryption of 1024 bits on a row of elements takes
    {{ ours('systolic_l2r_always', 'time_ms', operation='decrypt') }} and
    {{ ours('systolic_l2r_always', 'energy_uj', operation='decrypt') }} with cells of 45 nm."""

STUDY = Study(
    DOCUMENT,
    measurements,
    (
        Section(
            "morales_romero_row",
            "Products in a systolic row",
            (*_PLOTS, *_TABLES),
            """Montgomery products in a row of elements, a word of 16 bits each, and exponentiation
            by square and multiply always. The document puts moduli of n bits into n / 16 words;
            without a final subtraction, products need two bits more (docs/records/errata.md). So
            every figure stands twice: for n - 2 bits, in the document's number of words, and for n
            bits, in one word more; the printed one beside both.""",
        ),
    ),
    _NOTES,
    topic="Products in a systolic row",
    headline=_HEADLINE,
    where={"nbits": NBITS, "clock_ns": AS_FAST_AS_CAN_BE_NS},
    reasons=(
        Reason(
            "what the device has, by its maker; no figure of a circuit", where={"subject": DEVICE}
        ),
        Reason(
            "another work, which the document quotes and does not describe",
            where={"subject": tuple(OTHERS)},
        ),
        Reason(
            "the clock at which the document's circuit runs, not its limit; the limit of ours is "
            "unknown: delays of wires follow from placing and routing, which no tool does here",
            where={"quantity": "frequency_mhz"},
        ),
        Reason(
            "slices: ours would be full, with four LUTs each; in the document they have 1.8 to 2.5",
            where={"quantity": ("slices", "slices_percent")},
        ),
        Reason(
            "S[0], S[1] and the base: 3 * 1024 bits in registers there, in memory LUTs here",
            "Table 5",
            {"quantity": ("registers", "registers_percent")},
        ),
    ),
)
