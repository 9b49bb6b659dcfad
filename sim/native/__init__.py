"""The ``native`` engine: translated Verilog, compiled, a whole batch per call."""
