"""What a workspace may say about loopgraph, and where."""

from __future__ import annotations

import pytest

from loopgraph.disk import config_file
from loopgraph.disk.config_file import Config
from loopgraph.model.errors import LoopgraphError, UnreadableError, UsageError

SHARED = '[project]\nname = "x"\n\n[tool.loopgraph]\nselect = ["LG1"]\nignore = ["LG103"]\n'


def test_without_a_file_every_rule_runs(tmp_path):
    assert config_file.load(tmp_path) == Config()


@pytest.mark.parametrize(
    ("name", "text", "config"),
    [
        (".loopgraph.toml", 'ignore = ["LG103", "LG2"]\n', Config((), ("LG103", "LG2"))),
        (".loopgraph.toml", "", Config()),
        ("pyproject.toml", SHARED, Config(("LG1",), ("LG103",))),
        ("pyproject.toml", '[project]\nname = "loopgraph"\n', Config()),
        ("pyproject.toml", '[project]\nname = "x"\n[broken', Config()),
        ("pyproject.toml", 'tool = "loopgraph"\n', Config()),
    ],
)
def test_settings_are_read_from_either_file(tmp_path, name, text, config):
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert config_file.load(tmp_path) == config


def test_the_file_of_its_own_wins(tmp_path):
    (tmp_path / "pyproject.toml").write_text(SHARED, encoding="utf-8")
    (tmp_path / ".loopgraph.toml").write_text('select = ["LG5"]\n', encoding="utf-8")
    assert config_file.load(tmp_path) == Config(select=("LG5",))


@pytest.mark.parametrize(
    ("name", "text", "kind", "said"),
    [
        (
            ".loopgraph.toml", 'selekt = ["LG1"]\n', UsageError,
            ".loopgraph.toml: unknown key 'selekt'. Did you mean select?",
        ),
        (
            "pyproject.toml", '[tool.loopgraph]\nignored = ["LG1"]\n', UsageError,
            "pyproject.toml: tool.loopgraph: unknown key 'ignored'. Did you mean ignore?",
        ),
        (
            ".loopgraph.toml", 'select = "LG1"\n', UsageError,
            '.loopgraph.toml: select: not a list of texts. Write it as ["LG2", "LG107"].',
        ),
        (
            "pyproject.toml", "[tool]\nloopgraph = 3\n", UsageError,
            ("pyproject.toml: tool.loopgraph: not a table. "
            "Known settings: select, ignore, snapshots"),
        ),
        (
            ".loopgraph.toml", "select = [\n", UnreadableError,
            ".loopgraph.toml: not valid TOML: Invalid value (at end of document). Mend that line.",
        ),
        (
            "pyproject.toml", "[tool.loopgraph]\nselect = [", UnreadableError,
            "pyproject.toml: not valid TOML: Invalid value (at end of document). Mend that line.",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_setting_is_said_in_one_line(tmp_path, name, text, kind, said):
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(kind) as refused:
        config_file.load(tmp_path)
    assert str(refused.value) == said


@pytest.mark.parametrize("text", [b"\xff\xfe", b"select = [" + b"[" * 5000])
def test_a_hostile_file_is_refused_without_a_traceback(tmp_path, text):
    (tmp_path / ".loopgraph.toml").write_bytes(text)
    with pytest.raises(LoopgraphError):
        config_file.load(tmp_path)


def test_a_file_that_leads_out_of_the_workspace_is_refused(tmp_path):
    (tmp_path / "other").mkdir()
    outside = tmp_path / "outside.toml"
    outside.write_text('ignore = ["LG1"]\n', encoding="utf-8")
    (tmp_path / "other" / ".loopgraph.toml").symlink_to(outside)
    with pytest.raises(UnreadableError, match="leads out of the workspace"):
        config_file.load(tmp_path / "other")
