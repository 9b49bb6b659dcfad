"""Quantities: key, label, digits and formula of every figure; ratios in words."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from math import floor, log10
from typing import Literal

Better = Literal["less", "more", ""]

#: Unit by the end of a quantity's key. If several ends match, the longest one applies.
_UNITS = {x: x for x in ("ns", "us", "ms", "cycles", "um2", "mm")}
_UNITS |= {"mhz": "MHz", "percent": "%", "mw": "mW", "nj": "nJ", "uj": "uJ", "kum2": "1000 um2"}
_UNITS |= {"um2_ms": "um2 ms", "mm2_ms": "mm2 ms", "slices_ms": "slices ms", "alms_ms": "ALMs ms"}
_UNITS |= {"um2_ns": "um2 ns", "alms_s": "ALMs s", "seconds": "s"}
_ON_PAPER = {"um2": "µm²", "mm2": "mm²", "us": "µs", "uJ": "µJ"}


def on_paper(unit: str) -> str:
    """Write a unit for print, such as ``µm²``; factors of a product are separated by spaces."""
    return " ".join(_ON_PAPER.get(factor, factor) for factor in unit.split())


def enough_digits(value: float, digits: int) -> int:
    """Return the number of decimals: ``digits``, or two significant ones if the figure is small.

    With ``digits=3``, 0.0024 is ``0.0024``, not ``0.002``. ``digits`` below 2 is returned as it is.
    """
    if digits < 2 or not value or abs(value) >= 10.0 ** (1 - digits):
        return digits
    return 1 - floor(log10(abs(value)))


@dataclass(frozen=True)
class Quantity:
    """A quantity that figures can have, such as cell area: its names, digits and formula."""

    key: str  #: key in facts and files, unit included
    label: str
    digits: int = 0
    #: formula for DataFrame.eval over quantities of the same subject and operation
    formula: str = ""
    printed: str = ""  #: formula over printed figures, if it differs from `formula`
    better: Better = ""  #: better direction; empty: neither
    note: str = ""  #: key of a note (eval.report.spec) for tables with a measured figure

    @property
    def unit(self) -> str:
        """Unit in ASCII letters, such as ``um2 ms``; empty for counts, ratios and texts."""
        words = self.key.split("_")
        ends = ("_".join(words[i:]) for i in range(len(words)))
        return next((_UNITS[end] for end in ends if end in _UNITS), "")

    def rule(self, printed: bool) -> str:
        """Return the formula to use for printed figures (``printed``), or for measured figures."""
        return (self.printed if printed else "") or self.formula

    def text(self, value: float | str | None, digits: int | None = None) -> str:
        if value is None:
            return "-"
        if isinstance(value, str):
            return value
        return f"{value:,.{self.digits if digits is None else digits}f}"

    @property
    def heading(self) -> str:
        """Label with unit, for the axes of plots; without unit if the label has it already."""
        if not self.unit or self.unit in self.label.lower().split():
            return self.label
        return f"{self.label} ({on_paper(self.unit)})"


#: Parts of a power; the quantity of the part clock is clock_mw.
POWERS = {
    "clock": "clock",
    "switching": "other nets",
    "internal": "inside of cells",
    "leakage": "leakage",
}

#: Parts of an energy, as in flow.power.figures.PARTS; the quantity of the part clock is
#: energy_clock_nj.
ENERGY_PARTS = {
    "clock": "clock",
    "registers": "inside of registers",
    "combinational": "inside of gates",
    "wires": "nets",
    "leakage": "leakage",
    "registers_glitches": "registers, by glitches",
    "combinational_glitches": "gates, by glitches",
    "wires_glitches": "nets, by glitches",
}

#: Labels of the figures of a placed circuit that stand in ``physical`` of its record.
LAYOUT_FIGURES = {
    "wire_length_mm": "Length of wires",
    "clock_area_um2": "Area of clock buffers and clock gates",
    "clock_buffers": "Buffers of the clock tree",
    "hold_buffers": "Buffers that keep hold times",
    "skew_ns": "Skew of the clock",
    "hold_slack_ns": "Worst hold slack",
}


def _less(
    key: str, label: str, digits: int = 0, formula: str = "", printed: str = "", note: str = ""
) -> Quantity:
    return Quantity(key, label, digits, formula, printed, "less", note)


def _more(key: str, label: str, digits: int, formula: str) -> Quantity:
    return Quantity(key, label, digits, formula, better="more")


_plain = Quantity
_PROGRAM_NS = "1e3 * program_energy_nj / program_power_mw"
_DUMMY_NS = "1e3 * dummy_energy_nj / dummy_power_mw"
_LOWER_NJ = "program_energy_lower_nj - dummy_energy_lower_nj"
_UPPER_NJ = "program_energy_upper_nj - dummy_energy_upper_nj"
_GLITCH_SHARE = "100 * glitch_energy_nj / energy_nj"
_PART_NJ = "program_energy_{0}_nj - dummy_energy_{0}_nj"
_OWN_NS = f"{_PROGRAM_NS} - {_DUMMY_NS}"
_OWN_MW = f"(program_{{0}}_mw * {_PROGRAM_NS} - dummy_{{0}}_mw * {_DUMMY_NS}) / energy_time_ns"
_UNCLOCKED_NJ = "energy_nj - clock_mw * energy_time_ns / 1e3"
_PRODUCT_US, _PRINTED_PRODUCT_US = (
    "product_cycles * period_ns / 1e3",
    "product_cycles / frequency_mhz",
)
_ATTACHMENT_UM2 = "accelerator_area_um2 - exponentiator_area_um2"
_ATTACHED = "accelerator_area_um2 / exponentiator_area_um2"
_PERFORMANCE = "performance in million operations per second"
#: 1 if the clock constraint is met, 0 if not; NaN if one of the two periods is missing.
_MET = "(1.0 * (min_period_ns <= clock_ns)).where(min_period_ns * clock_ns > 0)"
_SLOWER_NS = "clock_ns.where(clock_ns > min_period_ns, min_period_ns)"
#: Documents print the clock that they used, or the smallest period, seldom both.
_PRINTED_PERIOD_NS = "clock_ns.where(clock_ns > 0, min_period_ns)"
#: A slice of Xilinx 7 has four LUTs and eight flip-flops; the formula assumes full slices.
_FULL_SLICES = "(luts / 4).where(2 * luts > registers, registers / 8)"
_DUMMY_MW = "1e3 * dummy_energy_nj / (dummy_cycles + around_cycles.median()) / clock_ns"
_PROJECTED = {"alms": "alms", "area": "area_um2", "min_period": "min_period_ns"}
_PROJECTED_PRODUCT_US = "product_cycles * projected_min_period_ns / 1e3"

#: Formulas are evaluated in this order: a formula can use a computed quantity that stands before
#: it.
_ALL = (
    _plain("clock_ns", "Clock constraint", 2),
    _less("min_period_ns", "Smallest clock period", 3, printed="1e3 / frequency_mhz"),
    _less("period_ns", "Period used", 3, _SLOWER_NS, _PRINTED_PERIOD_NS),
    _more("frequency_mhz", "Frequency", 2, "1e3 / min_period_ns"),
    _less("critical_path_ns", "Critical path", 3),
    _plain("critical_path", "Ends of the critical path"),
    _plain("meets_clock", "Constraint met", 0, _MET),
    _less("program_cycles", "whole program", printed=f"{_PROGRAM_NS} / clock_ns"),
    _less("call_cycles", "call"),
    _less("dummy_cycles", "call of the dummy"),
    _less("loaded_call_cycles", "call, key loaded"),
    _less("key_cycles", "key set-up", 0, "call_cycles - loaded_call_cycles"),
    _less("cycles", "Cycles", 0, "call_cycles - dummy_cycles"),
    _plain("around_cycles", "around the call", 0, "program_cycles - call_cycles"),
    _less("document_handshake_cycles", "Cycles with the document's handshake"),
    _less("load_cycles", "loading of operands before the request"),
    _less("bare_cycles", "operation on the bus, without padding"),
    _less("padded_cycles", "operation on the bus, with padding"),
    _less("product_cycles", "cycles between dependent products"),
    _plain("products", "products"),
    _less("products_cycles", "cycles of the products", 0, "products * product_cycles"),
    _less("control_cycles", "cycles of control", 0, "cycles - products_cycles"),
    _plain("elements", "elements, one for each word"),
    _less("time_us", "Time", 3, "cycles * period_ns / 1e3"),
    _less("time_ms", "Time", 3, "time_us / 1e3", "cycles / frequency_mhz / 1e3"),
    _less("product_at_100_mhz_us", "at 100 MHz", 3, "product_cycles / 100"),
    _less("product_us", "Time of a product", 3, _PRODUCT_US, _PRINTED_PRODUCT_US),
    _more("operations_per_s", "Operations per second", 0, "1e9 / (cycles * period_ns)"),
    _more("performance_mops", _PERFORMANCE, 3, "operations_per_s / 1e6"),
    _plain("speedup_naive_ratio", "over software naive", 2),
    _plain("speedup_montgomery_ratio", "over software montgomery", 2),
    _less("area_um2", "Cell area"),
    _less("area_kum2", "cell area", 1, "area_um2 / 1e3"),
    _less("core_area_um2", "Core area"),
    _plain("utilisation_percent", "Area of the cells over that of the core", 1),
    *(_plain(x, label, 0 if x.endswith("_buffers") else 3) for x, label in LAYOUT_FIGURES.items()),
    _less("processor_area_um2", "Processor"),
    _less("accelerator_area_um2", "Accelerator with adapter"),
    _less("exponentiator_area_um2", "Exponentiator"),
    _less("registers_area_um2", "Registers of the adapter"),
    _less("attachment_area_um2", "Adapter, with bridge and interrupt", 0, _ATTACHMENT_UM2),
    _plain("attached_ratio", "Accelerator with adapter, over the exponentiator", 3, _ATTACHED),
    _plain("area_ratio", "Area over that of proc_null", 2),
    _less("multiplier_area_um2", "Average multiplier"),
    _plain("multipliers", "Multipliers"),
    _less("multipliers_area_um2", "All multipliers", 0, "multipliers * multiplier_area_um2"),
    _plain("loop_multipliers", "Multipliers of the loop"),
    _plain("conversion_multipliers", "Multipliers of the conversions"),
    _less(
        "loop_multipliers_area_um2",
        "Multipliers of the loop",
        0,
        "loop_multipliers * multiplier_area_um2",
    ),
    _less(
        "conversion_multipliers_area_um2",
        "Multipliers of the conversions",
        0,
        "conversion_multipliers * multiplier_area_um2",
    ),
    _less("rest_area_um2", "Without multipliers", 0, "area_um2 - multipliers_area_um2"),
    _plain("multipliers_percent", "Multipliers' share", 1, "100 * multipliers_area_um2 / area_um2"),
    _less("dividers_area_um2", "Dividers of the multipliers"),
    _plain(
        "dividers_percent",
        "Share of the multipliers' dividers",
        1,
        "100 * dividers_area_um2 / area_um2",
    ),
    _less("flip_flops", "Flip-flops"),
    _less("cell_count", "Cells"),
    _less("clock_gates", "Clock gates"),
    _plain("device", "Device"),
    _less("alms", "Logic modules (ALMs)"),
    _less("luts", "LUTs"),
    _less("memory_luts", "LUTs as memory and shift registers"),
    _less("memory_blocks", "memory blocks"),
    _less("registers", "Registers"),
    _less("carry_bits", "Carry bits"),
    _less("tristates", "Tristate buffers"),
    # A systolic array has one DSP block for each of its elements, and two for the quotient's digit.
    _less("dsps", "DSPs", 0, "elements + 2"),
    _less("slices", "Slices", 0, _FULL_SLICES, "slices", "slices"),
    _plain("processors", "Processors on a device that they fill"),
    _less("luts_per_word", "LUTs per word", 1, "luts / elements"),
    _less("registers_per_word", "flip-flops per word", 1, "registers / elements"),
    _less("program_power_mw", "power", 2),
    _less("program_energy_lower_nj", "energy without glitches", 2),
    _less("dummy_energy_lower_nj", "energy of the dummy without glitches", 2),
    _less("program_energy_nj", "energy", 2),
    _less("dummy_energy_nj", "energy of the dummy", 2),
    _less("dummy_power_mw", "power of the dummy", 2, printed=_DUMMY_MW),
    _less("energy_nj", "energy", 3, "program_energy_nj - dummy_energy_nj"),
    _less("energy_lower_nj", "energy without glitches", 3, _LOWER_NJ),
    _less("program_energy_upper_nj", "energy with all pulses", 2),
    _less("dummy_energy_upper_nj", "energy of the dummy with all pulses", 2),
    _less("energy_upper_nj", "energy with all pulses", 3, _UPPER_NJ),
    # Energy of a call on a system, without the dummy; energy of a design alone:
    # flow/nodes/power.py.
    _less("glitch_factor", "glitch factor", 3, "energy_nj / energy_lower_nj"),
    _less("glitch_energy_nj", "energy of glitches", 3, "energy_nj - energy_lower_nj"),
    _plain("timed_percent", "Share of the cycles in which gates have delays", 1),
    _plain("glitch_error_percent", "Standard error of the glitches' energy", 2),
    _less("loaded_energy_nj", "energy of the call, key loaded", 3),
    _less("key_energy_nj", "energy of the key set-up", 3, "energy_nj - loaded_energy_nj"),
    _less("energy_uj", "Energy", 3, "energy_nj / 1e3"),
    _plain("energy_time_ns", "time in which the energy is spent", 1, _OWN_NS, "cycles * clock_ns"),
    _less("power_mw", "power", 2, "1e3 * energy_nj / energy_time_ns"),
    *(_plain(f"program_{x}_mw", f"power of the program: {x}", 2) for x in POWERS),
    *(_plain(f"dummy_{x}_mw", f"power of the dummy: {x}", 2) for x in POWERS),
    *(_plain(f"{x}_mw", label, 2, _OWN_MW.format(x)) for x, label in POWERS.items()),
    *(
        _less(f"{run}_energy_{x}_nj", f"energy of the {run}: {label}", 3)
        for run in ("program", "dummy")
        for x, label in ENERGY_PARTS.items()
    ),
    *(
        _less(f"energy_{x}_nj", f"energy: {label}", 3, _PART_NJ.format(x))
        for x, label in ENERGY_PARTS.items()
    ),
    _plain("glitch_percent", "Share of glitches in the energy", 1, _GLITCH_SHARE),
    _plain("glitch_module", "Module that wastes most in glitches"),
    _plain("glitch_module_percent", "Share of this module in the energy of all glitches"),
    _less("glitch_depth", "Gates that a glitch has passed, mean by energy", 1),
    _plain("glitch_chain", "Chain of gates in which glitches waste most"),
    _less("glitch_chain_gates", "Gates in the chain"),
    _plain("glitch_chain_percent", "Share of this chain's source in the energy of all glitches"),
    _less("glitch_chain_end_glitches", "Glitches per cycle at the end of the chain", 2),
    _plain("clock_percent", "Share of the clock", 0, "100 * clock_mw / power_mw"),
    _less("unclocked_energy_nj", "energy without that of the clock", 2, _UNCLOCKED_NJ),
    _plain("simulated_percent", "Share of the cycles that are simulated"),
    _less("area_time_um2_ms", "Area by time", 0, "area_um2 * time_ms"),
    _less("area_time_mm2_ms", "Area by time", 4, "area_um2 * time_ms / 1e6"),
    _less("core_area_time_um2_ms", "Core area by time", 0, "core_area_um2 * time_ms"),
    _less("core_area_time_mm2_ms", "Core area by time", 4, "core_area_um2 * time_ms / 1e6"),
    _less("area_time_slices_ms", "Slices by time", 0, "slices * time_ms"),
    _less("area_time_alms_ms", "Logic modules by time", 0, "alms * time_ms"),
    _less("area_delay_um2_ns", "Area by critical path", 0, "area_um2 * critical_path_ns"),
    _less(
        "product_area_time_alms_s",
        "Logic modules by time of a product",
        5,
        "alms * product_us / 1e6",
    ),
    _plain("exponent", "Exponent"),
    _plain("corner", "Corner of the library"),
    _plain("tools", "Tools"),
    _less("synthesis_cpu_seconds", "Processor time of translation, synthesis and timing", 1),
    _less("flow_cpu_seconds", "Processor time of the whole flow", 1),
    _plain("pipeline_stages", "pipeline stages"),
    _plain("add_reds", "AddReds"),
    _less("added_area_um2", "Area minus that of another design"),
    _plain("power_naive_ratio", "power over software naive", 2),
    _plain("power_product_ratio", "product of the two ratios of power", 2),
    _plain("energy_naive_percent", "energy in percent of software naive", 1),
    _plain("energy_saving_naive_ratio", "energy of software naive over this energy", 1),
    *(
        _plain(f"{end}_{resource}_over_montmul_percent", f"{resource}, {end}")
        for end in ("least", "most")
        for resource in ("alms", "registers")
    ),
    _plain("m_prime", "m'"),
    _plain("reduction", "Reduction of the example"),
    _plain("result", "Result of the example"),
    *(
        _plain(f"{resource}_percent", f"{resource} of the device", 2)
        for resource in ("luts", "registers", "slices", "dsps")
    ),
    _plain("saved_product_cycles", "cycles of a product saved against other works"),
    _plain(
        "saved_products_cycles",
        "cycles of all products saved against other works",
        0,
        "products * saved_product_cycles",
    ),
    _less("logic_luts", "LUTs as logic"),
    _less("shift_register_luts", "LUTs as shift registers"),
    _less("single_port_memory_luts", "LUTs as single-port memory"),
    _less("dual_port_memory_luts", "LUTs as dual-port memory"),
    _plain("multiplexers", "Multiplexers"),
    _plain("saved_slices_percent", "slices saved against another work"),
    _plain("slowdown_ratio", "time over that of another design", 2),
    _plain("saved_plain_percent", "time saved against products modulo m itself", 1),
    _plain("saved_direct_percent", "time saved against direct products", 1),
    _plain("saved_lanes_percent", "time saved against two multipliers"),
    _plain("frequency_ratio", "frequency over that of other designs", 1),
    # Numbers that the plan of a compressor tree gives without synthesis.
    _less("tree_bits", "Bits of the matrix, by the plan"),
    _less("tree_cells", "Cells of the tree, by the plan"),
    _less("tree_units", "Unit gates of tree and final adder, by the plan"),
    _less("tree_delay_units", "Unit gates on the longest path, by the plan"),
    _less("unit_gate_um2", "Cell area for each unit gate", 3),
    # Divisor for a product: a figure divided by one of these is the figure times the logic modules.
    _plain("per_million_alms", "Million over logic modules", 3, "1e6 / alms"),
    _less("projected_alms", "Logic modules (ALMs), projected"),
    _less("projected_area_um2", "Cell area, projected"),
    _less("projected_min_period_ns", "Smallest clock period, projected", 1),
    _more("projected_frequency_mhz", "Frequency, projected", 2, "1e3 / projected_min_period_ns"),
    _less("projected_product_us", "Time of a product, projected", 3, _PROJECTED_PRODUCT_US),
    _less("projected_time_us", "Time, projected", 3, "cycles * projected_min_period_ns / 1e3"),
    _plain(
        "projected_per_million_alms",
        "Million over logic modules, projected",
        3,
        "1e6 / projected_alms",
    ),
    _plain("projected_factor", "uncertainty of the projection, as a factor", 2),
    *(
        _plain(f"projected_{x}_factor", "uncertainty of the projection, as a factor", 2)
        for x in _PROJECTED
    ),
)

#: by projectable quantity: keys of the projected quantity and of its uncertainty as a factor
PROJECTED = {
    key: (f"projected_{key}", f"projected_{name}_factor") for name, key in _PROJECTED.items()
}

_PROJECTED_PREFIX = "projected_"

QUANTITIES = {quantity.key: quantity for quantity in _ALL}


def is_projected(key: str) -> bool:
    """Whether a quantity comes from a fit to other widths, or a figure in its formula does."""
    return key.startswith(_PROJECTED_PREFIX)


def find_quantity(key: str) -> Quantity:
    """Find a quantity by key; ``ValueError`` suggests similar ones."""
    if key in QUANTITIES:
        return QUANTITIES[key]
    near = ", ".join(get_close_matches(key, QUANTITIES)) or ", ".join(QUANTITIES)
    raise ValueError(f"quantity {key!r} is not declared; allowed: {near}")


_TIMES = 1.5
_EQUAL = 0.0005


def compared(value: float, base: float) -> str:
    """Difference from a base in percent, or as a factor of 1.5 or more; a dash unless above 0."""
    if not (value > 0 and base > 0):
        return "-"
    ratio = max(value, base) / min(value, base)
    word = "more" if value > base else "less"
    if ratio - 1 < _EQUAL:
        return "the same"
    if ratio < _TIMES:
        percent = 100 * abs(value - base) / base
        return f"{percent:.1f} % {word}"
    return f"{times(ratio)} {word}"


def times(ratio: float) -> str:
    """Text of a factor above 1 with two digits, such as ``2.3 times``."""
    return f"{ratio:,.{max(0, 1 - floor(log10(ratio)))}f} times"
