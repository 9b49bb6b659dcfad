"""Runs Yosys, with which the flow synthesizes, on translated Verilog."""

import subprocess
import sys


def run_yosys(verilog, top, folder, steps, options=""):
    """What Yosys prints as it reads a text in Verilog, and runs the given steps."""
    (folder / "module.sv").write_text(verilog)
    script = "import sys\nfrom pyosys import libyosys as ys\nd = ys.Design()\n"
    script += "for command in sys.argv[1:]:\n    ys.run_pass(command, d)\n"
    commands = [f"read_slang --top {top} {options} module.sv", *steps]
    done = subprocess.run(
        [sys.executable, "-c", script, *commands], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


def through_yosys(module, folder, steps, options=""):
    """Output of Yosys after it has read the translated ``module`` and run the given steps."""
    steps = [*steps, "write_verilog -noattr netlist.v"]
    run_yosys(module.text, module.top, folder, steps, options)
    return module.with_text((folder / "netlist.v").read_text())
