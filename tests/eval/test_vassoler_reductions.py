"""Reductions of figures 24 to 26: operands have the document's widths; repeated products count."""

import pytest

from rsaxcel import catalog
from rsaxcel.eval.measure.cycles import workload_cycles
from rsaxcel.eval.report.tables import applied, merged
from rsaxcel.eval.studies import vassoler as study
from rsaxcel.flow.kit import DEFAULT_LIBRARY

(PLOT,) = study.REDUCTION_PLOTS
PANELS = dict(zip(study.EXCESS, (panel for (panel,) in PLOT.panels), strict=True))


def configurations(operand: str) -> list[tuple]:
    """Width, name with all choices, kind of modulus and configuration of each point of a panel."""
    panel, found = PANELS[operand], []
    for series in panel.series:
        for point in panel.points:
            where = merged(series.where, applied(point, series.where))
            reducer = catalog.find(where["subject"])
            kind = series.where["choices"]["modulus"]
            nbits, choices = where["nbits"], where["choices"]
            chosen = "_".join(f"{name}_{x}" for name, x in choices.items())
            name = f"{where['subject']}_{nbits}_{chosen}"
            found.append((nbits, name, kind, reducer.configure(nbits, **choices)))
    return found


@pytest.mark.parametrize("operand", PANELS)
def test_widths_of_operands(operand):
    measured = {x.job.name.split()[1] for x in study.reductions(1024, DEFAULT_LIBRARY)[:-2]}
    found = configurations(operand)
    assert len(found) == 4 * len(study.REDUCED_LENGTHS)
    for nbits, name, kind, configuration in found:
        assert name in measured
        assert configuration.golden.operand_nbits == (32 if operand == "32 bits" else nbits + 1)
        assert configuration.constant_modulus * (3 if kind == "m" else 1) == (1 << nbits) - 1


def test_narrow_reports_have_narrow_reductions():
    names = [x.job.name for x in study.reductions(16, DEFAULT_LIBRARY)]
    assert len(names) == 2 * 2 * 2 * 2
    assert not any("_24_" in x or "_30_" in x or "dm_r2l" in x for x in names)


def test_cycles_count_the_products(here):
    """A cycle for each product, and 2 for the request; 65537 has 17 bits, two of them ones."""
    design = catalog.get(study.COUNTED)
    asked = {"exponents": study.EXPONENTS, "count": 1, "progress": lambda line: None}
    repeated = workload_cycles(design.configure(32, **study.REPEATED), "cl", **asked)
    assert repeated == {"exponent_17": 17 + 2, "exponent_65537": 65537 + 2}
    binary = workload_cycles(design.configure(32), "cl", **asked)
    assert binary == {"exponent_17": 6 + 2, "exponent_65537": 18 + 2}
