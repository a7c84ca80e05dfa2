"""Where nodes run: one module a host."""
