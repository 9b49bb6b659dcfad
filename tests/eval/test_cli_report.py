"""`rsaxcel report` as a command; what it writes is tested with the report."""

import pytest

import eval.report
from eval.report.studies import STUDIES


@pytest.mark.parametrize(
    ("options", "studies", "max_nbits"),
    [
        ([], (), 4096),
        (["--all"], STUDIES, 4096),
        (["--all", "--max-bits", 256], STUDIES, 256),
    ],
)
def test_page_is_named(rsaxcel, monkeypatch, options, studies, max_nbits):
    def write_report(output_dir, **given):
        assert given == {"studies": studies, "max_nbits": max_nbits}
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


def test_build_folder_that_cannot_be_written(rsaxcel, tmp_path, monkeypatch):
    (tmp_path / "build").touch()
    monkeypatch.chdir(tmp_path)
    finished = rsaxcel("report")
    assert finished.status == 2
    assert finished.out == ""
    (line,) = finished.err.splitlines()
    assert line.startswith("rsaxcel: error: cannot write to build/report")
