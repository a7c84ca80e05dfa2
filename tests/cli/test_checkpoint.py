"""One commit of exactly what audited rounds changed, by whoever may, after a gate of their own."""

import json
import os

import pytest

from loopgraph.author import wording
from loopgraph.model.languages import LANGUAGES
from loopgraph.node.checkpoint import GRANTS
from tests.conftest import git

pytestmark = pytest.mark.skipif(os.name == "nt", reason="modes and hooks")

SUPERVISOR = ("--as", "supervisor")
ANSWERS = """\
goal: Limit the rate of each client
host: shell
gate: python3 -c pass
"""


@pytest.fixture
def say(cli, repository):
    def said(*arguments, code=0, **extra):
        done = cli(*arguments, cwd=repository, **extra)
        assert done.code == code, done
        return done

    return said


@pytest.fixture
def begun(say, repository, tmp_path):
    """A run whose owner has unfinished work, an identity, and hooks."""
    git(repository, "config", "user.name", "Ada")
    git(repository, "config", "user.email", "ada@example.invalid")
    for name in ("pre-commit", "post-commit", "reference-transaction", "post-index-change"):
        hook = repository / f".git/hooks/{name}"
        hook.write_text(f"#!/bin/sh\ntouch '{tmp_path}/ran'\nexit 1\n", "utf-8")
        hook.chmod(0o755)
    (repository / "bookshelf/api.py").write_text("the owner's\n", "utf-8")
    (repository / "notes.txt").write_text("the owner's\n", "utf-8")
    git(repository, "-c", "core.hooksPath=/dev/null", "add", "notes.txt")
    return make_run(say, repository, tmp_path)


def make_run(say, repository, tmp_path, more=""):
    answers = tmp_path / "answers.yaml"
    answers.write_text(ANSWERS + more, "utf-8")
    say("new", "deliver", "--answers", str(answers), "--yes")
    (run,) = (repository / ".longgraph").glob("*-deliver-*")
    return run


def a_round(say, *edits):
    say("round", "start", "--as", "executor")
    for place, text in edits:
        place.parent.mkdir(exist_ok=True)
        place.write_text(text, "utf-8")
    say("round", "record", "--result", "ok", "--next", "more", "--as", "executor")


def audited(say, number):
    say("audited", "--through", f"R{number}", "--tips", "main", *SUPERVISOR)
    say("gate", "run", "G-1", *SUPERVISOR)


def test_one_commit_of_exactly_what_audited_rounds_changed(say, begun, repository, tmp_path):
    shelf = repository / "bookshelf"
    a_round(say, (shelf / "new.py", "x\n"), (shelf / "api.py", "the owner's\nmore\n"))
    a_round(say, (shelf / "new.py", "y\n"), (shelf / "other.py", "z\n"))
    (shelf / "other.py").chmod(0o755)
    a_round(say, (shelf / "other.py", "z\n"))
    a_round(say, (shelf / "third.py", "not audited\n"))
    audited(say, 3)
    before = git(repository, "rev-parse", "HEAD").strip()
    branch = git(repository, "symbolic-ref", "HEAD")
    done = say("checkpoint", *SUPERVISOR, "--json")
    assert not (tmp_path / "ran").exists()
    answer = json.loads(done.out)
    assert answer["says"][1:3] == [
        "The gates also saw what is not committed: bookshelf/api.py (3 in all).",
        "The repository's hooks did not run.",
    ]
    assert "Left out: bookshelf/api.py: it was the owner's unfinished work" in answer["says"][3]
    assert git(repository, "rev-parse", "HEAD~1").strip() == before
    assert git(repository, "symbolic-ref", "HEAD") == branch
    assert git(repository, "log", "-1", "--format=%an <%ae> %cn") == (
        "Ada <ada@example.invalid> Ada\n"
    )
    said = git(repository, "log", "-1", "--format=%B")
    assert "Loopgraph-Audited-Through: R3" in said
    assert "passed on this tree (3 more uncommitted): G-1." in said
    told = git(repository, "show", "--format=", "--name-only", "HEAD").splitlines()
    product = [path for path in told if not path.startswith(".longgraph/")]
    assert product == ["bookshelf/new.py", "bookshelf/other.py"]
    ours = f".longgraph/{begun.name}/"
    assert {path for path in told if path not in product} >= {
        *(f"{ours}ledger.md", f"{ours}directives.md", f"{ours}run.yaml"),
        f"{ours}evidence/acts.jsonl",
    }
    house = [".longgraph/.gitattributes", ".longgraph/.gitignore"]
    assert [path for path in told if path not in product and not path.startswith(ours)] == house
    assert git(repository, "show", "HEAD:bookshelf/new.py") == "y\n"
    assert git(repository, "ls-tree", "HEAD", "bookshelf/other.py").startswith("100755")
    status = git(repository, "status", "--porcelain", "-uall").splitlines()
    assert status == [
        " M bookshelf/api.py",
        "A  notes.txt",
        "?? bookshelf/third.py",
    ]
    assert git(repository, "fsck", "--strict", "--no-dangling") == ""
    assert "loopgraph: Checkpoint" in git(repository, "reflog", "-1")


