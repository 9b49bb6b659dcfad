"""Old place."""
