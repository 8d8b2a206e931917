"""The Incident Library: records, vocabulary, data rules, compiled generations and search."""
