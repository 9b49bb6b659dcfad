"""The course: designs that students hand in, the skeleton of one, and their ranking."""
