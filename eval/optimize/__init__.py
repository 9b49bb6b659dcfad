"""Search for the best composition: a space of them, cheap estimates, synthesis of a few."""
