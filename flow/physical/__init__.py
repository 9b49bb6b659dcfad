"""The physical half of the flow: floorplan, placement, repair, clock tree and wires."""
