"""Studies: a document each, what ``rsaxcel report`` measures and shows of it.

A study is one file with a ``STUDY`` (see ``eval.report.spec.Study``); its printed figures stand in
``eval/data/printed.json``.
"""
