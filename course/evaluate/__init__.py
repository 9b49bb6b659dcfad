"""The evaluation of a project: its designs through the flow, and one report on them."""
