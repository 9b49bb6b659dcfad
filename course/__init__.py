"""The course: the skeleton of a design for students, and the ranking of handed-in designs."""