def test_again_there_is_nothing_to_commit_but_the_run(say, begun, repository):
    a_round(say, (repository / "bookshelf/new.py", "x\n"))
    audited(say, 1)
    say("checkpoint", *SUPERVISOR)
    say("gate", "run", "G-1", *SUPERVISOR)
    say("checkpoint", *SUPERVISOR)
    told = git(repository, "show", "--format=", "--name-only", "HEAD").splitlines()
    assert all(path.startswith(".longgraph/") for path in told)


def test_with_nothing_new_it_commits_nothing_however_often_it_is_asked(say, begun, repository):
    a_round(say, (repository / "bookshelf/new.py", "x\n"))
    audited(say, 1)
    say("checkpoint", *SUPERVISOR)
    head, acts = git(repository, "rev-parse", "HEAD"), (begun / "evidence/acts.jsonl").read_bytes()
    for _time in range(2):
        answer = json.loads(say("checkpoint", *SUPERVISOR, "--json").out)
        assert answer["says"][0] == "There is nothing to commit."
        assert git(repository, "rev-parse", "HEAD") == head
    assert (begun / "evidence/acts.jsonl").read_bytes() == acts
    assert git(repository, "status", "--porcelain", "--", ".longgraph") == ""


def test_a_single_path_is_told_as_one(say, begun, repository):
    (repository / ".git/info/exclude").write_text(".longgraph/\n", "utf-8")
    a_round(say, (repository / "bookshelf/new.py", "x\n"))
    audited(say, 1)
    assert "through R1: 1 path.\n" in say("checkpoint", *SUPERVISOR).out
    assert say("checkpoint", *SUPERVISOR).out.startswith("There is nothing to commit.\n")


def test_a_path_that_somebody_committed_since_stays_as_they_did_it(say, begun, repository):
    place = repository / "bookshelf/new.py"
    a_round(say, (place, "x\n"))
    audited(say, 1)
    place.write_text("the owner's version\n", "utf-8")
    git(repository, "-c", "core.hooksPath=/dev/null", "add", "bookshelf/new.py")
    git(repository, "-c", "core.hooksPath=/dev/null", "commit", "-qm", "own", "--", str(place))
    say("gate", "run", "G-1", *SUPERVISOR)
    done = say("checkpoint", *SUPERVISOR)
    assert "Left out: bookshelf/new.py: somebody committed it since" in done.out
    assert git(repository, "show", "HEAD:bookshelf/new.py") == "the owner's version\n"


def test_what_the_owner_staged_stays_staged(say, begun, repository):
    place = repository / "bookshelf/new.py"
    a_round(say, (place, "x\n"))
    place.write_text("staged by the owner\n", "utf-8")
    git(repository, "-c", "core.hooksPath=/dev/null", "add", "bookshelf/new.py")
    place.write_text("x\n", "utf-8")
    audited(say, 1)
    say("checkpoint", *SUPERVISOR)
    assert git(repository, "show", ":bookshelf/new.py") == "staged by the owner\n"
    assert git(repository, "show", "HEAD:bookshelf/new.py") == "x\n"


