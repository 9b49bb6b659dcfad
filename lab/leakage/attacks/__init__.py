"""Attacks on traces of energy: digits of an unknown exponent, by clusters and by correlation."""
