"""The ground floor: pure functions on text, with `str` methods and no imports.

The Stop hook pays for every import, and the hook, `check` and `status` must never disagree
about a grammar. So what all of them share is written once, here.
"""