def test_a_clone_of_what_is_committed_passes_check_and_audit(say, begun, repository, cli):
    a_round(say, (repository / ".gitattributes", "* text=auto\n"))
    audited(say, 1)
    say("checkpoint", *SUPERVISOR)
    for number, setting in enumerate(("core.autocrlf=true", "core.eol=crlf")):
        clone = repository.parent / f"clone-{number}"
        git(repository, "clone", "-q", "-c", setting, ".", str(clone))
        there = clone / ".longgraph" / begun.name
        for name in ("executor.md", "ledger.md", "run.yaml"):
            assert (there / name).read_bytes() == (begun / name).read_bytes()
        for command in ("check", "audit"):
            done = cli(command, cwd=clone)
            assert (done.code, done.out) == (0, "")


def test_a_file_beside_the_runs_that_the_owner_changed_is_the_owner_s_to_commit(
    say, begun, repository
):
    (repository / ".longgraph/.gitignore").write_text("*\n", "utf-8")
    git(repository, "-c", "core.hooksPath=/dev/null", "add", "-f", ".longgraph/.gitignore")
    (repository / ".longgraph/.gitignore").write_text("*.tmp\n", "utf-8")
    a_round(say, (repository / "bookshelf/new.py", "x\n"))
    audited(say, 1)
    say("checkpoint", *SUPERVISOR)
    committed = git(repository, "show", "--name-only", "--format=", "HEAD").splitlines()
    assert ".longgraph/.gitattributes" in committed
    assert ".longgraph/.gitignore" not in committed
    assert git(repository, "show", ":.longgraph/.gitignore") == "*\n"


def test_hooks_in_a_folder_of_the_owner_s_are_told_of(say, begun, repository):
    for hook in (repository / ".git/hooks").iterdir():
        hook.unlink()
    a_round(say, (repository / "bookshelf/new.py", "x\n"))
    audited(say, 1)
    told = "The repository's hooks did not run."
    assert told not in say("checkpoint", *SUPERVISOR).out
    git(repository, "config", "core.hooksPath", ".husky")
    (repository / ".husky").mkdir()
    (repository / ".husky/commit-msg").write_text("#!/bin/sh\nexit 1\n", "utf-8")
    say("gate", "run", "G-1", *SUPERVISOR)
    assert told in say("checkpoint", *SUPERVISOR).out


def test_line_ends_are_committed_as_the_repository_wants_them(say, begun, repository):
    (repository / ".gitattributes").write_text("*.py text eol=lf\n*.dat filter=lfs\n", "utf-8")
    git(repository, "config", "filter.lfs.clean", "false")
    git(repository, "config", "filter.lfs.required", "true")
    shelf = repository / "bookshelf"
    a_round(say)
    (shelf / "new.py").write_bytes(b"one\r\ntwo\r\n")
    (shelf / "x.dat").write_bytes(b"large")
    say("round", "record", "--result", "ok", "--next", "more", "--as", "executor")
    audited(say, 2)
    done = say("checkpoint", *SUPERVISOR)
    assert "bookshelf/x.dat: a filter of the repository would have to run" in done.out
    assert git(repository, "show", "HEAD:bookshelf/new.py") == "one\ntwo\n"
    assert (shelf / "new.py").read_bytes() == b"one\r\ntwo\r\n"
    assert "bookshelf/new.py" not in git(repository, "status", "--porcelain")


def test_before_there_is_any_commit_it_makes_the_first(cli, tmp_path):
    root = tmp_path / "fresh"
    root.mkdir()
    git(root, "init", "-q", "-b", "later")
    git(root, "config", "user.name", "Ada")
    git(root, "config", "user.email", "ada@example.invalid")

    def say(*arguments, code=0):
        done = cli(*arguments, cwd=root)
        assert done.code == code, done
        return done

    make_run(say, root, tmp_path)
    a_round(say, (root / "app.py", "x\n"))
    audited(say, 1)
    say("checkpoint", *SUPERVISOR)
    assert git(root, "log", "--format=%D").strip() == "HEAD -> later"
    assert "app.py" in git(root, "show", "--format=", "--name-only")


