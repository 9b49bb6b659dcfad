"""Studies: for each document, the measurements and tables of ``rsaxcel report``.

A study is one file with a ``STUDY`` (see ``eval.report.spec.Study``) and an entry here. The printed
figures of its document are in ``eval/data/printed.json``.
"""

from eval.studies import cilardo, li_chu, morales_romero, private_operation, vassoler

MORE = (
    *(li_chu.STUDY, morales_romero.STUDY, cilardo.STUDY, vassoler.STUDY),
    private_operation.STUDY,
)
"""All studies except McNay's, in the order on the page. McNay's study is missing because it depends
on the user's options. The last study has no document."""
