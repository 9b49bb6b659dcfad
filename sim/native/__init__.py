"""The ``native`` engine: compiles translated Verilog, and runs a whole batch in one C++ call."""
