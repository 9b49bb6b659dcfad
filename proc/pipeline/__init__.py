"""Parts of the pipelined processor."""
