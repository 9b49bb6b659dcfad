"""Errors in circuits, reported with file, line and statement.

``check`` examines a circuit before it is simulated or translated. ``explain`` turns exceptions of
PyMTL3 and Python into such errors.
"""
