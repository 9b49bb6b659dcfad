"""Stores of results, each found by a key, which is a hash of everything that the result depends on.

A result is made once. Other processes see a result complete or not at all.
"""
