"""Quantities, each declared once: what tables, plots, terminal, files and page call and show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Better = Literal["less", "more", ""]


@dataclass(frozen=True)
class Quantity:
    """What a figure is a figure of.

    Parameters
    ----------
    key : str
        Name in facts and files, unit included.
    label : str
        For people.
    unit : str
        Unit as in ``um2 ms``; empty for counts, ratios and texts.
    digits : int
        After the point.
    better : str
        Which figures are better; empty where it is no matter of quality.
    formula : str
        How it follows from others of the same subject and operation, for ``DataFrame.eval``.
    printed : str
        How it follows from printed figures, where that is another way.
    note : str
        What has to stand beside each figure.
    """

    key: str
    label: str
    unit: str = ""
    digits: int = 0
    better: Better = ""
    formula: str = ""
    printed: str = ""
    note: str = ""

    def text(self, value: float | str | None, digits: int | None = None) -> str:
        """Show a figure without its unit."""
        if value is None:
            return "-"
        if isinstance(value, str):
            return value
        return f"{value:,.{self.digits if digits is None else digits}f}"

    @property
    def heading(self) -> str:
        """Label with unit, for axes."""
        return f"{self.label} ({self.unit})" if self.unit else self.label


def _less(key: str, label: str, unit: str = "", digits: int = 0, **more: str) -> Quantity:
    return Quantity(key, label, unit, digits, "less", **more)


def _plain(key: str, label: str, unit: str = "", digits: int = 0, **more: str) -> Quantity:
    return Quantity(key, label, unit, digits, "", **more)


_PROGRAM_TIME_NS = "1e3 * program_energy_nj / program_power_mw"
_DUMMY_TIME_NS = "1e3 * dummy_energy_nj / dummy_power_mw"

# In an order in which a formula follows what it reads.
_ALL = (
    # Clock and time.
    _plain("clock_ns", "Clock constraint", "ns", 2),
    _less("min_period_ns", "Smallest clock period", "ns", 3, printed="1e3 / frequency_mhz"),
    _less(
        "period_ns",
        "Period used",
        "ns",
        3,
        formula="clock_ns.where(clock_ns > min_period_ns, min_period_ns)",
        printed="clock_ns",
    ),
    Quantity("frequency_mhz", "Frequency", "MHz", 2, "more", formula="1e3 / min_period_ns"),
    _less("critical_path_ns", "Critical path", "ns", 3),
    _plain("critical_path", "Ends of the critical path"),
    _plain("meets_clock", "Constraint met", formula="1.0 * (min_period_ns <= clock_ns)"),
    # Cycles.
    _less("program_cycles", "whole program", "cycles", printed=f"{_PROGRAM_TIME_NS} / clock_ns"),
    _less("call_cycles", "call", "cycles"),
    _less("dummy_cycles", "call of the dummy", "cycles"),
    _less("cycles", "Cycles", "cycles", formula="call_cycles - dummy_cycles"),
    _plain("around_cycles", "around the call", "cycles", formula="program_cycles - call_cycles"),
    _less("document_handshake_cycles", "Cycles with the document's handshake", "cycles"),
    _less("load_cycles", "loading before", "cycles"),
    _less("product_cycles", "cycles between dependent products", "cycles"),
    _plain("products", "products"),
    _less(
        "products_cycles", "cycles of the products", "cycles", formula="products * product_cycles"
    ),
    _less("control_cycles", "cycles of control", "cycles", formula="cycles - products_cycles"),
    _plain("elements", "elements, a word each"),
    # Time.
    _less("time_us", "Time", "us", 3, formula="cycles * period_ns / 1e3"),
    _less(
        "time_ms", "Time", "ms", 3, formula="time_us / 1e3", printed="cycles / frequency_mhz / 1e3"
    ),
    _less("product_at_100_mhz_us", "at 100 MHz", "us", 3, formula="product_cycles / 100"),
    _less(
        "product_us",
        "Time of a product",
        "us",
        3,
        formula="product_cycles * period_ns / 1e3",
        printed="product_cycles / frequency_mhz",
    ),
    Quantity(
        "operations_per_s",
        "Operations per second",
        "",
        0,
        "more",
        formula="1e9 / (cycles * period_ns)",
    ),
    Quantity(
        "performance_mops",
        "performance in million operations per second",
        "",
        3,
        "more",
        formula="operations_per_s / 1e6",
    ),
    _plain("speedup_naive_ratio", "over software naive", "", 2),
    _plain("speedup_montgomery_ratio", "over software montgomery", "", 2),
    # Area.
    _less("area_um2", "Cell area", "um2"),
    _less("area_kum2", "cell area", "1000 um2", 1, formula="area_um2 / 1e3"),
    _less("processor_area_um2", "Processor", "um2"),
    _less("accelerator_area_um2", "Accelerator with xcel adapter", "um2"),
    _plain("area_ratio", "Over proc_null", "", 2),
    _less("multiplier_area_um2", "Average multiplier", "um2"),
    _plain("multipliers", "Multipliers"),
    _less(
        "multipliers_area_um2",
        "All multipliers",
        "um2",
        formula="multipliers * multiplier_area_um2",
    ),
    _less("rest_area_um2", "Without multipliers", "um2", formula="area_um2 - multipliers_area_um2"),
    _plain(
        "multipliers_percent",
        "Multipliers' share",
        "%",
        1,
        formula="100 * multipliers_area_um2 / area_um2",
    ),
    _less("dividers_area_um2", "Dividers of the multipliers", "um2"),
    _plain(
        "dividers_percent",
        "Share of their dividers",
        "%",
        1,
        formula="100 * dividers_area_um2 / area_um2",
    ),
    _less("flip_flops", "Flip-flops"),
    _less("cell_count", "Cells"),
    _less("clock_gates", "Clock gates"),
    # FPGA resources.
    _plain("device", "Device"),
    _less("alms", "Logic modules (ALMs)"),
    _less("luts", "LUTs"),
    _less("memory_luts", "of them memory and shift registers"),
    _less("memory_blocks", "memory blocks"),
    _less("registers", "Registers"),
    _less("carry_bits", "Carry"),
    _less("tristates", "Tristate buffers"),
    # A row has a multiplier for each element, and two for the digit of the quotient.
    _less("dsps", "DSPs", formula="elements + 2"),
    # A slice of Xilinx 7 has four LUTs and eight flip-flops; as if each were full.
    _less(
        "slices",
        "Slices",
        formula="(luts / 4).where(2 * luts > registers, registers / 8)",
        printed="slices",
        note="slices",
    ),
    _less("luts_per_word", "LUTs per word", "", 1, formula="luts / elements"),
    _less("registers_per_word", "flip-flops per word", "", 1, formula="registers / elements"),
    # Power and energy.
    _less("program_power_mw", "power", "mW", 2),
    _less("program_energy_nj", "energy", "nJ", 2),
    _less("dummy_energy_nj", "energy of the dummy", "nJ", 2),
    _less(
        "dummy_power_mw",
        "power of the dummy",
        "mW",
        2,
        printed="1e3 * dummy_energy_nj / (dummy_cycles + around_cycles.median()) / clock_ns",
    ),
    _less("energy_nj", "energy", "nJ", 3, formula="program_energy_nj - dummy_energy_nj"),
    _less("energy_uj", "Energy", "uJ", 3, formula="energy_nj / 1e3"),
    _plain(
        "energy_time_ns",
        "time that energy goes into",
        "ns",
        1,
        formula=f"{_PROGRAM_TIME_NS} - {_DUMMY_TIME_NS}",
        printed="cycles * clock_ns",
    ),
    _less("power_mw", "power", "mW", 2, formula="1e3 * energy_nj / energy_time_ns"),
    *(
        _plain(f"{run}_{part}_mw", f"power of the {run}: {part}", "mW", 2)
        for run in ("program", "dummy")
        for part in ("clock", "switching", "internal", "leakage")
    ),
    *(
        _plain(
            f"{part}_mw",
            label,
            "mW",
            2,
            formula=(
                f"(program_{part}_mw * {_PROGRAM_TIME_NS} - dummy_{part}_mw * {_DUMMY_TIME_NS})"
                " / energy_time_ns"
            ),
        )
        for part, label in (
            ("clock", "clock"),
            ("switching", "other nets"),
            ("internal", "inside of cells"),
            ("leakage", "leakage"),
        )
    ),
    _plain("clock_percent", "Share of the clock", "%", 0, formula="100 * clock_mw / power_mw"),
    _less(
        "unclocked_energy_nj",
        "energy without the clock's",
        "nJ",
        2,
        formula="energy_nj - clock_mw * energy_time_ns / 1e3",
    ),
    _plain("simulated_percent", "Share of its cycles simulated", "%", 0),
    # Products.
    _less("area_time_um2_ms", "Area by time", "um2 ms", formula="area_um2 * time_ms"),
    _less("area_time_mm2_ms", "Area by time", "mm2 ms", 4, formula="area_um2 * time_ms / 1e6"),
    _less("area_time_slices_ms", "Slices by time", "slices ms", formula="slices * time_ms"),
    _less("area_time_alms_ms", "Logic modules by time", "ALMs ms", formula="alms * time_ms"),
    # What runs.
    _plain("exponent", "Exponent"),
    # What texts of documents say beside their tables.
    _plain("pipeline_stages", "pipeline stages"),
    _plain("add_reds", "AddReds"),
    _less("added_area_um2", "Area over that of another design", "um2"),
    _plain("power_naive_ratio", "power over software naive", "", 2),
    _plain("power_product_ratio", "product of the two ratios of power", "", 2),
    _plain("energy_naive_percent", "energy in percent of software naive", "%", 1),
    _plain("energy_saving_naive_ratio", "energy of software naive over it", "", 1),
    *(
        _plain(f"{end}_{resource}_over_montmul_percent", f"{resource}, {end}", "%", 0)
        for end in ("least", "most")
        for resource in ("alms", "registers")
    ),
    _plain("m_prime", "m'"),
    _plain("reduction", "Reduction of the example"),
    _plain("result", "Result of the example"),
    *(
        _plain(f"{resource}_percent", f"{resource} of the device", "%", 2)
        for resource in ("luts", "registers", "slices", "dsps")
    ),
    _plain("saved_product_cycles", "cycles less than other works'", "cycles"),
    _plain("saved_products_cycles", "cycles less than other works'", "cycles"),
    _less("logic_luts", "LUTs as logic"),
    _less("shift_register_luts", "LUTs as shift registers"),
    _less("single_port_memory_luts", "LUTs as single-port memory"),
    _less("dual_port_memory_luts", "LUTs as dual-port memory"),
    _plain("multiplexers", "Multiplexers"),
    _plain("saved_slices_percent", "slices less than the other", "%", 0),
    _plain("slowdown_ratio", "time over the other's", "", 2),
)

QUANTITIES = {quantity.key: quantity for quantity in _ALL}
"""By key."""


def find_quantity(key: str) -> Quantity:
    """Quantity of a key, with a label of its own if it is declared.

    Raises
    ------
    ValueError
        For one that is not declared; says how near ones are called.
    """
    if key in QUANTITIES:
        return QUANTITIES[key]
    from difflib import get_close_matches

    near = ", ".join(get_close_matches(key, QUANTITIES)) or ", ".join(QUANTITIES)
    raise ValueError(f"quantity {key!r} is not declared; allowed: {near}")
