"""The Incident Library in a browser: pages, forms of the same result, and an API."""
