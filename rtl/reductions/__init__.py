"""Circuits that bring the last result below the modulus."""
