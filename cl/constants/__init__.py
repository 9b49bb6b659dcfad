"""Timing of the units that compute constants of the modulus."""
