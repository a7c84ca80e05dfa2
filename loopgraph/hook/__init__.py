"""The Stop hook: a session that stops while its work is open goes back, or is let go with a reason.

It starts nothing, writes nothing in a workspace but the loop file that counts, and answers every
input with exit 0. Start-up is most of its cost, so it stands on `plain` and `disk.floor` alone.
"""
