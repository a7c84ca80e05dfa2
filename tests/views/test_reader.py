"""What people read of a workspace, a host, a pack and a run is said in their own language."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopgraph import views
from loopgraph.disk import catalogue
from loopgraph.model import messages
from loopgraph.model.finding import Finding
from loopgraph.views import findings
from tests.check.test_reader import sentences


@pytest.fixture(autouse=True)
def english_again():
    yield
    messages.use(None)


@pytest.mark.parametrize(
    ("module", "but"),
    [
        ("cost", ()),
        ("facts", ()),
        ("findings", ()),
        ("graph", ("mermaid", "dot")),
        ("hosts", ("reference_table", "clients_table")),
        ("loops", ()),
        ("packs", ()),
        ("plans", ()),
    ],
)
def test_no_sentence_of_a_view_is_outside_the_catalogue(module, but):
    """Drawings have words of their formats; pages of the documentation are English."""
    assert sentences(Path(views.__file__).parent / f"{module}.py", but=but) == []


ONE = Finding("LG103", "notes.md", 0, "它不属于任何节点", "请删除。", level="warning")


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ("text", "notes.md:1:1 LG103 （警告）它不属于任何节点\n    请删除。\n"),
        ("json", '"message": "它不属于任何节点",\n      "fix": "请删除。"'),
        ("sarif", '"text": "它不属于任何节点。请删除。"'),
        ("github", "::warning file=notes.md,line=1,col=1,title=LG103::它不属于任何节点。请删除。"),
    ],
)
def test_a_finding_is_one_in_each_format(form, said):
    catalogue.speak("zh")
    assert said in findings.FORMATS[form]([ONE])
