"""`rsaxcel report` as a command; what it writes is tested with the report."""

from dataclasses import replace

import pytest

import catalog
import eval.report
from eval.report.studies import STUDIES
from eval.report.subjects import ReportSubject

SSMM = (
    ReportSubject("proc_ssmm_r2l", "proc_ssmm_r2l", "xcel"),
    ReportSubject("ssmm_r2l", "ssmm_r2l"),
)


@pytest.mark.parametrize(
    ("options", "added", "studies", "max_nbits"),
    [
        ([], (), (), 4096),
        (["--design", "ssmm_r2l"], SSMM, (), 4096),
        (["--all"], (), STUDIES, 4096),
        (["--all", "--max-bits", 256], (), STUDIES, 256),
    ],
)
def test_page_is_named(rsaxcel, monkeypatch, options, added, studies, max_nbits):
    def write_report(output_dir, **given):
        assert given == {"added": added, "studies": studies, "max_nbits": max_nbits}
        return output_dir / "index.html"

    monkeypatch.setattr(eval.report, "write_report", write_report)
    finished = rsaxcel("report", *options)
    assert finished.status == 0
    assert finished.out.split()[-1] == "build/report/index.html"
    assert finished.err == ""


def test_width_without_documents_is_refused(rsaxcel):
    finished = rsaxcel("report", "--max-bits", 256)
    assert finished.status == 2
    assert finished.err.splitlines() == [
        "rsaxcel: error: --max-bits: has a meaning with --all only"
    ]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--design", "rsa_r2l"], ["design 'rsa_r2l' is unknown", ", ".join(catalog.DESIGNS)]),
        (["--design", "proc_mont_r2l"], ["design 'proc_mont_r2l' is unknown"]),
        (["--design", "wide_r2l"], ["nbits=32", "64 to 128 bits", "wide_r2l at 32 bits"]),
        (["--param", "stages=8"], ["--param: has a meaning with --design only"]),
        (["--design", "mont_r2l", "--param", "stages=99"], ["stages=99", "1 to 32"]),
        (["--design", "ssmm_r2l", "--param", "stages=8"], ["stages=8", "ssmm_r2l", "bits_per"]),
    ],
)
def test_design_that_cannot_be_measured_is_refused(rsaxcel, monkeypatch, options, words):
    def write_report(*args, **given):
        raise AssertionError("measured in vain")

    ssmm = catalog.DESIGNS["ssmm_r2l"]
    wide_ssmm = type("Ssmm", (ssmm.multiplier.fl,), {"widths": range(64, 129)})
    classes = replace(ssmm.multiplier, fl=wide_ssmm)
    wide = replace(ssmm, name="wide_r2l", multiplier=classes)
    monkeypatch.setitem(catalog.DESIGNS, wide.name, wide)
    monkeypatch.setattr(eval.report, "write_report", write_report)
    finished = rsaxcel("report", *options)
    assert finished.status == 2
    assert finished.out == ""
    (line,) = finished.err.splitlines()
    for word in words:
        assert word in line


def test_build_folder_that_cannot_be_written(rsaxcel, tmp_path, monkeypatch):
    (tmp_path / "build").touch()
    monkeypatch.chdir(tmp_path)
    finished = rsaxcel("report")
    assert finished.status == 2
    assert finished.out == ""
    (line,) = finished.err.splitlines()
    assert line.startswith("rsaxcel: error: cannot write to build/report")
