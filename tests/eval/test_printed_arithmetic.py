"""Printed figures agree with the figures from which they follow, unless they have an erratum."""

from itertools import product
from math import ceil

from tests.eval.printed_figures import FIGURES, LI_CHU, SYSTEMS, one

EXACT = ("cycles", "products", "elements", "luts", "registers", "slices", "dsps", "alms", "units")


def ends(figure):
    """Least and greatest value that rounds to a printed figure."""
    if figure["unit"] in EXACT:
        return figure["value"], figure["value"]
    decimals = len(f"{figure['value']:.12g}".partition(".")[2])
    return figure["value"] - 0.5 * 10**-decimals, figure["value"] + 0.5 * 10**-decimals


def follows(figure, formula, *inputs):
    """Whether a figure agrees with a formula of other figures, all of them rounded."""
    results = [formula(*corner) for corner in product(*map(ends, inputs))]
    least, most = ends(figure)
    slack = 1e-9 * most
    return min(results) <= most + slack and least - slack <= max(results)


def wrong(checked):
    """Keys of the figures that do not agree; each has an erratum."""
    failed = [figure for figure, right in checked if not right]
    assert all("erratum" in figure for figure in failed), failed
    return {(x["subject"], x["nbits"], x["operation"], x["quantity"]) for x in failed}


def test_arithmetic_of_mcnay():
    def get(subject, quantity, **about):
        return one("mcnay_2023", subject, quantity, **about)

    checked = []

    def check(figure, formula, *inputs):
        checked.append((figure, follows(figure, formula, *inputs)))

    bases = {"speedup_naive_ratio": SYSTEMS[0], "speedup_montgomery_ratio": SYSTEMS[1]}
    dummy = get("", "dummy_cycles")
    for op, subject in product(("encrypt", "decrypt"), SYSTEMS):
        of = {"operation": op}
        cycles = get(subject, "cycles", **of)
        check(cycles, lambda a, b: a - b, get(subject, "call_cycles", **of), dummy)
        energies = [get(subject, f"{x}_energy_nj", **of) for x in ("program", "dummy")]
        check(get(subject, "energy_nj", **of), lambda a, b: a - b, *energies)
        for quantity, base in bases.items():
            if subject != base:
                speedup = get(subject, quantity, **of)
                check(speedup, lambda a, b: a / b, get(base, "cycles", **of), cycles)
        if subject != SYSTEMS[0]:
            powers = [get(x, "program_power_mw", **of) for x in (subject, SYSTEMS[0])]
            check(get(subject, "power_naive_ratio", **of), lambda a, b: a / b, *powers)
    for op in ("encrypt", "decrypt"):
        of = {"operation": op}
        overheads = [get(x, "power_naive_ratio", **of) for x in SYSTEMS[1:3]]
        check(get(SYSTEMS[3], "power_product_ratio", **of), lambda a, b: a * b, *overheads)
        energies = [get(x, "energy_nj", **of) for x in (SYSTEMS[0], SYSTEMS[3])]
        check(get(SYSTEMS[3], "energy_saving_naive_ratio", **of), lambda a, b: a / b, *energies)
    for subject in SYSTEMS[2:]:
        for quantity in bases:
            two = [get(subject, quantity, operation=op) for op in ("encrypt", "decrypt")]
            mean = get(subject, quantity, operation="average")
            check(mean, lambda a, b: (a + b) / 2, *two)
        energies = [
            get(x, "energy_nj", operation=op)
            for op in ("encrypt", "decrypt")
            for x in (subject, SYSTEMS[0])
        ]
        percent = get(subject, "energy_naive_percent")
        check(percent, lambda a, b, c, d: 50 * (a / b + c / d), *energies)

    pairs = [("proc_mulrem_r2l", "proc_null"), ("proc_mont_r2l", "proc_null")]
    for subject, base in (*pairs, ("mont_r2l", "mulrem_r2l")):
        areas = [get(x, "area_um2") for x in (subject, base)]
        check(get(subject, "area_ratio"), lambda a, b: a / b, *areas)
        check(get(subject, "added_area_um2", part=""), lambda a, b: a - b, *areas)
    multipliers = [get(x, "multiplier_area_um2") for x in ("mont_r2l", "mulrem_r2l")]
    loop, conversions, both = (
        get("mont_r2l", "added_area_um2", part=f"multipliers{x}")
        for x in (" of the loop", " of the conversions", "")
    )
    check(loop, lambda a, b: 2 * (a - b), *multipliers)
    check(conversions, lambda a: 3 * a, multipliers[0])
    check(both, lambda a, b: a + b, loop, conversions)

    assert wrong(checked) == {
        ("software_montgomery", 32, "encrypt", "power_naive_ratio"),
        ("proc_mulrem_r2l", 32, "encrypt", "power_naive_ratio"),
        ("mont_r2l", 32, "", "added_area_um2"),
    }