def test_a_workspace_below_the_top_commits_its_own_paths(cli, repository, tmp_path):
    root = repository / "bookshelf"
    git(repository, "config", "user.name", "Ada")
    git(repository, "config", "user.email", "ada@example.invalid")
    (repository / ".gitignore").write_text(".longgraph/\n", "utf-8")
    (root / ".longgraph").mkdir()

    def say(*arguments, code=0):
        done = cli(*arguments, cwd=root)
        assert done.code == code, done
        return done

    make_run(say, root, tmp_path)
    a_round(say, (root / "new.py", "x\n"), (root / "sub/deep.py", "y\n"))
    (repository / "README.md").write_text("outside\n", "utf-8")
    audited(say, 1)
    say("checkpoint", *SUPERVISOR)
    told = git(repository, "show", "--format=", "--name-only", "HEAD").splitlines()
    assert told == ["bookshelf/new.py", "bookshelf/sub/deep.py"]  # what is ignored stays out
    status = git(repository, "status", "--porcelain").splitlines()
    assert status == [" M .gitignore", " M README.md"]


def test_in_a_worktree_its_own_branch_moves(say, begun, repository, cli, tmp_path):
    side = tmp_path / "side"
    git(repository, "-c", "core.hooksPath=/dev/null", "worktree", "add", "-q", str(side), "-b", "s")
    main = git(repository, "rev-parse", "main")

    def there(*arguments, code=0):
        done = cli(*arguments, cwd=side)
        assert done.code == code, done
        return done

    make_run(there, side, tmp_path)
    a_round(there, (side / "bookshelf/new.py", "x\n"))
    audited(there, 1)
    there("checkpoint", *SUPERVISOR)
    assert git(repository, "rev-parse", "main") == main
    assert git(side, "rev-parse", "HEAD") == git(repository, "rev-parse", "s")
    assert git(repository, "show", "s:bookshelf/new.py") == "x\n"


# Refused ---------------------------------------------------------------------------------------


def refused(say, repository, *words, code=1, **extra):
    head, index = git(repository, "rev-parse", "HEAD"), (repository / ".git/index").read_bytes()
    done = say("checkpoint", *(words or SUPERVISOR), code=code, **extra)
    assert git(repository, "rev-parse", "HEAD") == head
    assert (repository / ".git/index").read_bytes() == index
    return done.err


def test_who_may_not_commit_is_refused(say, begun, repository):
    a_round(say, (repository / "bookshelf/new.py", "x\n"))
    audited(say, 1)
    assert "not the executor's" in refused(say, repository, "--as", "executor")
    assert "nobody said who" in refused(say, repository, "--run", begun.name, CLAUDECODE="1")
    say("standing", "retire", "S-001", "--as", "owner")
    err = refused(say, repository)
    assert "STANDING grants no commit" in err
    say("standing", "add", "AUTHORITY", f"{GRANTS[0]}.", "--as", "owner")
    say("checkpoint", *SUPERVISOR)


def test_without_authority_there_is_no_commit(say, repository, tmp_path):
    git(repository, "config", "user.name", "Ada")
    git(repository, "config", "user.email", "ada@example.invalid")
    make_run(say, repository, tmp_path, "authority: B\n")
    a_round(say, (repository / "bookshelf/new.py", "x\n"))
    audited(say, 1)
    assert "STANDING grants no commit" in refused(say, repository)


def test_the_words_that_grant_are_those_of_compiled_runs_that_grant():
    for lang, grant in zip(LANGUAGES, GRANTS, strict=True):
        said = {key: wording.SENTENCES[key][lang] for key in wording.SENTENCES}
        assert [key for key, text in said.items() if grant in text] == ["authority.A"]


