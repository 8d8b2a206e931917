"""The library and the checker as tools of an agent, by the Model Context Protocol; a face like `cli` and `web`."""
