"""Which lines count, and which files are never kept."""

import pytest

from loopgraph.model import private, production


@pytest.mark.parametrize(
    "path",
    [
        *("src/a.py", "Makefile", "web/app.css", "schema.sql", "a.json", "requirements.txt"),
        *(".github/workflows/ci.yml", "latest/contest.py", "src/protest.py", "doc.py"),
    ],
)
def test_these_are_production_lines(path):
    assert production.counts(path)


@pytest.mark.parametrize(
    "path",
    [
        *(".longgraph/x/ledger.md", "tests/a.py", "src/test_a.py", "web/a.spec.ts", "README.md"),
        *("docs/conf.py", "LICENSE", "uv.lock", "web/package-lock.json", "go.sum", "CHANGES.rst"),
        *("dist/a.js", "a.min.js", "api_pb2.py", "vendor/x.go", "x/__snapshots__/a.snap"),
    ],
)
def test_these_are_none(path):
    assert not production.counts(path)


def test_globs_of_the_run_decide_alone_and_never_reach_the_run_itself():
    wanted = ("src/", "docs/*.md", "!src/old/")
    assert production.counts("src/tests/test_a.py", wanted)
    assert production.counts("docs/a.md", wanted)
    assert not production.counts("lib/a.py", wanted)
    assert not production.counts("src/old/a.py", wanted)
    assert not production.counts(".longgraph/a.py", ("**",))


@pytest.mark.parametrize(
    ("path", "secret"),
    [
        *((".env", True), ("web/.ENV", True), (".env.local", True), (".env.example", False)),
        *(("id_rsa", True), ("id_rsa.pub", False), ("keys/server.pem", True), (".npmrc", True)),
        *((".aws/credentials", True), ("x/.docker/config.json", True), ("config.json", False)),
        *(("environment.py", False), ("secrets.py", False), ("prod.tfvars", True)),
    ],
)
def test_names_that_credentials_have(path, secret):
    assert private.is_secret(path) is secret
