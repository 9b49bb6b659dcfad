"""Tools of the project itself: set-up, planted faults, speeds, the writer of the pages."""
