"""Another library in the table of kits changes no study."""

import subprocess
import sys

# A process of its own, because modules read the table when they are imported.
PROGRAM = """
from rsaxcel.flow import kit

kit._RULES["third"] = kit._RULES[kit.DEFAULT_LIBRARY]
kit.LIBRARIES = tuple(kit._RULES)
from rsaxcel.eval.studies import STUDIES

for study in STUDIES:
    for each in study.measurements(64, kit.DEFAULT_LIBRARY):
        print(each.job.name)
"""


def test_a_third_library_is_measured_in_no_study():
    command = [sys.executable, "-c", PROGRAM]
    jobs = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "in osu018" in jobs
    assert "in third" not in jobs
