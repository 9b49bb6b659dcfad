"""The bus of a system: its addresses, and the circuits between it and the processor."""
