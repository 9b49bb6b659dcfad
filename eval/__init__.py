"""Measurements, report and the command line ``rsaxcel``."""
