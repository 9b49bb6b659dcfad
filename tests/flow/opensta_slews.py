"""Slews of all pins by OpenSTA, from a script of its own: a second opinion on those of the flow."""

import subprocess
from pathlib import Path

from rsaxcel.flow import opensta
from rsaxcel.flow.power.slews import Slews

_SCRIPT = """\
read_liberty {{{liberty}}}
read_verilog {{{verilog}}}
link_design {top}
{constraints}
set file [open {{{output}}} w]
foreach pin [get_pins */*] {{
  puts $file [list [get_property $pin full_name] \\
    [get_property $pin actual_rise_transition_max] [get_property $pin actual_fall_transition_max]]
}}
close $file
puts "slews written"
exit
"""


def clock_constraints(clock: str, period_ns: float) -> str:
    """Return the SDC command for one clock at a port, for a library with nanoseconds as unit."""
    return f"create_clock -name {clock} -period {period_ns} [get_ports {clock}]"


def run_opensta(
    *, liberty: Path, verilog: Path, top: str, constraints: str, work_dir: Path, time_unit_s: float
) -> Slews:
    """Compute the slews of a netlist; ``constraints`` are SDC or other commands of OpenSTA."""
    sta = opensta.find_sta()
    work_dir.mkdir(parents=True, exist_ok=True)
    output = (work_dir / "slews.txt").resolve()
    files = {"liberty": liberty.resolve(), "verilog": verilog.resolve(), "output": output}
    script = work_dir / "slews.tcl"
    script.write_text(_SCRIPT.format(top=top, constraints=constraints, **files))
    command = [sta, "-no_init", "-no_splash", "-exit", script.name]
    run = subprocess.run(command, cwd=work_dir, capture_output=True, text=True)
    # After most errors, OpenSTA continues the script and ends with exit status 0.
    assert "Error" not in run.stdout + run.stderr
    assert "slews written" in run.stdout
    return Slews.from_file(output, time_unit_s=time_unit_s)
