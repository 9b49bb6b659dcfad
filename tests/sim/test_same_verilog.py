"""Translation gives the same Verilog in every process, because results are kept by its content."""

import pytest

from tests.shared.processes import run_python


@pytest.mark.slow_cases("proc_null")
@pytest.mark.parametrize(
    "name", ["crt_window", "crt_window_shared", "systolic_l2r_always", "proc_null"]
)
def test_sets_do_not_order_anything(tmp_path, name):
    texts = []
    for seed in "123":
        own = {"PYTHONHASHSEED": seed, "RSAXCEL_CACHE": str(tmp_path / f"cache{seed}")}
        nbits = 32 if name == "proc_null" else 16
        command = "verilog", name, "--nbits", nbits, "--output", tmp_path / seed
        run_python("-m", "rsaxcel", *command, **own).check_returncode()
        (file,) = (tmp_path / seed).iterdir()
        texts.append(file.read_text())
    lines = zip(*(text.splitlines() for text in texts), strict=False)
    assert [those for those in lines if len({*those}) > 1][:5] == []
    assert len({*texts}) == 1
