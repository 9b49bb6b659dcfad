"""Options that several commands share, and the functions that use their values."""
