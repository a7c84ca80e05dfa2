"""What an answer says to the hook, line by line."""

from __future__ import annotations

import pytest

from loopgraph.plain import answer

BLOCKED = {
    "loopgraph-blocked\nwe need a key": True,
    "<loopgraph-blocked>\n\n  \nwe need a key": True,
    "  ulw-execute-blocked-external  \nwe need a key": True,
    "ULTRAWORK MODE ENABLED!\nloopgraph-blocked\nwe need a key": True,
    "": False,
    "ULTRAWORK MODE ENABLED!": False,
    "loopgraph-blocked": False,
    "loopgraph-blocked\n\n \n<loopgraph-blocked>": False,
    "<loopgraph-blocked\nwe need a key": False,
    "loopgraph-blocked>\nwe need a key": False,
    "loopgraph-blocked: we need a key\nsoon": False,
    "\nloopgraph-blocked\nwe need a key": False,
    "we need a key\nloopgraph-blocked": False,
}


@pytest.mark.parametrize("message", BLOCKED)
def test_an_answer_is_blocked_outside_where_a_marker_comes_first_and_a_word_below(message):
    assert answer.blocked_outside(message) is BLOCKED[message]


PROMISED = {
    "<promise>all done</promise>": True,
    "  <promise> all done </promise>  ": True,
    "It works. <promise>all done</promise>\n\n": True,
    "<promise>all done</promise>\nand that was it": True,
    "It works. <promise>all done</promise>\nand that was it": False,
    "<promise>all done</promise>.": False,
    "<promise>all  done</promise>": False,
    "<promise>All done</promise>": False,
    "all done</promise>": False,
    "<promise>all done": False,
    "": False,
    # Of several the last decides.
    "<promise>not yet</promise>\n<promise>all done</promise>": True,
    "<promise>all done</promise>\n<promise>not yet</promise>": False,
    "<promise>a</promise> <promise>all done</promise>": True,
    "<promise>all done</promise></promise>": False,
    # In code it counts for nothing.
    "```\n<promise>all done</promise>\n```": False,
    "~~~\n<promise>all done</promise>\n~~~~": False,
    "```\n~~~\n<promise>all done</promise>\n```": False,
    "````\n```\n<promise>all done</promise>\n````": False,
    "```\n``` no end\n<promise>all done</promise>": False,
    "```sh\nls\n```\n<promise>all done</promise>": True,
    "~~~ `a`\n~~~\n<promise>all done</promise>": True,
    "```ls```\n<promise>all done</promise>": True,
    "~~~ `a`\n<promise>all done</promise>": False,
    "    <promise>all done</promise>": False,
    "\t<promise>all done</promise>": False,
    "   <promise>all done</promise>": True,
    "    It works. <promise>all done</promise>": True,
    "say `<promise>all done</promise>": False,
    "say `a` <promise>all done</promise>": True,
}


@pytest.mark.parametrize("message", PROMISED)
def test_a_promise_is_given_by_the_last_tag_that_stands_alone_or_ends_the_answer(message):
    assert answer.promised(message, " all done") is PROMISED[message]


def test_who_was_promised_nothing_is_given_no_promise():
    assert not answer.promised("<promise>None</promise>", None)
    assert answer.promised("<promise></promise>", "")
    assert not answer.promised("nothing", "")
