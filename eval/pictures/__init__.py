"""Pictures of placed circuits: modules, routing capacity, clock tree, energy, areas."""
