"""Simulation of components: engines (pymtl, native), vectors of operands, and their checks."""

from fl.wide_bits import lift

lift()
