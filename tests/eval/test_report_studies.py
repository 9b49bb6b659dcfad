"""Studies on made-up figures: cells are checked by hand; none is empty, lost or contradictory."""

from collections import Counter

import pytest

from rsaxcel.eval.facts.printed import printed
from rsaxcel.eval.report.fidelity import total
from rsaxcel.eval.report.names import label_of
from rsaxcel.eval.report.spec import Layouts, Parts, Plot, ReportTable
from rsaxcel.eval.studies import STUDIES, cilardo, li_chu, morales_romero, vassoler
from tests.eval.made_up_report import Report

# All tests of the report run on one worker, which makes the report of all documents once.
pytestmark = pytest.mark.xdist_group("report")

BASE_OF_ITS_TABLE = {("li_chu_ratios", "montmul_r2l")}
#: Designs without a point: not built at this width, or printed without DSP blocks.
NO_POINTS = {("li_chu_1024_bits", "montred_r2l"), ("morales_romero_products", "mrabet_virtex5")}
DIGITS = [f"S_{n}" for n in cilardo.DIGITS]
OTHERS = list(morales_romero.OTHERS)
PM_BESIDE = [f"{x}, cm_pm_r2l" for x in ("xcel", "bus, polling", "bus, interrupt")]
BESIDE = ["xcel", "bus, polling", "bus, interrupt"]
ROW = ["510_bits", "512_bits", "1022_bits", "1024_bits", "2046_bits", "2048_bits"]

NARROWED = ("li_chu", "morales_romero", "cilardo", "vassoler", "private_operation")
"""Documents whose tables up to 512 bits ``test_width_is_limited`` lists."""


def specified(kind: type):
    """Yield the blocks of all studies, with study and section."""
    for study in STUDIES:
        for section in study.sections:
            for block in section.blocks:
                if isinstance(block, kind):
                    yield study, section, block


