"""The notebooks run as they are, and are stored without outputs."""

import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[2] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
WAYS = {
    "1-first-simulation": (
        "base_too_large",
        "198 of 200 operations have a result, and all results are right",
    ),
    "2-design-space": ("energy_nj", "<table"),
    "3-energy": ("montmul_r2l_shared, 8 bits", "<svg"),
    "4-leak": ("20 of 255 exponents are left", "core.sequencer.scan", "<svg"),
}
"""What the outputs of each notebook have, in text or in richer forms."""


def test_there_is_an_expectation_for_each_notebook():
    assert [x.stem for x in NOTEBOOKS] == list(WAYS)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda x: x.stem)
def test_it_is_stored_without_outputs(path):
    book = nbformat.read(path, 4)
    nbformat.validate(book)
    code = [x for x in book.cells if x.cell_type == "code"]
    assert not any(x.outputs or x.execution_count for x in code)
    assert book.cells[0].source.startswith("# ")
    assert "?**" in book.cells[0].source, "the question comes first"


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda x: x.stem)
def test_it_runs(path, tmp_path, monkeypatch):
    for name in ("RSAXCEL_DESIGNS", "RSAXCEL_CORES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}", prepend=":")
    book = nbformat.read(path, 4)
    place = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(book, timeout=540, kernel_name="python3", resources=place).execute()
    outputs = [y for x in book.cells if x.cell_type == "code" for y in x.outputs]
    shown = "\n".join(
        str(text) for x in outputs for text in (*x.get("data", {}).values(), x.get("text", ""))
    )
    for text in WAYS[path.stem]:
        assert text in shown
