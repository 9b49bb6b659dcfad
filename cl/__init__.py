"""Cycle models (CL): latencies in cycles, without a circuit."""
