"""A small lending library behind an HTTP API."""
