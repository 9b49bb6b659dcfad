"""Studies: a document each, of what ``rsaxcel report --all`` measures beyond the standard part."""

from eval.report.studies.cilardo import STUDY as CILARDO
from eval.report.studies.li_chu import STUDY as LI_CHU

STUDIES = (LI_CHU, CILARDO)
"""In the order in which the report shows them."""
