"""Search for the best composition by estimates of all and synthesis of a few."""
