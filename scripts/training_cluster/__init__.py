"""The made-up training cluster of `examples/`: what is in it, and how it is put up and saved."""
