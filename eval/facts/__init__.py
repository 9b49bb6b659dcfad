"""Facts: every figure, measured here or printed in a document, as a row of one table."""
