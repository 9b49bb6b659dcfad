"""What is made once, published atomically and found again, keyed by what it depends on."""
