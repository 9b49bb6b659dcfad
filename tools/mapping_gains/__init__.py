"""``python -m tools.mapping_gains``: what each pass of the mapping to cells gains."""
