"""Facts about a workspace, one module a fact. Reads only; starts nothing but git."""
