"""Proofs about circuits for all inputs: claims, solvers, counterexamples."""
