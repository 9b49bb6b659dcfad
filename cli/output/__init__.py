"""Printed output and drawings of the commands."""