@pytest.mark.parametrize(
    ("table", "key", "columns", "expected"),
    [
        # n^2 cycles, three quarters of that for shift-sub; n more with the document's handshake
        ("li_chu_cycles", "1024_bits_cycles", ["ssmm_r2l"], [(0.75 * 1024**2, 1048412)]),
        ("li_chu_cycles", "128_bits_document_handshake_cycles", ["montmul_r2l"], [(16512, 17286)]),
        ("li_chu_cycles", "128_bits_document_handshake_cycles_deviation_percent",
         ["montmul_r2l", "montmul_csa_r2l"], [100 * (16512 / 17286 - 1), None]),
        # 4 ns at 1024 bits, 2.5 ns below
        ("li_chu_timing", "128_bits_time_ms", ["montmul_r2l"], [(128**2 * 2.5e-6, 0.213)]),
        ("li_chu_timing", "1024_bits_time_ms", ["montmul_r2l"], [(1024**2 * 4e-6, 45.008)]),
        ("li_chu_timing", "1024_bits_frequency_mhz", ["ssmm_r2l"], [(250, 23.38)]),
        ("li_chu_area", "256_bits_alms", ["montmul_r2l"], [(1280, 3812)]),
        ("li_chu_area", "256_bits_registers", ["ssmm_r2l"], [(1792, 2667)]),
        ("li_chu_area", "256_bits_flip_flops", ["ssmm_r2l"], [(1536, 2667)]),
        ("li_chu_area", "256_bits_alms", ["montred_r2l"], [(1280, 71884)]),
        ("li_chu_ratios", "1024_bits_alms_over_montmul_r2l_percent",
         ["ssmm_r2l"], [(60, 100 * 8863 / 16237)]),
        ("li_chu_ratios", "1024_bits_flip_flops_over_montmul_r2l_percent",
         ["ssmm_r2l"], [(75, 100 * 10809 / 12772)]),
        ("li_chu_ratios", "1024_bits_time_ms_over_montmul_r2l_percent",
         ["ssmm_r2l"], [(75, 100 * 44.842 / 45.008)]),
        ("li_chu_ratios", "1024_bits_area_time_um2_ms_over_montmul_r2l_percent",
         ["ssmm_r2l"], [(37.5, 100 * 8863 * 44.842 / 16237 / 45.008)]),
        ("li_chu_ratios", "1024_bits_area_um2_over_montmul_r2l_percent", ["ssmm_r2l"], [50]),
        # as printed, with the same made-up figures
        ("li_chu_printed_ratios", "1024_bits_alms_over_montmul_r2l_as_printed_percent",
         ["ssmm_r2l_as_printed"], [(60, 100 * 8863 / 16237)]),
        ("li_chu_abstract", "1024_bits_least_alms_over_montmul_percent",
         ["ssmm_r2l_as_printed"], [(60, 55)]),
        ("li_chu_abstract", "1024_bits_most_registers_over_montmul_percent",
         ["ssmm_r2l_as_printed"], [(100, 85)]),
        # 3 mW for 1000 cycles of 4 ns
        ("li_chu_energy", "1024_bits_decrypt_energy_uj", ["ssmm_r2l"], [0.012]),
        ("li_chu_energy", "1024_bits_decrypt_simulated_percent", ["ssmm_r2l"], [25]),
        ("li_chu_calls", "decrypt_cycles", list(li_chu.CALLS), [90_000, 60_000, 3_000, 2_000]),
        ("li_chu_calls", "encrypt_1024_bits_speedup_software_montgomery", list(li_chu.CALLS),
         [2 / 3, None, 20, 30]),
        # the cycles of a product equal the width of its operands
        ("morales_romero_multiplier", "product_product_cycles", ROW,
         [(510, 98), (512, 98), (1022, 194), (1024, 194), (2046, 386), (2048, 386)]),
        ("morales_romero_multiplier", "elements", ROW,
         [(32, 32), (33, 32), (64, 64), (65, 64), (128, 128), (129, 128)]),
        ("morales_romero_multiplier", "dsps", ["4094_bits", "4096_bits"], [(258, 258), (259, 258)]),
        ("morales_romero_multiplier", "luts", ROW[:3], [(5100, 3098), (5120, 3098), (10220, 6736)]),
        # slices are full, with four LUTs each
        ("morales_romero_multiplier", "slices", ["512_bits"], [(1280, 1471)]),
        ("morales_romero_comparison", "dsps", OTHERS,
         [(None, x) for x in (130, 130, 66, 131, 161, None)]),
        ("morales_romero_comparison", "device", ["1022_bits", "wang_virtex5"],
         [("made-up FPGA", "Artix-7"), (None, "Virtex-5")]),
        ("morales_romero_comparison", "product_product_at_100_mhz_us", ["1022_bits", *OTHERS],
         [(10.22, 194 / 100), *((None, cycles / mhz) for cycles, mhz in
          ((384, 110), (384, 130), (199, 120), (199, 104), (66, 65), (66, 65)))]),
        # there is no circuit of 1022 bits in standard cells
        ("morales_romero_comparison", "product_product_us", ["1022_bits", "1024_bits", OTHERS[0]],
         [None, 4.096, None]),
        ("morales_romero_exponentiation", "decrypt_products_cycles",
         ["1022_bits", "1024_bits", "mcivor_wang"],
         [(2050 * 1022, 397700), (2050 * 1024, 397700), (2050 * 199, 407950)]),
        ("morales_romero_exponentiation", "decrypt_saved_products_cycles", ["1022_bits"],
         [(2050 * (199 - 1022), 10250)]),
        ("morales_romero_comparison", "product_saved_product_cycles", ["1024_bits"],
         [(199 - 1024, 5)]),
        ("morales_romero_multiplier", "luts_percent", ["510_bits", "512_bits"],
         [(100 * 5100 / 63400, 4.89), (100 * 5120 / 63400, 4.89)]),
        ("morales_romero_exponentiation", "exponentiation_slices_percent", ["1024_bits"],
         [(100 * 2560 / 15850, 26.83)]),
        ("morales_romero_exponentiation", "decrypt_control_cycles", ["1022_bits"], [7]),
        ("morales_romero_exponentiation", "decrypt_cycles", ["1024_bits"], [2099207]),
        ("morales_romero_exponentiation", "exponentiation_registers",
         ["1024_bits"], [(5120, 9499)]),
        ("morales_romero_cells", "decrypt_cells_time_ms", ["256_bits", "1024_bits"],
         [0.0025, 0.004]),
        ("morales_romero_cells", "decrypt_cells_area_um2", ["512_bits"], [51_200]),
        # a second lane halves the cycles, and so do digits of twice the width
        ("cilardo_encryption", "cycles_lanes_2", DIGITS,
         [(100, 645288), (50, 332440), (25, 176016), (12, 97804)]),
        ("cilardo_encryption", "cycles_lanes_1", DIGITS, [200, 100, 50, 24]),
        ("cilardo_encryption", "time_ms_lanes_2", DIGITS,
         [(4e-4, 5.64), (2e-4, 3.86), (1e-4, 3.27), (0.48e-4, 2.99)]),
        ("cilardo_encryption", "area_time_um2_ms_percent_lanes_2", DIGITS[1:],
         [(50, 100 * 4586 / 5612), (25, 100 * 6115 / 5612), (12, 100 * 8677 / 5612)]),
        ("cilardo_fpga", "luts_lanes_1", DIGITS, [320, 640, 1280, 2560]),
        # engine and memory have as many LUTs each as the digit has bits
        ("cilardo_stages", "logic_luts_memory", DIGITS[:2], [(64, 486), (128, 108)]),
        ("cilardo_stages", "registers_interface", DIGITS[:1], [160]),
        ("cilardo_stages", "min_period_ns_adder", DIGITS[:2], [(None, 7.4), (None, 11.6)]),
        # the flow measures the call; a job measures the call with the key loaded: 20 + 5 - 3 cycles
        ("vassoler_attached", "encrypt_call_cycles", BESIDE, [171, 231, 241]),
        ("vassoler_attached", "decrypt_loaded_call_cycles", BESIDE, [2002] * 3),
        ("vassoler_attached", "encrypt_key_cycles", BESIDE, [171 - 22, 231 - 22, 241 - 22]),
        # 12 and 16 mW, without the dummy's 80 cycles, with periods of 4 and 5 ns
        ("vassoler_attached", "encrypt_energy_nj", BESIDE,
         [12 * 160 * 4e-3, 16 * 220 * 5e-3, 16 * 230 * 5e-3]),
        # half a nJ per letter, for names of 11, 10 and 20 letters
        ("vassoler_attached", "encrypt_loaded_energy_nj", BESIDE, [5.5, 5, 10]),
        ("vassoler_attached", "encrypt_key_energy_nj", BESIDE[:2],
         [12 * 160 * 4e-3 - 5.5, 16 * 220 * 5e-3 - 5]),
        # without the dummy's 11 cycles; the accelerator alone has 135 cycles of 4 ns at 8 mW
        ("vassoler_attached", "encrypt_cycles_over_mont_r2l_ratio", BESIDE,
         [160 / 135, 220 / 135, 230 / 135]),
        ("vassoler_attached", "encrypt_energy_nj_over_mont_r2l_ratio", BESIDE[:2],
         [12 * 160 / (8 * 135), 16 * 220 * 5 / (8 * 135 * 4)]),
        ("vassoler_attached", "attached_ratio", BESIDE[:2], [81 / 80.5, 84_340 / 80_600]),
        ("vassoler_attached_wide", "1024_bits_decrypt_cycles_over_systolic_l2r_always_ratio",
         BESIDE, [1.994] * 3),
        ("vassoler_attached", "area_um2", BESIDE[:2], [101_000, 104_340]),
        ("vassoler_attached", "exponentiator_area_um2", BESIDE[:2], [80_500, 80_600]),
        ("vassoler_attached", "attachment_area_um2", BESIDE[:2], [500, 3740]),
        ("vassoler_attached", "registers_area_um2", BESIDE[:2], [500, 2400]),
        ("vassoler_attached", "area_um2_accelerator.slave", BESIDE[:2], [None, 1000]),
        ("vassoler_attached_wide", "1024_bits_decrypt_key_cycles", BESIDE, [3] * 3),
        ("vassoler_system_clock", "frequency_mhz", ["proc_mont_r2l", "axi_mont_r2l"], [250, 200]),
        ("vassoler_frequency", "32_bits_frequency_mhz", ["axi_cm_r2l", "axi_cm_pm_r2l_shared"],
         [(1e3 / 3.2, 8), (1e3 / 3.2, 35)]),
        ("vassoler_system_clock", "min_period_ns_over_mont_r2l_ratio",
         ["proc_mont_r2l", "axi_mont_r2l"], [1, 1.25]),
        # 111 cycles of the call less the dummy's 11; 20,000 um2 of processor
        ("vassoler_systems", "32_bits_encrypt_call_cycles", PM_BESIDE, [91, 111, 108]),
        ("vassoler_systems", "64_bits_area_um2", PM_BESIDE[:2], [37_000, 40_340]),
        ("vassoler_systems", "64_bits_attachment_area_um2", PM_BESIDE[:2], [500, 3840]),
        ("vassoler_padding", "1024_bits_decrypt_padded_cycles", ["axi_cm_pm_r2l"], [1000]),
        # 64 um2 and 32 unit gates for each bit
        ("vassoler_trees", "64_bits_unit_gate_um2_core.store.lanes__0", ["cm_r2l_shared"], [2]),
        # 5 modules, and a cycle of 2 ns, for each bit
        ("vassoler_two_multipliers", "32_bits_product_product_area_time_alms_s", ["cm_r2l"],
         [(5 * 32 * 32 * 2e-9, 0.00118)]),
        # shift-sub has half the area, and all designs take the same time
        ("cilardo_ranking", "1024_bits_rank", [x.key for x in cilardo.RANKED], [*4 * [2], 2, 1, 2]),
    ],
)  # fmt: skip
def test_cells_by_hand(everything, table, key, columns, expected):
    """Figures of ours, and printed ones beside them, where there are any."""
    row = everything.row(table, key)
    for column, figure in zip(columns, expected, strict=True):
        ours, theirs = figure if isinstance(figure, tuple) else (figure, None)
        assert row[column] == tuple(
            x if isinstance(x, str) else pytest.approx(x, rel=1e-6) for x in (ours, theirs)
        )


