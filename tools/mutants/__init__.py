"""``make mutants``: plants faults in circuits and models, and counts the faults that tests find.

The tree is the project's source files. An entry is a design, a multiplier or a system.
"""
