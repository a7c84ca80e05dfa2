"""Compile: from a wish to the files of a run. Pure; files come in and go out as text."""
