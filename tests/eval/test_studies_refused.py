"""Mistakes in printed.json or in a study are told in one line before anything is measured."""

from copy import deepcopy
from dataclasses import replace

import pytest

from rsaxcel.eval.facts.fact import Fact
from rsaxcel.eval.facts.printed import printed, read
from rsaxcel.eval.facts.table import Facts
from rsaxcel.eval.report.build import check_studies, write_report
from rsaxcel.eval.report.spec import Column, Panel, Plot, ReportTable, Row, Section, Text
from rsaxcel.eval.studies import STUDIES
from rsaxcel.store.errors import UserError
from tests.eval.made_up_study import STUDY
from tests.eval.printed_figures import DATA
from tests.shared.tables import each_row


@each_row(__file__, "figures", "field", "value", "told")
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


FAST = [Column("fast", {"subject": "fast"})]


def with_block(block):
    return replace(STUDY, sections=[*STUDY.sections, Section("own", "Own", [block])])


def with_text(text):
    return with_block(Text("Which is less", text))


@pytest.mark.parametrize(
    ("study", "told"),
    [
        (
            replace(STUDY, document="li_chuu"),
            "document 'li_chuu' of a study is not in printed.json: mcnay_2023, li_chu, ",
        ),
        (
            with_text("{{ odrer('cycles', ['fast', 'small']) }}"),
            "li_chu, text Which is less: odrer is unknown; allowed: ours, printed, ratio, ",
        ),
        (
            with_text("{% if 'none' in activities() %}{{ odrer('cycles') }}{% endif %}"),
            "li_chu, text Which is less: odrer is unknown; allowed: ours, ",
        ),
        (
            with_text("{{ order('area_time', ['fast', 'small']) }}"),
            "li_chu, text Which is less: quantity 'area_time' is not declared; allowed: area_",
        ),
        (
            with_text("{{ order('cycles', ['fast', 'smalll']) }}"),
            "li_chu, text Which is less: subject 'smalll' is unknown (did you mean small?)",
        ),
        (
            with_text("{{ ours('proc_ssmm', 'cycles') }}"),
            "li_chu, text Which is less: subject 'proc_ssmm' is unknown (did you mean ssmm?)",
        ),
        (with_text("{{ order('cycles') }}"), "text Which is less: FigureWords.order() missing 1 "),
        (with_text("{{ ours('fast', 'cycles') }"), "text Which is less: unexpected '}'"),
        (
            replace(STUDY, headline="{{ ours('fast', 'cycels') }}"),
            "li_chu, headline: quantity 'cycels' is not declared; allowed: cycles",
        ),
        (
            replace(STUDY, notes={"made_up": "{{ our('fast', 'cycles') }}"}),
            "li_chu, note made_up: our is unknown; allowed: ours, ",
        ),
        (
            with_block(ReportTable("costs", "Costs", FAST, [Row("cycels")])),
            "li_chu, costs: quantity 'cycels' is not declared; allowed: cycles",
        ),
        (
            with_block(Plot("costs", "Costs", "Costs.", [(Panel("nbits", "cycels", FAST),)], 3.5)),
            "li_chu, costs: axis nbits: no point has this condition, and quantity 'nbits' is not",
        ),
    ],
)
def test_a_study_with_a_mistake(tmp_path, study, told):
    def work(job, progress):
        raise AssertionError("measured in vain")

    with pytest.raises(UserError) as caught:
        write_report(tmp_path, [study], work=work)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_studies_without_a_mistake():
    check_studies(STUDIES, printed())
    check_studies([STUDY], printed())
    check_studies([replace(STUDY, document="ours", without_document=True)], printed())