def test_no_row_and_no_column_is_empty(everything):
    tables = {table.key: table for table in everything.content.tables}
    for study, _, table in specified(ReportTable):
        if not table.columns:  # no designs were added
            continue
        shown = tables[table.key]
        missing = {(table.key, x.key) for x in table.columns} - BASE_OF_ITS_TABLE
        assert missing <= {(table.key, name) for name in shown.columns}
        there = [row.row for row in shown.rows]
        empty = [row for row in table.rows if row not in there]
        # Not synthesized above 1024 bits; or a stage that the document does not have.
        if study.document == "li_chu":
            assert {row.where["nbits"] for row in empty} <= {2048}
        else:
            assert {row.where.get("part") for row in empty} <= {"interface", "adder"}
            assert {row.quantity for row in empty} <= {"min_period_ns", "multiplexers"}


def test_every_series_is_drawn(everything):
    drawings = {
        block.key: block
        for study in everything.content.studies
        for section in study.sections
        for block in section.blocks
        if hasattr(block, "svg")
    }
    for _, _, plot in specified(Plot):
        panels = [panel for row in plot.panels for panel in row]
        names = {x.key: label_of(x) for panel in panels for x in panel.series}
        names |= {name: name for panel in panels for name in panel.point_names}
        svg = drawings.pop(plot.key).svg
        absent = {(plot.key, x) for x, label in names.items() if f">{label}</text>" not in svg}
        assert absent <= NO_POINTS
    ((_, _, parts),) = specified(Parts)
    assert all(f">{x.key}</text>" in drawings[parts.key].svg for x in parts.columns)
    assert drawings.keys() == {parts.key}


