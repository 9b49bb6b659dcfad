"""The embedded physical tool; its inner loops are C++, compiled once."""
