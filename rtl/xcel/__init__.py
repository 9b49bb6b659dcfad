"""Accelerators behind the processor's xcel interface."""
