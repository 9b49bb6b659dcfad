"""Studies: measurements and tables of ``rsaxcel report`` on each document.

A study is one file with a ``STUDY`` (``eval.report.spec.Study``) and an entry here.
"""

from rsaxcel.eval.studies import (
    cilardo,
    designs,
    li_chu,
    mcnay,
    morales_romero,
    private_operation,
    stages,
    vassoler,
)

#: All studies in the order on the page. The first one and the last two have no document.
STUDIES = (
    designs.study(),
    mcnay.STUDY,
    li_chu.STUDY,
    morales_romero.STUDY,
    cilardo.STUDY,
    vassoler.STUDY,
    private_operation.STUDY,
    stages.STUDY,
)
