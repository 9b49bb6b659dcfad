"""The synthesizer: an interface, and Yosys behind the interface."""
