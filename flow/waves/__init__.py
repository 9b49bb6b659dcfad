"""Waveforms (VCD) and switching activity (SAIF) of a netlist's nets in a window of cycles."""
