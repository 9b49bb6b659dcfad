"""Mistakes in printed.json or in a study are told in one line before anything is measured."""

from copy import deepcopy

import pytest

from eval.facts.fact import Fact
from eval.facts.printed import read
from eval.facts.table import Facts
from tests.eval.printed_figures import DATA


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("quantity", "cycels", "quantity 'cycels' is not declared; allowed: cycles, "),
        ("place", "Tabel 1", "place of li_chu 'Tabel 1' is not declared; allowed: Table 1"),
        ("subject", "ssmm", "subject of li_chu 'ssmm' is not declared; allowed: ssmm_r2l"),
        ("scope", "averge", "scope 'averge' is not declared; allowed: average"),
        ("document", "lichu", "document 'lichu' is not declared; allowed: li_chu"),
    ],
)
def test_a_printed_figure_with_an_unknown_name(field, value, told):
    data = deepcopy(DATA)
    entry = next(x for x in data["figures"] if x["document"] == "li_chu" and x["subject"])
    about = {"subject": "ssmm_r2l", "place": "Table 1", "quantity": "cycles", field: value}
    entry |= about
    with pytest.raises(ValueError, match=r"printed\.json: ") as caught:
        read(data)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_two_documents_print_figures_of_one_design():
    facts = Facts(
        Fact("unit", "area_um2", area, "printed", 32, document=name, place="Table 1")
        for name, area in (("older", 10.0), ("newer", 20.0))
    )
    asked = {"subject": "unit", "quantity": "area_um2", "nbits": 32}
    for name, area in (("older", 10.0), ("newer", 20.0), ("neither", None)):
        assert facts.of_document(name).value(asked, printed=True) == area
    assert facts.value(asked, printed=True) == 10.0
