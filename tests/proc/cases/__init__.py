"""Test programs as data, with what they must do at every level of the processor."""