def test_a_key_says_one_thing(everything):
    for kind in (ReportTable, Plot | Parts | Layouts):
        blocks = [block.key for _, _, block in specified(kind)]
        assert len(blocks) == len(set(blocks))
    sections = [section.key for study in STUDIES for section in study.sections]
    assert len(sections) == len(set(sections))
    found: dict[tuple, tuple] = {}
    for study in everything.content.studies:
        for section in study.sections:
            for table in section.tables:
                keys = [row.key for row in table.rows]
                assert len(keys) == len(set(keys)), table.key
                for row in table.rows:
                    for name, cell in row.cells.items():
                        # Tables may repeat a figure under its name, but not another figure.
                        value = cell.measured, cell.printed and cell.printed.value
                        known = found.setdefault((section.section.key, name, row.key), value)
                        assert known == value, (table.key, name, row.key)


def test_notes_are_there_and_are_used(everything):
    for shown in everything.content.studies:
        blocks = [
            block
            for study, _, block in specified(ReportTable | Plot | Parts | Layouts)
            if study is shown.study
        ]
        named = {key for block in blocks for key in block.notes}
        assert named <= shown.notes.keys()
        assert shown.study.notes.keys() - named <= {"constants"}  # notes on added designs
        assert all(shown.notes[key].endswith(".") for key in shown.notes)
        assert not [key for key in named if "(not measured)" in shown.notes[key]]


