"""pytest in the hands of students: tables of cases, their comparison, strategies, the plugin."""
