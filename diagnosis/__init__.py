"""Errors in circuits, reported with file, line and statement.

``check`` examines a circuit before it runs; ``explain`` translates exceptions of tools and
libraries.
"""
