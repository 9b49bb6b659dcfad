"""Stores: hold the residues, and connect them to the multipliers."""
