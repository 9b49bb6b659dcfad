"""Studies: a document each, of what ``rsaxcel report --all`` measures beyond the standard part."""

from eval.report.studies.cilardo import STUDY as CILARDO
from eval.report.studies.li_chu import STUDY as LI_CHU
from eval.report.studies.morales_romero import STUDY as MORALES_ROMERO

STUDIES = (LI_CHU, MORALES_ROMERO, CILARDO)
"""In the order in which the report shows them."""
