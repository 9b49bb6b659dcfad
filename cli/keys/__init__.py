"""RSA keys in files, and operations with them on an accelerator."""
