"""Simulation of components: the engines, vectors of operands, checks of answers and cycles."""

from fl.wide_bits import lift

lift()
