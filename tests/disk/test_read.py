"""Only regular text files inside the root are read, and never more than the limit."""

from __future__ import annotations

import os

import pytest

from loopgraph.disk import read
from loopgraph.model.errors import UnreadableError

POSIX = pytest.mark.skipif(os.name == "nt", reason="links and devices that Windows lacks")


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "root"
    (folder / "sub").mkdir(parents=True)
    (folder / "sub/a.txt").write_bytes(b"text\r\n")
    (tmp_path / "outside.txt").write_text("secret", "utf-8")
    return folder


def test_a_text_is_read_byte_for_byte_but_for_a_byte_order_mark(root):
    assert read.load(root, "sub/a.txt") == "text\r\n"
    (root / "bom.txt").write_bytes(b"\xef\xbb\xbfx")
    assert read.load(root, "bom.txt") == "x"


@pytest.mark.parametrize(
    "path", ["../outside.txt", "sub/../../outside.txt", "gone.txt", "sub", "", ".", "a\0b", "x/y"]
)
def test_what_is_no_file_inside_is_refused_by_name_and_absent_for_facts(root, path):
    with pytest.raises(UnreadableError) as error:
        read.load(root, path)
    assert error.value.where == path
    assert read.attempt(root, path) is None
    assert read.reader(root)(path) is None


def test_an_absolute_path_outside_is_refused(root):
    outside = str(root.parent / "outside.txt")
    assert read.attempt(root, outside) is None
    assert read.reader(root)(outside) is None


@POSIX
@pytest.mark.parametrize("target", ["../outside.txt", "/etc/hostname", "/dev/zero", "gone", "link"])
def test_a_link_that_leads_out_or_nowhere_is_not_followed(root, target):
    (root / "link").symlink_to(target)
    assert read.attempt(root, "link") is None
    assert read.reader(root)("link") is None


@POSIX
def test_a_folder_that_is_a_link_out_is_not_entered(root, tmp_path):
    (root / "way").symlink_to(tmp_path, target_is_directory=True)
    assert read.attempt(root, "way/outside.txt") is None
    assert read.reader(root)("way/outside.txt") is None


@POSIX
def test_a_link_inside_is_followed(root):
    (root / "link").symlink_to("sub/a.txt")
    (root / "way").symlink_to("sub", target_is_directory=True)
    for path in ("link", "way/a.txt"):
        assert read.attempt(root, path) == read.reader(root)(path) == "text\r\n"


@POSIX
def test_a_root_that_is_itself_reached_through_a_link_is_fine(root, tmp_path):
    (tmp_path / "alias").symlink_to(root, target_is_directory=True)
    assert read.load(tmp_path / "alias", "sub/a.txt") == "text\r\n"
    assert read.reader(tmp_path / "alias")("sub/a.txt") == "text\r\n"


@POSIX
def test_a_pipe_and_a_device_are_refused_at_once(root):
    os.mkfifo(root / "pipe")
    for path in ("pipe",):
        assert read.attempt(root, path) is None
        assert read.reader(root)(path) is None


def test_the_limit_is_a_limit(root):
    (root / "a").write_bytes(b"x" * 10)
    assert read.attempt(root, "a", limit=10) == "x" * 10
    assert read.attempt(root, "a", limit=9) is None
    assert read.reader(root, limit=9)("a") is None


def test_bytes_that_are_no_text_are_refused_with_their_place(root):
    (root / "a").write_bytes(b"ok\xff")
    with pytest.raises(UnreadableError, match="not UTF-8 at byte 2"):
        read.load(root, "a")
    assert read.reader(root)("a") is None


def test_a_root_of_a_similar_name_is_outside(root, tmp_path):
    (tmp_path / "root2").mkdir()
    (tmp_path / "root2/a.txt").write_text("x", "utf-8")
    assert read.attempt(root, "../root2/a.txt") is None
