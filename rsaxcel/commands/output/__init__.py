"""What commands print, and draw."""
