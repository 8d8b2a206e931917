"""What the pages show, as plain data: built from the library, printed by templates, tested without a browser."""
