"""Engines that run a component over a batch of requests: pymtl and native (compiled)."""

from fl.wide_bits import lift

lift()
