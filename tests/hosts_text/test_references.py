"""The reference pages: one a host, in step with its module."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from loopgraph.hosts import HOSTS

ROOT = Path(__file__).resolve().parents[2]
HEADINGS = ("## Start", "## Intervals and expiry", "## Stop", "## Cautions")


@pytest.fixture
def generate() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_made_part_is_in_step_with_its_table(generate: ModuleType) -> None:
    stale = [path.name for path, found, text in generate.pages() if found != text]
    assert stale == [], "run: python docs/generate.py"


def test_a_page_that_is_out_of_step_is_named_and_left_alone(
    generate: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    page = tmp_path / "page.md"
    old = "# Page\n\n<!-- made: x -->\nold\n<!-- end -->\n\nby hand\n"
    page.write_text(old, "utf-8")
    monkeypatch.setattr(generate, "ROOT", tmp_path)
    monkeypatch.setattr(generate, "PARTS", (generate.Part("page.md", "x", lambda: "new\n"),))
    assert generate.main(["--check"]) == 1
    assert "page.md is out of step" in capsys.readouterr().err
    assert page.read_text("utf-8") == old
    assert generate.main([]) == 0
    assert page.read_text("utf-8") == old.replace("old\n", "\nnew\n\n")
    assert generate.main(["--check"]) == 0


def test_a_page_without_its_marks_is_an_error(
    generate: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "page.md").write_text("# Page\n", "utf-8")
    monkeypatch.setattr(generate, "ROOT", tmp_path)
    monkeypatch.setattr(generate, "PARTS", (generate.Part("page.md", "x", lambda: "new\n"),))
    with pytest.raises(SystemExit, match="no <!-- made: x -->"):
        generate.main([])


@pytest.mark.parametrize("name", HOSTS)
def test_a_page_tells_what_an_owner_needs(name: str) -> None:
    host = HOSTS[name]
    text = (ROOT / "references" / f"{name}.md").read_text("utf-8")
    assert text.startswith(f"# {host.TITLE}\n")
    for heading in HEADINGS:
        assert f"\n{heading}\n" in text
    prose = text.partition("<!-- end -->")[2]
    assert host.CHECKED.version in prose
    assert host.CHECKED.date[:4] in prose
    days = host.CAPABILITIES.expiry_days
    if days:
        assert f"{days}" in prose.partition("## Intervals and expiry")[2].partition("##")[0]
        assert "re-arm" in prose
