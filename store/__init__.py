"""Stores of results: made once, published atomically, found by a key of all that they depend on."""
