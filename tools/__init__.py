"""Tools for work on the project: set-up, fault injection, benchmarks, writing of the pages."""
