"""What the nets of a netlist do in a window of cycles, for viewers and power tools: VCD, SAIF."""
