"""The tools, one module each; the module's name is the tool's, and `make(desk)` gives the function that answers."""
