"""Errors in circuits, reported with file, line and statement.

``check`` examines a circuit before simulation, ``explain`` exceptions of PyMTL3 and Python.
"""
