"""Search over the library: from the words a person types to a list that explains itself."""
