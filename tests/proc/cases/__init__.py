"""Test programs as data, with their expected behaviour at every level of the processor."""