def test_colours_are_as_many_as_series(everything):
    for study in everything.content.studies:
        for _, _, block in (x for x in specified(Plot | Parts) if x[0] is study.study):
            series = (
                [x.key for row in block.panels for panel in row for x in panel.series]
                if isinstance(block, Plot)
                else [x.key for x in block.columns]
            )
            names = dict.fromkeys(series)
            assert len({study.colours[name] for name in names}) == len(names), block.key


def of_the_device(fact) -> bool:
    """Whether a figure is about a device or the used share of it: there is no measured one."""
    return fact.subject == "xc7a100t" or fact.quantity.endswith("_percent")


def test_every_printed_figure_of_a_table_stands_in_a_cell(everything):
    """Figures that several tables of a document print are included."""
    shown = {
        (cell.printed.document, cell.printed.key)
        for table in everything.content.tables
        for row in table.rows
        for cell in row.cells.values()
        if cell.printed and cell.printed.kind == "printed"
    }
    places = Counter()
    for fact in printed().facts:
        # Results of printed examples are expected values of other tests.
        if not fact.place.startswith(("Table", "Figure")) or fact.quantity == "result":
            continue
        if not of_the_device(fact):
            assert (fact.document, fact.key) in shown, fact
            places[fact.document] += 1
    # The counts of numbers in the documents' tables; devices and multiplexers are words.
    counts = {
        "mcnay_2023": 28 + 7 + 32,
        "li_chu": 72,
        "morales_romero": 4 * 4 + 33 + 7,
        "cilardo": 96 + 8 + 20,
        "vassoler": 384,
    }
    assert counts.items() <= places.items()


LI_CHU = (("li_chu", "Table 1"), ("li_chu", "abstract"))
"""Places whose figures have all one of ours beside them."""


def test_fidelity_counts_no_more_than_is_printed(everything):
    rows = {(row.document, row.place): row for row in everything.content.fidelity}
    assert all(row.compared <= row.printed for row in rows.values())
    for place in (("mcnay_2023", "Table 1"), ("mcnay_2023", "Table 3"), *LI_CHU):
        assert rows[place].compared == rows[place].printed
    for study in STUDIES:
        assert all((study.document, x.place) in rows for x in study.reasons if x.place)
    assert rows["cilardo", "Figure 17.3"].compared == 96 - 12  # periods of stages are not measured
    counted = total(everything.content.fidelity)
    assert counted.printed == sum(not isinstance(x.value, str) for x in printed().facts)


def test_nearly_every_printed_figure_has_ours_beside_it_and_the_others_a_reason(everything):
    compared = everything.content.compared
    assert len(compared) == 788
    bare = [x for x in compared if x.match is None]
    assert len(compared) - len(bare) >= 700
    assert [x.printed for x in bare if not x.reason] == []


@pytest.mark.slow
def test_width_is_limited(tmp_path):
    shown = Report(tmp_path, STUDIES[1:], max_nbits=512)
    known = [x for x in shown.content.studies if x.study.document in NARROWED]
    tables = {table.key: table for study in known for table in study.tables}
    assert tables.keys() == {
        *(f"li_chu_{x}" for x in ("cycles", "timing", "area", "ratios", "energy")),
        *(f"li_chu_{x}" for x in ("as_printed", "printed_ratios", "abstract")),
        *(f"morales_romero_{x}" for x in ("multiplier", "cells")),
        "cilardo_ranking",
        "private_operation_steps",
        *(table.key for table in vassoler.TABLES),
        "vassoler_attached",
        "vassoler_system_clock",
        "vassoler_systems",
        "vassoler_padding",
        "vassoler_frequency",
    }
    assert tables["morales_romero_cells"].columns == ("256_bits", "512_bits")
    ranked = {row.row.where["nbits"] for row in tables["cilardo_ranking"].rows}
    assert ranked == {256, 512}
    ours = (x for x in shown.content.facts if not x.printed and x.kind != "projected")
    wide = [fact for fact in ours if fact.nbits > 512]
    assert wide == []
