"""The checks: one pair of files each, found by walking the areas; and what chooses and runs them."""
