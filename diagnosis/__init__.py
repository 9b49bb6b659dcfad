"""What is wrong with a circuit, told by file, line and statement.

``check`` looks at a circuit before it runs; ``explain`` reads what a tool or a library raised.
"""
