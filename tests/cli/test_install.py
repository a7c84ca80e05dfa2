"""`install` and `uninstall`: the hook and the skill, in and out again, told in a few lines."""

from __future__ import annotations

import json

import fastjsonschema
import pytest

from loopgraph.hosts import hooks
from loopgraph.views.schemas import SCHEMAS
from tests.cli.test_dry_run import everything

CLIENTS = sorted(hooks.BY_NAME)


@pytest.fixture
def work(tmp_path):
    folder = tmp_path / "it's a $HOME 仓库"
    (folder / ".git").mkdir(parents=True)
    return folder


def ask(cli, work, *arguments, code=0, **extra):
    done = cli(*arguments, "--json", cwd=work, **extra)
    assert done.code == code, (done.out, done.err)
    answer = json.loads(done.out)
    if code == 0:
        fastjsonschema.compile(SCHEMAS["install"]())(answer)
    return answer


def outcomes(answer):
    return [one["outcome"] for one in answer["files"]]


@pytest.mark.parametrize("scope", ["--project", "--user"])
@pytest.mark.parametrize("client", CLIENTS)
def test_what_was_installed_is_uninstalled_to_the_last_folder(cli, work, client, scope):
    def around():
        return everything(work), [
            path for path in sorted(cli.home.rglob("*")) if ".local" not in path.parts
        ]

    before = around()
    assert outcomes(ask(cli, work, "install", client, scope)) == ["added", "added"]
    assert around() != before
    assert outcomes(ask(cli, work, "install", client, scope)) == ["same", "same"]
    assert outcomes(ask(cli, work, "uninstall", client, scope)) == ["deleted", "deleted"]
    assert around() == before
