"""``make mutants``: plants faults in circuits and models, and counts those that tests find."""
