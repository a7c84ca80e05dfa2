"""Replay a run's history through the state machines: a sequence of states in, findings out."""
