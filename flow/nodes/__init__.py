"""The nodes of the flow: a module and a class for each of them."""
