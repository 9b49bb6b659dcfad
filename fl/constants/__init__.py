"""Golden functions of the units that supply a domain's constants."""
