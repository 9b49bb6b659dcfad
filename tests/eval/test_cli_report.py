"""`rsaxcel report` as a command; what it writes is tested with the report."""

import pytest

import eval.report


@pytest.mark.parametrize(("option", "everything"), [([], False), (["--all"], True)])
def test_page_is_named(rsaxcel, monkeypatch, option, everything):
    def write_report(output_dir, *, everything):
        return output_dir / f"{everything}.html"

    monkeypatch.setattr(eval.report, "write_report", write_report)
    finished = rsaxcel("report", *option)
    assert finished.status == 0
    assert finished.out.split()[-1] == f"build/report/{everything}.html"
    assert finished.err == ""


def test_build_folder_that_cannot_be_written(rsaxcel, tmp_path, monkeypatch):
    (tmp_path / "build").touch()
    monkeypatch.chdir(tmp_path)
    finished = rsaxcel("report")
    assert finished.status == 2
    assert finished.out == ""
    (line,) = finished.err.splitlines()
    assert line.startswith("rsaxcel: error: cannot write to build/report")
