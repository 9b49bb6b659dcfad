"""The data file has the printed figures of the documents, each with its place."""

import itertools
import json
from collections import Counter

from rsaxcel import catalog
from rsaxcel.proc.systems import find_system, is_system
from tests.eval import vassoler_tables
from tests.eval.printed_figures import (
    DATA,
    FIGURES,
    LI_CHU,
    MCNAY,
    SYSTEMS,
    TABLE_4,
    as_printed,
    row,
)

TEXTS = "document place section where subject part operation quantity unit scope".split()
OTHERS = {"nbits": (int, type(None)), "choices": dict, "value": (int, float, str)}
FIELDS = dict.fromkeys(TEXTS, str) | OTHERS
NOTES = {"erratum", "repeats", "as_printed"}
OPERATIONS = ("encrypt", "decrypt", "average", "product", "")
WORDS = ("critical_path", "device", "multiplexers", "m_prime", "reduction", "result")
"""Quantities whose figures are words, or integers beyond 64 bits."""

KEY = ("document", "subject", "nbits", "choices", "part", "operation", "quantity", "place")
SOFTWARE = "software_"


def key_of(figure):
    return tuple(json.dumps(figure[name]) for name in KEY)


def test_every_figure_says_what_it_is():
    for figure in FIGURES:
        assert FIELDS.keys() <= figure.keys() <= FIELDS.keys() | NOTES
        for name, kind in FIELDS.items():
            assert isinstance(figure[name], kind), name
        assert all(isinstance(figure[name], str) and figure[name] for name in NOTES & figure.keys())
        assert figure["document"] in DATA["documents"]
        assert figure["scope"] in DATA["scopes"]
        assert figure["operation"] in OPERATIONS
        assert figure["where"]
        assert figure["section"]
        assert figure["nbits"] is None or figure["nbits"] > 0
        if isinstance(figure["value"], str):
            assert figure["quantity"] in WORDS
            assert figure["unit"] == "text"
        elif figure["quantity"] == "exponent":
            assert figure["unit"] == "integer"
        else:
            assert f"_{figure['quantity']}".endswith(f"_{figure['unit']}")


def test_errata_say_what_holds():
    assert DATA["errata"].keys() == DATA["documents"].keys() >= DATA["left_open"].keys()
    assert {x["document"] for x in FIGURES if "erratum" in x} <= DATA["errata"].keys()
    for erratum in itertools.chain(*DATA["errata"].values()):
        assert erratum.keys() - {"minor"} == {"where", "printed", "holds", "detail"}
    for item in itertools.chain(*DATA["left_open"].values()):
        assert item.keys() == {"where", "document", "here"}


def test_no_figure_stands_twice():
    assert [key for key, count in Counter(map(key_of, FIGURES)).items() if count > 1] == []


def test_places_hold_as_many_figures_as_they_say():
    found = Counter((x["document"], x["place"], isinstance(x["value"], str)) for x in FIGURES)
    told = Counter()
    for document, places in DATA["places"].items():
        assert len({place["place"] for place in places}) == len(places)
        for place in places:
            told[document, place["place"], False] = place["figures"]
            told[document, place["place"], True] = place["texts"]
            assert place["about"]
            assert place["section"]
            assert place.get("drawn", False) == (place["figures"] == place["texts"] == 0)
    assert +told == found
    assert DATA["places"].keys() == DATA["documents"].keys()


def test_tables_have_their_rows_and_columns():
    """Counts are rows times columns minus cells that are empty or N/A, as in the documents.

    Documents without a count here are not checked.
    """
    sizes = {
        ("mcnay_2023", "Table 1"): 8 * 4 - 4,
        ("mcnay_2023", "Table 2a"): 2 * 2,
        ("mcnay_2023", "Table 2b"): 1 * 3,
        ("mcnay_2023", "Table 3"): 8 * 4,
        ("li_chu", "Table 1"): 18 * 5 - 18,
        ("morales_romero", "Table 1"): 4 * 3,
        ("morales_romero", "Table 2"): 4 * 3,
        ("morales_romero", "Table 3"): 4 * 3,
        ("morales_romero", "Table 4"): 7 * 6 - 9,
        ("morales_romero", "Table 5"): 4 * 3,
        ("cilardo", "Figure 17.3"): 12 * 8,
        ("cilardo", "Figure 17.4"): 4 * 5,
        ("vassoler", "Table 5"): 8 * 3,
        **{("vassoler", f"Table {x}"): 6 * 6 for x in (7, 8, 9, 13, 14, 15)},
        **{("vassoler", f"Table {x}"): 6 * 4 for x in (10, 11, 12, 16, 17, 18)},
    }
    typed = {document for document, _ in sizes}
    told = {
        (document, place["place"]): place["figures"]
        for document, places in DATA["places"].items()
        for place in places
        if document in typed and place["figures"]
        if not place["place"].startswith(("section", "abstract"))
    }
    assert told == sizes


