"""Facts: every figure of ours and of the documents as a row of one table."""
