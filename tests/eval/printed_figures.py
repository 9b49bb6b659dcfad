"""Printed figures of the documents: from the data file, and tables typed again for comparison."""

import json
from importlib.resources import files

DATA = json.loads(
    files("rsaxcel.eval").joinpath("data", "printed.json").read_text(encoding="utf-8")
)
FIGURES = DATA["figures"]


def one(document, subject, quantity, **about):
    """Find the figure with these properties; if it is printed several times, its first place."""
    about |= {"document": document, "subject": subject, "quantity": quantity}
    found = [x for x in FIGURES if all(x[name] == wanted for name, wanted in about.items())]
    assert len({x["value"] for x in found}) == 1, (about, found)
    return found[0]


def row(document, quantities, subject, **about):
    """Values of several quantities; None: not printed."""
    about |= {"document": document, "subject": subject}
    chosen = [x for x in FIGURES if all(x[name] == wanted for name, wanted in about.items())]
    found = {x["quantity"]: x["value"] for x in chosen}
    return tuple(found.get(quantity) for quantity in quantities)


def as_printed(figure):
    """Text of a figure as printed: number and unit."""
    unit = {"us": " us", "mhz": " MHz"}.get(figure["unit"], "")
    return figure.get("as_printed", f"{figure['value']}{unit}")


#: Typed from McNay's tables 1 and 3: four systems, encryption and decryption.
SYSTEMS = ("software_naive", "software_montgomery", "proc_mulrem_r2l", "proc_mont_r2l")
MCNAY = {
    "call_cycles": ((3532, 3590, 1071, 178), (8157, 5144, 1849, 243)),
    "cycles": ((3523, 3581, 1062, 169), (8148, 5135, 1840, 234)),
    "speedup_naive_ratio": ((None, 0.98, 3.32, 20.85), (None, 1.59, 4.43, 34.82)),
    "speedup_montgomery_ratio": ((1.02, None, 3.37, 21.19), (0.63, None, 2.79, 21.94)),
    "program_power_mw": ((3.46, 5.33, 4.55, 6.93), (3.38, 5.71, 4.20, 7.08)),
    "program_energy_nj": ((40.28, 62.87, 19.31, 10.85), (86.17, 94.03, 27.63, 12.47)),
    "dummy_energy_nj": ((4.78, 4.78, 7.78, 7.99), (4.81, 4.81, 7.80, 8.01)),
    "energy_nj": ((35.50, 58.09, 11.53, 2.86), (81.37, 89.22, 19.82, 4.46)),
}
#: Typed from Li and Chu's table 1: cycles, F, T, ALMs, Regs.
LI_CHU = {
    ("montred_r2l", 64): (4413, 42.32, 0.104, 1391, 1043),
    ("montmul_r2l", 64): (4413, 103.52, 0.043, 1018, 1112),
    ("ssmm_r2l", 64): (4076, 103.98, 0.039, 564, 874),
    ("montred_r2l", 128): (17286, 27.66, 0.625, 4982, 1354),
    ("montmul_r2l", 128): (17286, 81.31, 0.213, 1952, 1646),
    ("ssmm_r2l", 128): (16752, 81.82, 0.205, 1084, 1334),
    ("montred_r2l", 256): (67334, None, None, 71884, 2619),
    ("montmul_r2l", 256): (67334, 58.35, 1.154, 3812, 3242),
    ("ssmm_r2l", 256): (66226, 59.30, 1.117, 2130, 2667),
    ("montred_r2l", 512): (264442, None, None, None, None),
    ("montmul_r2l", 512): (264442, 37.55, 7.042, 7071, 6420),
    ("ssmm_r2l", 512): (261996, 35.82, 7.314, 4195, 5118),
    ("montred_r2l", 1024): (1053178, None, None, None, None),
    ("montmul_r2l", 1024): (1053178, 23.40, 45.008, 16237, 12772),
    ("ssmm_r2l", 1024): (1048412, 23.38, 44.842, 8863, 10809),
    ("montred_r2l", 2048): (4204630, None, None, None, None),
    ("montmul_r2l", 2048): (4204630, None, None, 27312, 24630),
    ("ssmm_r2l", 2048): (4206448, None, None, 16397, 18450),
}
#: Typed from Morales-Romero et al.'s table 4: MHz, cycles, LUTs, registers, slices, DSPs.
TABLE_4 = {
    "perin_virtex4": (110, 384, None, None, 7012, 130),
    "perin_virtex5": (130, 384, None, None, 6642, 130),
    "wang_virtex5": (120, 199, 14440, 7826, None, 66),
    "mcivor_virtex2": (104, 199, None, None, 5709, 131),
    "mrabet_artix7": (65, 66, 5242, 4208, 2072, 161),
    "mrabet_virtex5": (65, 66, 5824, 6072, None, None),
    "systolic": (100, 194, 6736, 5337, 3429, 66),
}
