"""Translation gives the same Verilog in every process, because results are kept by its content."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
import sys, catalog
from rsaxcel.sim.translate import translate
print(translate(catalog.find(sys.argv[1]).configure(16).component("rtl"), "top").text)
"""


@pytest.mark.parametrize("design", ["crt_window", "crt_window_shared", "systolic_l2r_always"])
def test_sets_do_not_order_anything(design):
    texts = []
    for seed in ("1", "2", "3"):
        run = subprocess.run(
            [sys.executable, "-c", PROGRAM, design],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        texts.append(run.stdout)
    lines = zip(*(text.splitlines() for text in texts), strict=False)
    assert [those for those in lines if len({*those}) > 1][:5] == []
    assert len({*texts}) == 1
