"""The laboratory: leakage, faults and proofs of circuits, and its findings."""
