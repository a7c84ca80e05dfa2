"""What keeps state: each command is a function from what is there to a change."""
