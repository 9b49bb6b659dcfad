"""``make mutants``: plants faults in circuits and models, and counts the faults that tests find.

The tree is the project's source files. An entry is a design, a multiplier or a system.

Why not a published tool: ``mutmut`` 3.8.1 names modules after their files (``fl.oaep``), where the
root is the package (``rsaxcel.fl.oaep``), and stops. ``cosmic-ray`` 8.7.0 runs here, but has one
command of tests for all mutants (of ``fl/oaep.py`` and ``plan/scan.py`` 952, at 5 seconds each);
it plants no faults in resets, connections and assignments of circuits, counts a circuit that
PyMTL3 refuses as found (9 of 24 mutants of ``rtl/lib/divider.py``, of which it found all), and
proves nothing of survivors. It would replace ``sites``, a fifth of this package.
"""
