"""The page lists the exponents that were run, also those that a study asks for."""

from rsaxcel.eval.measure.flows import flow, own_exponents
from rsaxcel.eval.report.build import _workload


def test_exponents_of_a_study_are_listed():
    usual = [
        flow("ssmm_r2l", 16),
        flow("ssmm_r2l", 16, operations={"encrypt": 17, "decrypt": 30833}),
    ]
    assert own_exponents(usual) == {}
    text = _workload({})["Exponents"]
    assert text.startswith("encrypt 65537 (17 bits, 2 ones), decrypt 977851481 (30 bits, ")
    assert text.endswith("at other widths the exponents of the key of that width")
    asked = [flow(x, 16, operations={"encrypt": 32769}) for x in ("ssmm_r2l", "mulrem_r2l")]
    told = ", or those that a study asks for: encrypt 32769 (16 bits, 2 ones) at 16 bits"
    assert _workload(own_exponents([*usual, *asked]))["Exponents"] == text + told