def test_places_of_a_figure_and_its_section_agree():
    sections = {
        (document, place["place"]): place["section"]
        for document, places in DATA["places"].items()
        for place in places
    }
    assert all(sections[x["document"], x["place"]] == x["section"] for x in FIGURES)


def test_nothing_is_explained_that_no_figure_uses():
    unused = DATA["scopes"].keys() - {x["scope"] for x in FIGURES}
    assert not unused, f"scopes of printed.json that no figure has: {unused}"
    wanted = {(x["document"], x["subject"]) for x in FIGURES if x["subject"]}
    told = {(document, name) for document, names in DATA["subjects"].items() for name in names}
    assert not wanted - told, f"missing among the subjects of printed.json: {wanted - told}"
    assert not told - wanted, f"subjects of printed.json without a figure: {told - wanted}"


def test_subjects_of_ours_can_be_configured():
    configured = set()
    for figure in FIGURES:
        subject, nbits = figure["subject"], figure["nbits"]
        if not subject or "kind" in DATA["subjects"][figure["document"]][subject]:
            continue
        if subject.startswith(SOFTWARE):
            assert subject.removeprefix(SOFTWARE) in find_system("proc_null", nbits).programs
        elif is_system(subject):
            assert find_system(subject, nbits, **figure["choices"]).key
        elif nbits is not None:
            # The documents extrapolate to widths at which no circuit is built.
            nbits = min(nbits, catalog.find(subject).widths[-1])
            configuration = catalog.find(subject).configure(nbits, **figure["choices"])
            assert figure["choices"].items() <= configuration.params.items()
        else:  # a figure for all widths
            assert catalog.get(subject)
        configured.add(subject)
    told = (x for names in DATA["subjects"].values() for x in names.items())
    ours = {name for name, about in told if "kind" not in about}
    assert configured == ours


def test_repeated_figures_are_those_that_they_repeat():
    repeated = [x for x in FIGURES if "repeats" in x]
    # Vassoler prints Montgomery's columns twice; one figure has fewer digits the second time.
    assert len(repeated) == 3 * 4 + 5 + (6 * 2 * 6 - 1)
    for figure in repeated:
        same = key_of(figure | {"place": figure["repeats"]})
        (first,) = (x for x in FIGURES if key_of(x) == same)
        assert first["value"] == figure["value"]


def test_tables_are_those_of_the_documents():
    for quantity, operations in MCNAY.items():
        for operation, values in zip(("encrypt", "decrypt"), operations, strict=True):
            for subject, printed in zip(SYSTEMS, values, strict=True):
                about = {"operation": operation, "section": "5.1"}
                if quantity.endswith(("mw", "nj")):
                    about["section"] = "5.4"
                assert row("mcnay_2023", [quantity], subject, **about) == (printed,)
    quantities = ("cycles", "frequency_mhz", "time_ms", "alms", "registers")
    for (subject, nbits), values in LI_CHU.items():
        assert row("li_chu", quantities, subject, nbits=nbits, place="Table 1") == values
    quantities = ("frequency_mhz", "product_cycles", "luts", "registers", "slices", "dsps")
    for subject, values in TABLE_4.items():
        assert row("morales_romero", quantities, subject, place="Table 4") == values


def test_tables_of_vassoler_are_those_of_the_document():
    """Compare the text of each cell, unit included, by row and column."""
    found = {}
    for figure in (x for x in FIGURES if x["document"] == "vassoler"):
        found.setdefault(figure["place"], {})[figure["where"]] = as_printed(figure)
    headings = ("Delay", "Area", "Area x Delay")
    for modulus, *line in vassoler_tables.rows(vassoler_tables.TABLE_5):
        for heading, cell in zip(headings, line, strict=True):
            assert found["Table 5"].pop(f"{modulus}, {heading}") == cell
    assert not found["Table 5"]
    for number in vassoler_tables.TABLES:
        assert found[f"Table {number}"] == {
            f"{nbits // 2}, {column}": cell
            for (nbits, column), cell in vassoler_tables.cells(number).items()
        }


def test_vassoler_figures_are_in_the_unit_of_their_quantity():
    """A figure that is printed in another unit is converted."""
    factors = {"s": 1e6, "ms": 1e3, "us": 1, "ns": 1e-3, "ps": 1e-3, "μm": 1, "MHz": 1}
    units = {"ps": "ns", "μm": "um2", "MHz": "mhz"}
    converted = [x for x in FIGURES if "as_printed" in x]
    for figure in converted:
        number, *unit = as_printed(figure).split()
        if unit and unit[0] == "x":  # 10^6 um2 ps
            assert (unit[1], figure["unit"]) == ("10^6", "um2_ns")
            wanted = float(number) * 1e3
        elif unit:
            assert figure["unit"] == units.get(unit[0], "us")
            wanted = float(number) * factors[unit[0]]
        else:
            wanted = 10.0**7 if number == "10^7" else float(number)
        assert abs(figure["value"] - wanted) <= 1e-9 * wanted, figure
    assert len(converted) > 80
