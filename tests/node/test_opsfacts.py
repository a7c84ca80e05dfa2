"""Facts of ops.md: what may be set, and what a frozen section keeps to itself."""

from __future__ import annotations

import pytest

from loopgraph.model import contract
from loopgraph.node import opsfacts
from tests.node.desk import Desk


@pytest.mark.parametrize("form", ["{}", "{} ", "**{}**", "`{}`", "## {}"])
@pytest.mark.parametrize("title", contract.OPS_FROZEN)
def test_no_fact_has_the_name_of_a_frozen_section(title, form):
    desk = Desk(name="deliver")
    for said in (title, title.upper(), title.replace(" ", "  ")):
        refused = desk.refuse(opsfacts.change, form.format(said), "none")
        assert refused.exit_code == 1
        assert refused.what == f"{title} was frozen when the run was compiled"
        assert "loopgraph new --from RUN" in refused.fix


@pytest.mark.parametrize("name", ["Gate", "Policy of data", "Credentials policy of the tests"])
def test_a_fact_of_another_name_is_set(name):
    desk = Desk(name="deliver")
    desk.do(opsfacts.change, name, "none")
    assert f"{name}: none" in desk.files["ops.md"].replace("*", "")
