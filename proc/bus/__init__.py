"""The bus of a system: its addresses, and the circuits between the bus and the processor."""
