"""Physical half of the flow: placement, repair, clock tree, wires and routing capacity."""
