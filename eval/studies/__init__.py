"""Studies: a document each, what ``rsaxcel report`` measures and shows of it.

A study is one file with a ``STUDY`` (see ``eval.report.spec.Study``) and an entry here; its printed
figures stand in ``eval/data/printed.json``.
"""

from eval.studies import cilardo, li_chu, morales_romero, vassoler

MORE = (li_chu.STUDY, morales_romero.STUDY, cilardo.STUDY, vassoler.STUDY)
"""Documents beside McNay's, whose study depends on what is asked for, in the order on the page."""
