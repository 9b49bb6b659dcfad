"""The laboratory: leakage, faults and proofs of circuits, and what it found."""
