"""ASIC flow: from a PyMTL3 model to area, clock period and energy with open tools."""