def test_arithmetic_of_li_and_chu():
    table = {"place": "Table 1"}

    def get(subject, quantity, **about):
        return one("li_chu", subject, quantity, **about)

    checked = []
    for (subject, nbits), values in LI_CHU.items():
        if values[2] is not None:
            of = {"nbits": nbits, **table}
            time, cycles, clock = (
                get(subject, x, **of) for x in ("time_ms", "cycles", "frequency_mhz")
            )
            checked.append((time, follows(time, lambda a, b: a / b / 1e3, cycles, clock)))
    for quantity in ("alms", "registers"):
        percents = [
            100 * LI_CHU["ssmm_r2l", nbits][column] / LI_CHU["montmul_r2l", nbits][column]
            for column in [3 if quantity == "alms" else 4]
            for nbits in (64, 128, 256, 512, 1024)  # the widths with a clock
        ]
        for which, percent in (("least", min(percents)), ("most", max(percents))):
            figure = get("ssmm_r2l", f"{which}_{quantity}_over_montmul_percent")
            least, most = ends(figure)
            checked.append((figure, least <= percent <= most))
    assert wrong(checked) == {("ssmm_r2l", None, "", "least_registers_over_montmul_percent")}


def test_the_example_of_li_and_chu():
    m = 291173165596690131543379395216261834371
    exponents = {
        "encrypt": 78624383815806095082831236375207684303,
        "decrypt": 232543530691965449749356023879307323711,
    }
    bases = {
        "encrypt": 179441695220040973036856247560209845703,
        "decrypt": 212957456342734650649396939600336433714,
    }
    results = [x for x in FIGURES if x["quantity"] == "result"]
    assert len(results) == 4
    for figure in results:
        operation = figure["operation"]
        assert int(figure["value"]) == pow(bases[operation], exponents[operation], m)
    z, r = 14579150005006265062948136954012885300, 2**128
    assert int(one("li_chu", "", "reduction")["value"]) == z * pow(r, -1, m) % m
    m_prime = int(one("li_chu", "", "m_prime")["value"])
    assert (m * m_prime + 1) % r == 0 > m_prime


def test_arithmetic_of_morales_romero():
    def get(subject, quantity, **about):
        return one("morales_romero", subject, quantity, **about)

    checked = []
    resources = ("luts", "registers", "slices", "dsps")
    places = {"Table 1": 512, "Table 2": 1024, "Table 3": 2048, "Table 5": 1024}
    for (place, nbits), quantity in product(places.items(), resources):
        subject = "systolic_l2r_always" if place == "Table 5" else "systolic"
        of = {"place": place}
        used, available = get(subject, quantity, **of), get("xc7a100t", quantity, **of)
        percent = get(subject, f"{quantity}_percent", **of)
        assert used["nbits"] == nbits
        checked.append((percent, follows(percent, lambda a, b: 100 * a / b, used, available)))
    for nbits in (512, 1024, 2048):
        elements = get("systolic", "elements", nbits=nbits)
        assert elements["value"] == nbits // 16
        dsps = get("systolic", "dsps", nbits=nbits)
        checked.append((dsps, follows(dsps, lambda n: n + 2, elements)))
        cycles = get("systolic", "product_cycles", nbits=nbits)
        checked.append((cycles, follows(cycles, lambda n: 3 * n + 2, elements)))
    assert get("systolic", "dsps", nbits=4096)["value"] == 4096 // 16 + 2

    ours = get("systolic", "product_cycles", nbits=1024)
    other = get("wang_virtex5", "product_cycles")
    count = get("systolic_l2r_always", "products")
    saved = get("systolic", "saved_product_cycles")
    checked.append((saved, follows(saved, lambda a, b: a - b, other, ours)))
    totals = [get(x, "products_cycles") for x in ("systolic_l2r_always", "mcivor_wang")]
    for total, cycles in zip(totals, (ours, other), strict=True):
        checked.append((total, follows(total, lambda a, b: a * b, count, cycles)))
    saved = get("systolic_l2r_always", "saved_products_cycles")
    checked.append((saved, follows(saved, lambda a, b: b - a, *totals)))
    assert count["value"] == 2 * 1024 + 2
    assert wrong(checked) == set()


