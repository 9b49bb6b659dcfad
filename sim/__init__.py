"""Simulation of components: the engines, vectors of operands, checks of answers and cycles."""

from rsaxcel.fl.wide_bits import lift

lift()
