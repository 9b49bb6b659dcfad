"""Slews of all pins, from the static timing analyzer OpenSTA (command `sta`)."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rsaxcel.flow.errors import PowerError
from rsaxcel.flow.power.liberty import RISE, Edge
from rsaxcel.flow.yosys_json import without_collection
from rsaxcel.store.installing import missing
from rsaxcel.store.tools import OPENSTA

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


FLOW_UNIT_S = 1e-9  # of the slews of the flow's timing analysis; set in opensta.tcl


@dataclass(frozen=True, repr=False)
class Slews:
    """Rise and fall slew in seconds of every pin, by instance and pin name."""

    by_pin_s: Mapping[tuple[str, str], tuple[float, float]]

    def slew_s(self, instance: str, pin: str, edge: Edge) -> float:
        """Return a slew in seconds; ``PowerError`` if the timing tool did not report the pin."""
        try:
            rise, fall = self.by_pin_s[instance, pin]
        except KeyError:
            raise PowerError(f"no slew is known for pin {pin} of cell {instance}") from None
        return rise if edge == RISE else fall

    @classmethod
    @without_collection()
    def from_file(cls, path: str | Path, *, time_unit_s: float) -> Slews:
        """Read a file of slews from OpenSTA: lines with a pin, its rise slew and its fall slew."""
        by_pin_s = {}
        # Tcl puts names with brackets into braces; OpenSTA escapes the brackets.
        text = Path(path).read_text().translate(dict.fromkeys(map(ord, "\\{}")))
        for number, line in enumerate(text.splitlines(), start=1):
            name, *values = line.split()
            instance, _, pin = name.rpartition("/")
            try:
                rise, fall = map(float, values)
            except ValueError as error:
                raise PowerError(f"{path}, line {number}: not a pin and two slews") from error
            by_pin_s[instance, pin] = rise * time_unit_s, fall * time_unit_s
        return cls(by_pin_s)


def clock_constraints(clock: str, period_ns: float) -> str:
    """Return the SDC command for one clock at a port, for a library with nanoseconds as unit."""
    return f"create_clock -name {clock} -period {period_ns} [get_ports {clock}]"


def run_opensta(
    *,
    liberty: str | Path,
    verilog: str | Path,
    top: str,
    constraints: str,
    work_dir: str | Path,
    time_unit_s: float,
) -> Slews:
    """Compute the slews of a netlist with OpenSTA, whose commands ``constraints`` are.

    They are SDC (see `clock_constraints`), ``source FILE`` or ``read_spef FILE``. The names are
    those of the JSON netlist. ``work_dir`` gets `slews.tcl` and `slews.txt`.
    """
    if shutil.which("sta") is None:
        raise PowerError(missing(OPENSTA))
    work_dir = Path(work_dir)
    work_dir.mkdir(parents=True, exist_ok=True)
    output = (work_dir / "slews.txt").resolve()
    output.unlink(missing_ok=True)
    script = work_dir / "slews.tcl"
    script.write_text(
        _SCRIPT.format(
            liberty=Path(liberty).resolve(),
            verilog=Path(verilog).resolve(),
            top=top,
            constraints=constraints,
            output=output,
        )
    )
    run = subprocess.run(
        ["sta", "-no_init", "-no_splash", "-exit", script.name],
        cwd=work_dir,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    # After most errors, OpenSTA continues the script and ends with exit status 0.
    lines = (run.stdout + run.stderr).splitlines()
    if errors := [line for line in lines if line.startswith("Error")]:
        raise PowerError(f"OpenSTA on {verilog}: {' '.join(errors)}")
    if "slews written" not in lines:
        last = lines[-1] if lines else f"exit status {run.returncode}"
        raise PowerError(f"OpenSTA on {verilog} broke off: {last}")
    return Slews.from_file(output, time_unit_s=time_unit_s)
