"""Where a run lives: the code that touches files, git and processes."""