def test_without_a_gate_of_its_own_on_this_tree_there_is_no_commit(say, begun, repository):
    place = repository / "bookshelf/new.py"
    a_round(say, (place, "x\n"))
    say("audited", "--through", "R1", "--tips", "main", *SUPERVISOR)
    assert "no gate of yours passed" in refused(say, repository)
    say("gate", "run", "G-1", "--as", "executor")
    assert "no gate of yours passed" in refused(say, repository)
    say("gate", "run", "G-1", *SUPERVISOR)
    place.write_text("later\n", "utf-8")
    assert "no gate of yours passed" in refused(say, repository)


def test_bytes_that_the_gates_did_not_see_are_not_committed(say, begun, repository):
    shelf = repository / "bookshelf"
    good = (shelf / "__init__.py").read_text("utf-8")
    a_round(say, (shelf / "__init__.py", "broken\n"), (shelf / "gone.py", "x\n"))
    say("audited", "--through", "R1", "--tips", "main", *SUPERVISOR)
    (shelf / "__init__.py").write_text(good, "utf-8")
    (shelf / "gone.py").unlink()
    say("gate", "run", "G-1", *SUPERVISOR)
    err = refused(say, repository)
    assert "other bytes than R1 left: bookshelf/__init__.py, bookshelf/gone.py (2)" in err
    assert "recorded as a round, audit that, and run the gates on it" in err
    a_round(say, (shelf / "new.py", "x\n"))
    audited(say, 2)
    say("checkpoint", *SUPERVISOR)
    assert git(repository, "show", "HEAD:bookshelf/__init__.py") == good
    assert "gone.py" not in git(repository, "ls-tree", "-r", "--name-only", "HEAD")


def test_what_a_round_not_audited_yet_changed_again_holds_the_commit_back(say, begun, repository):
    place = repository / "bookshelf/new.py"
    a_round(say, (place, "x\n"))
    a_round(say, (place, "not audited\n"))
    audited(say, 1)
    assert "other bytes than R1 left: bookshelf/new.py (1)" in refused(say, repository)
    audited(say, 2)
    say("checkpoint", *SUPERVISOR)
    assert git(repository, "show", "HEAD:bookshelf/new.py") == "not audited\n"


@pytest.mark.parametrize("whole", [False, True])
def test_under_a_stop_no_node_begins_or_commits_anything(say, begun, repository, whole):
    a_round(say, (repository / "bookshelf/new.py", "x\n"))
    audited(say, 1)
    lift = ["resume"] if whole else ["resume", begun.name]
    say("stop", *lift[1:], "--as", "owner")
    assert "writes the edge" in refused(say, repository, "--as", "executor")
    err = refused(say, repository)
    assert "while that stands no node goes on" in err
    assert f"the owner lifts it: loopgraph {' '.join(lift)}\n" in err
    kept = (begun / "ledger.md").read_bytes()
    err = say("round", "start", "--as", "executor", code=1).err
    assert f"the owner lifts it: loopgraph {' '.join(lift)}\n" in err
    assert (begun / "ledger.md").read_bytes() == kept
    say(*lift, "--as", "owner")
    say("round", "start", "--as", "executor")
    say("checkpoint", *SUPERVISOR)


def test_the_owner_may_commit_what_the_owner_has_stopped(say, begun, repository):
    a_round(say, (repository / "bookshelf/new.py", "x\n"))
    audited(say, 1)
    say("stop", begun.name, "--as", "owner")
    say("checkpoint", "--as", "owner")
    assert git(repository, "show", "HEAD:bookshelf/new.py") == "x\n"


def test_where_no_repository_is_it_says_so_before_any_word_of_gates(cli, tmp_path):
    root = tmp_path / "plain"
    root.mkdir()

    def say(*arguments, code=0):
        done = cli(*arguments, cwd=root)
        assert done.code == code, done
        return done

    make_run(say, root, tmp_path)
    err = say("checkpoint", *SUPERVISOR, code=1).err
    assert "there is no git repository to commit to" in err
    assert "gate" not in err


