"""What each kind of project says about its own gates: one module a stack."""
