"""Five shelves of packs, in their order, and nothing read that leads out of one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from loopgraph import resources
from loopgraph.author import packs
from loopgraph.disk import packs as shelf
from loopgraph.model.errors import LoopgraphError, RefusedError, UnreadableError, UsageError
from loopgraph.model.languages import LANGUAGES

BASE = (Path(__file__).parents[1] / "cases/packs/base.yaml").read_text("utf-8")


class Shelves(NamedTuple):
    """A workspace, a user's folder and a place for installed packages, all empty."""

    root: Path
    config: Path
    site: Path

    def find(self, preset: str, path: Path | None = None) -> shelf.FoundPack:
        return shelf.find(preset, root=self.root, config=self.config, path=path)

    def workspace(self, name: str, text: str = BASE) -> Path:
        return written(self.root / ".loopgraph/presets" / f"{name}.yaml", text)

    def user(self, name: str, text: str = BASE) -> Path:
        return written(self.config / "presets" / f"{name}.yaml", text)

    def install(self, name: str, package: str = "acme_packs", text: str = BASE) -> Path:
        """A package of its own with its metadata, as an installer leaves it."""
        info = self.site / f"{package}-1.2.dist-info"
        written(info / "METADATA", f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.2\n")
        entries = info / "entry_points.txt"
        before = entries.read_text() if entries.exists() else "[loopgraph.presets]\n"
        written(entries, f"{before}{name} = {package}.presets\n")
        written(self.site / package / "__init__.py", "raise SystemExit('imported')\n")
        return written(self.site / package / "presets" / f"{name}.yaml", text)


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8", newline="\n")
    return path


@pytest.fixture
def shelves(tmp_path, monkeypatch):
    root, config, site = (tmp_path / name for name in ("root", "config", "site"))
    for folder in (root, config, site):
        folder.mkdir()
    monkeypatch.syspath_prepend(str(site))
    return Shelves(root, config, site)


def test_the_search_goes_from_path_to_workspace_to_user_to_installed(shelves):
    path = written(shelves.root / "elsewhere/tidy.yaml", BASE + "# path\n")
    shelves.workspace("tidy", BASE + "# workspace\n")
    shelves.user("tidy", BASE + "# user\n")
    shelves.install("tidy", text=BASE + "# installed\n")
    order = []
    for remove in (
        None,
        shelves.root / ".loopgraph/presets/tidy.yaml",
        shelves.config / "presets/tidy.yaml",
    ):
        if remove:
            remove.unlink()
        found = shelves.find("tidy")
        order.append((found.origin, found.source.splitlines()[-1]))
    named = shelves.find("", path)
    assert (named.name, named.origin, named.source) == ("tidy", "path", BASE + "# path\n")
    assert order == [("workspace", "# workspace"), ("user", "# user"), ("installed", "# installed")]


@pytest.mark.parametrize("name", ["converge", "deliver", "research"])
def test_a_built_in_pack_is_found_by_its_name(shelves, name):
    found = shelves.find(name)
    assert (found.name, found.origin, found.where) == (name, "built-in", "built-in")
    assert found.source == (resources.data("presets") / f"{name}.yaml").read_text("utf-8")


def test_a_pack_of_the_workspace_may_not_bear_a_built_in_name(shelves):
    path = shelves.workspace("converge")
    with pytest.raises(RefusedError) as caught:
        shelves.find("converge")
    assert str(caught.value) == (
        ".loopgraph/presets/converge.yaml: it bears the name of a built-in pack. "
        "Rename it, or name it with --preset PATH."
    )
    assert shelves.find("converge", path).origin == "path"


def test_a_users_own_pack_comes_before_a_built_in_one(shelves):
    shelves.user("converge")
    assert shelves.find("converge").origin == "user"


def test_an_installed_pack_never_stands_in_for_a_built_in_one(shelves):
    shelves.install("converge")
    assert shelves.find("converge").origin == "built-in"
    (place,) = (p for p in shelf.available(root=shelves.root, config=shelves.config) if p.problem)
    assert (place.origin, place.problem) == ("installed", "it bears the name of a built-in pack")


def test_an_installed_pack_is_read_and_its_package_is_not_imported(shelves):
    shelves.install("tidy")
    found = shelves.find("tidy")
    assert (found.source, found.where) == (BASE, "package acme_packs 1.2")
    assert "acme_packs" not in sys.modules


def test_two_packages_with_one_name_are_refused_by_both_their_names(shelves):
    shelves.install("tidy", "acme_packs")
    shelves.install("tidy", "bolt_packs")
    with pytest.raises(RefusedError, match=r"package bolt_packs 1.2: package acme_packs 1.2 has"):
        shelves.find("tidy")


def test_an_entry_point_without_its_package_is_refused_by_name(shelves):
    shelves.install("tidy")
    for path in (
        shelves.site / "acme_packs/presets/tidy.yaml",
        shelves.site / "acme_packs/__init__.py",
    ):
        path.unlink()
    (shelves.site / "acme_packs/presets").rmdir()
    (shelves.site / "acme_packs").rmdir()
    with pytest.raises(
        RefusedError, match=r"package acme_packs 1.2: acme_packs is no package here"
    ):
        shelves.find("tidy")


@pytest.mark.parametrize("make", ["built-in", "workspace", "user"])
def test_a_name_that_is_near_costs_no_look_at_installed_packages(shelves, make):
    name = {"built-in": "deliver", "workspace": "tidy", "user": "tidy"}[make]
    if make != "built-in":
        getattr(shelves, make)("tidy")
    code = (
        "import sys; from pathlib import Path; from loopgraph.disk import packs as shelf; "
        "root, config, name = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]; "
        "assert name in shelf.names(root=root, config=config); "
        "shelf.find(name, root=root, config=config); "
        "print('importlib.metadata' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(shelves.root), str(shelves.config), name],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    assert done.stdout.strip() == "False"


def test_the_names_are_all_packs_and_ours_come_first(shelves):
    shelves.workspace("tidy")
    shelves.user("sweep")
    shelves.install("polish")
    names = shelf.names(root=shelves.root, config=shelves.config)
    assert list(names) == ["converge", "deliver", "research", "tidy", "sweep", "polish"]
    assert names[0] == "converge"
    assert "polish" in names
    assert "polis" not in names


def test_a_pack_that_nobody_has_is_answered_with_the_nearest(shelves):
    shelves.workspace("tidy-docs")
    with pytest.raises(UsageError, match=r"tidy-doc: no such preset. Did you mean tidy-docs\?"):
        shelves.find("tidy-doc")


@pytest.mark.parametrize(
    "name",
    [
        "../tidy",
        "/etc/tidy",
        "a/b",
        "a\\b",
        "C:tidy",
        "",
        ".",
        "..",
        "Tidy",
        "tidy.yaml",
        "整理",
        "a\nb",
    ],
)
def test_a_name_that_is_a_path_is_never_looked_up(shelves, name):
    with pytest.raises(UsageError, match="not a preset's name"):
        shelves.find(name)


def test_a_file_that_is_not_named_like_a_pack_is_refused(shelves):
    path = written(shelves.root / "My Pack.yaml", BASE)
    with pytest.raises(UsageError, match="a pack is named like its file"):
        shelves.find("", path)


@pytest.mark.parametrize("kind", ["workspace", "user"])
def test_a_link_that_leads_out_of_the_folder_is_refused(shelves, kind):
    secret = written(shelves.root.parent / "secret.yaml", BASE)
    path = getattr(shelves, kind)("tidy")
    path.unlink()
    path.symlink_to(secret)
    with pytest.raises(UnreadableError, match=r"presets/tidy.yaml: it leads out of"):
        shelves.find("tidy")


def test_a_folder_of_packs_that_leads_out_of_the_workspace_is_refused(shelves):
    outside = written(shelves.root.parent / "outside/tidy.yaml", BASE).parent
    (shelves.root / ".loopgraph").mkdir()
    (shelves.root / ".loopgraph/presets").symlink_to(outside, target_is_directory=True)
    with pytest.raises(LoopgraphError, match=r".loopgraph/presets/tidy.yaml: it leads out of"):
        shelves.find("tidy")
    with pytest.raises(UnreadableError):
        shelf.create(shelves.root, "other")
    assert [path.name for path in outside.iterdir()] == ["tidy.yaml"]


def test_a_link_inside_the_folder_is_followed(shelves):
    real = shelves.workspace("tidy")
    (real.parent / "alias.yaml").symlink_to("tidy.yaml")
    assert shelves.find("alias").source == BASE


@pytest.mark.parametrize("kind", ["folder", "device", "pipe"])
def test_what_is_no_regular_file_is_refused_at_once(shelves, kind):
    path = shelves.root / "tidy.yaml"
    if kind == "folder":
        path.mkdir()
    elif kind == "device":
        path.symlink_to(os.devnull)
    else:
        os.mkfifo(path)
    with pytest.raises(LoopgraphError):
        shelves.find("", path)


def test_a_file_that_is_absent_is_unreadable(shelves):
    with pytest.raises(UnreadableError, match="no such file"):
        shelves.find("", shelves.root / "tidy.yaml")


def test_a_loop_of_links_is_unreadable(shelves):
    (shelves.root / "a.yaml").symlink_to("b.yaml")
    (shelves.root / "b.yaml").symlink_to("a.yaml")
    with pytest.raises(LoopgraphError):
        shelves.find("", shelves.root / "a.yaml")


@pytest.mark.parametrize(("extra", "refused"), [(0, False), (1, True)])
def test_sixty_four_kib_are_the_limit(shelves, extra, refused):
    text = BASE + "#" * (shelf.LIMIT - len(BASE.encode()) + extra)
    shelves.workspace("tidy", text)
    if not refused:
        assert shelves.find("tidy").source == text
        return
    with pytest.raises(UnreadableError, match="larger than 64 KiB"):
        shelves.find("tidy")


def test_what_is_not_utf_8_is_unreadable(shelves):
    shelves.workspace("tidy").write_bytes(b"slug: \xff")
    with pytest.raises(UnreadableError, match="not UTF-8 at byte 6"):
        shelves.find("tidy")


def test_a_new_pack_is_whole_before_anybody_edits_it(shelves):
    path = shelf.create(shelves.root, "tidy-docs")
    assert path == shelves.root / ".loopgraph/presets/tidy-docs.yaml"
    found = shelves.find("tidy-docs")
    for lang in LANGUAGES:
        pack = packs.parse(
            found.source, name=found.name, where=found.where, origin=found.origin, lang=lang
        )
        assert pack.text.slug == "tidy-docs"
    assert packs.untranslated(found.source, found.where) == ()


def test_a_new_pack_overwrites_nothing(shelves):
    path = shelves.workspace("tidy", "mine\n")
    with pytest.raises(RefusedError, match=r"presets/tidy.yaml: it exists already"):
        shelf.create(shelves.root, "tidy")
    assert path.read_text() == "mine\n"


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("converge", "a built-in pack has that name"),
        ("../x", "not a preset's name"),
        ("abcdefghijklmnopqrstuvwxy", "not a preset's name"),
    ],
)
def test_a_new_pack_needs_a_name_of_its_own(shelves, name, what):
    with pytest.raises(LoopgraphError, match=what):
        shelf.create(shelves.root, name)
    assert list(shelves.root.iterdir()) == []


def test_a_workspace_that_cannot_be_written_is_said_in_one_line(shelves):
    written(shelves.root / ".loopgraph/presets", "a file, not a folder\n")
    with pytest.raises(UsageError, match=r"\.loopgraph/presets: cannot write: "):
        shelf.create(shelves.root, "tidy")