def _what_follows_for_cilardo(digit, get):
    """Check what the errata, the page on the documents and the report derive from figure 17.3."""
    stages = ("memory", "adder", "write")
    kinds = ("logic", "dual_port_memory", "single_port_memory", "shift_register")

    def of(quantity, part):
        return get(quantity, choices={"digit_nbits": digit}, part=part)["value"]

    slices = {x: of("slices", x) for x in stages}
    full = {x: max(sum(of(f"{y}_luts", x) for y in kinds), of("registers", x)) / 2 for x in stages}
    at = (32, 64, 128, 256).index(digit)
    assert sum(map(ceil, full.values())) == (923, 927, 1312, 2215)[at]
    assert round(slices["write"] / full["write"], 1) == 1.3
    assert of("dual_port_memory_luts", "memory") == 4096 // 16 * 2
    assert of("single_port_memory_luts", "memory") == 4096 // 16
    assert of("dual_port_memory_luts", "write") == 2 * 32 * digit // 16 * 2
    if digit == 32:
        assert (full["memory"], full["adder"]) == (slices["memory"], slices["adder"])

    whole = sum(slices.values())
    device = {x: get(x, "xcv2000e")["value"] for x in ("slices", "tristates")}
    buffers = sum(of("tristates", x) for x in stages)
    assert device["slices"] // whole == (19, 16, 10, 6)[at]
    assert device["tristates"] // buffers == (43, 9, 4, 2)[at]
    # without the Z-processor: half of adder and last stage; 22 products for 19, or half more
    kept = (slices["memory"] + (slices["adder"] + slices["write"]) / 2) / whole
    assert round(kept * 22 / 19, 2) == (0.94, 0.85, 0.79, 0.69)[at]
    assert round(kept * 1.5, 2) == (1.22, 1.11, 1.03, 0.89)[at]


def test_arithmetic_of_cilardo():
    def get(quantity, subject="digit_serial_r2l", **about):
        return one("cilardo", subject, quantity, **about)

    checked = []
    for digit in (32, 64, 128, 256):
        choices = {"digit_nbits": digit}
        whole = {"choices": choices, "place": "Figure 17.4"}
        period, slices, cycles, time, area_time = (
            get(x, **whole)
            for x in ("min_period_ns", "slices", "cycles", "time_ms", "area_time_slices_ms")
        )
        checked.append((time, follows(time, lambda a, b: a * b / 1e6, cycles, period)))
        checked.append((area_time, follows(area_time, lambda a, b: a * b, slices, time)))
        words = ceil(1026 / digit)
        products = 19 * (2 * words + 2 + 1027 * words)
        checked.append((cycles, cycles["value"] == products + words + words + 1))

        stages = [{"choices": choices, "part": x} for x in ("memory", "adder", "write")]
        parts = [get("slices", **stage) for stage in stages]
        checked.append((slices, follows(slices, lambda a, b, c: a + b + c, *parts)))
        periods = [get("min_period_ns", **stage) for stage in stages]
        checked.append((period, follows(period, max, *periods)))
        kinds = ("logic", "dual_port_memory", "single_port_memory", "shift_register")
        for stage, part in zip(stages, parts, strict=True):
            luts = sum(get(f"{x}_luts", **stage)["value"] for x in kinds)
            # a slice has two LUTs and two registers
            assert part["value"] >= max(luts, get("registers", **stage)["value"]) / 2
        _what_follows_for_cilardo(digit, get)

    of = {"choices": {"digit_nbits": 256}, "place": "Figure 17.4"}
    slower, saved = get("slowdown_ratio"), get("saved_slices_percent")
    times = get("time_ms", **of), get("time_ms", "blum_paar_fastest")
    checked.append((slower, follows(slower, lambda a, b: a / b, *times)))
    areas = get("slices", **of), get("slices", "blum_paar_fastest")
    checked.append((saved, follows(saved, lambda a, b: 100 * (1 - a / b), *areas)))
    assert wrong(checked) == {("digit_serial_r2l", 1024, "encrypt", "time_ms")}
