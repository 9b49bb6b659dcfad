"""Runs Yosys, with which the flow synthesizes, on translated Verilog."""

import subprocess
import sys


def through_yosys(module, folder, steps, options=""):
    """Output of Yosys after it has read the translated ``module`` and run the given steps."""
    (folder / "module.sv").write_text(module.text)
    script = "import sys\nfrom pyosys import libyosys as ys\nd = ys.Design()\n"
    script += "for command in sys.argv[1:]:\n    ys.run_pass(command, d)\n"
    commands = [
        f"read_slang --top {module.top} {options} module.sv",
        *steps,
        "write_verilog -noattr netlist.v",
    ]
    done = subprocess.run(
        [sys.executable, "-c", script, *commands], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return module.with_text((folder / "netlist.v").read_text())
