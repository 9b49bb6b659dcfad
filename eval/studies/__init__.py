"""Studies: a document each, what ``rsaxcel report`` measures and shows of it.

A study is one file with a ``STUDY`` (see ``eval.report.spec.Study``) and an entry here; printed
figures of its document stand in ``eval/data/printed.json``.
"""

from eval.studies import cilardo, li_chu, morales_romero, private_operation, vassoler

MORE = (
    *(li_chu.STUDY, morales_romero.STUDY, cilardo.STUDY, vassoler.STUDY),
    private_operation.STUDY,
)
"""Documents beside McNay's, whose study depends on what is asked for, in the order on the page; the
last one has no document."""