def test_where_git_is_gone_it_says_so(say, begun, repository, tmp_path):
    a_round(say, (repository / "bookshelf/new.py", "x\n"))
    audited(say, 1)
    assert "git is not here" in refused(say, repository, PATH=str(tmp_path / "nowhere"))


def test_without_an_audited_round_there_is_no_commit(say, begun, repository):
    a_round(say, (repository / "bookshelf/new.py", "x\n"))
    say("gate", "run", "G-1", *SUPERVISOR)
    assert "no round is audited yet" in refused(say, repository)


def test_in_the_middle_of_something_there_is_no_commit(say, begun, repository):
    a_round(say, (repository / "bookshelf/new.py", "x\n"))
    audited(say, 1)
    for name, what in (("MERGE_HEAD", "a merge"), ("CHERRY_PICK_HEAD", "a cherry-pick")):
        mark = repository / ".git" / name
        mark.write_text(git(repository, "rev-parse", "HEAD"), "utf-8")
        assert f"{what} is under way" in refused(say, repository)
        mark.unlink()
    (repository / ".git/rebase-merge").mkdir()
    assert "a rebase is under way" in refused(say, repository)
    (repository / ".git/rebase-merge").rmdir()
    (repository / ".git/index.lock").touch()
    assert "another git holds the index" in refused(say, repository, code=75)


def test_whoever_commits_must_be_known(say, begun, repository):
    a_round(say, (repository / "bookshelf/new.py", "x\n"))
    audited(say, 1)
    git(repository, "config", "--unset", "user.email")
    assert "git does not know who commits" in refused(say, repository)


def test_a_first_round_that_nobody_started_is_measured_from_the_record(say, begun, repository):
    place = repository / "bookshelf/new.py"
    place.write_text("x\n" * 7, "utf-8")
    say("round", "record", "--result", "ok", "--next", "more", "--as", "executor")
    ledger = (begun / "ledger.md").read_text("utf-8")
    assert "changed: bookshelf/new.py | verify: ok | net +7/-0 | next" in ledger
    audited(say, 1)
    say("checkpoint", *SUPERVISOR)
    assert git(repository, "show", "HEAD:bookshelf/new.py") == "x\n" * 7


def test_what_was_dirty_at_the_start_is_changed_where_its_bytes_are_others(say, begun, repository):
    (repository / "bookshelf/api.py").write_text("the owner's, and more\n", "utf-8")
    git(repository, "-c", "core.hooksPath=/dev/null", "checkout", "-q", "HEAD", "--", "README.md")
    (repository / "notes.txt").unlink()
    say(
        *("round", "record", "--result", "ok", "--next", "more", "--as", "executor"),
        *("--net", "+1/-0"),
    )
    ledger = (begun / "ledger.md").read_text("utf-8")
    assert "changed: bookshelf/api.py, notes.txt | verify: ok | net +1/-0 (claimed)" in ledger


def test_what_only_an_unmeasured_round_changed_is_the_owner_s_to_commit(say, begun, repository):
    shelf = repository / "bookshelf"
    (repository / ".loopgraph.toml").write_text("snapshots = false\n", "utf-8")
    say("round", "start", "--as", "executor")
    (shelf / "new.py").write_text("x\n", "utf-8")
    say("round", "record", "--result", "ok", "--next", "more", "--changed", "bookshelf/new.py",
        "--net", "+1/-0", "--as", "executor")  # fmt: skip
    audited(say, 1)
    assert "no audited round was measured" in refused(say, repository)
    (repository / ".loopgraph.toml").unlink()
    a_round(say, (shelf / "second.py", "y\n"))
    audited(say, 2)
    said = say("checkpoint", *SUPERVISOR).out
    assert "Left out: R1: it was not measured" in said
    committed = git(repository, "show", "--name-only", "--format=", "HEAD")
    assert "bookshelf/second.py" in committed
    assert "bookshelf/new.py" not in committed
