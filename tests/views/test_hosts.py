from __future__ import annotations

import json

import pytest

from loopgraph.hosts import HOSTS
from loopgraph.model.errors import UsageError
from loopgraph.views import hosts


def test_the_list_has_each_host_once_in_the_order_of_the_table() -> None:
    rows = hosts.listing().splitlines()
    assert [row.split()[0] for row in rows] == list(HOSTS)
    for row, host in zip(rows, HOSTS.values(), strict=True):
        assert host.TITLE in row
        assert host.CHECKED.date in row


@pytest.mark.parametrize("name", HOSTS)
def test_one_host_fits_80_columns(name: str) -> None:
    text = hosts.shown(HOSTS[name])
    assert text.startswith(f"{HOSTS[name].TITLE}\n")
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("name", HOSTS)
def test_the_table_of_a_page_says_when_and_on_what_it_was_checked(name: str) -> None:
    table = hosts.reference_table(HOSTS[name])
    assert all(row.count("|") == 3 for row in table.splitlines())
    assert HOSTS[name].CHECKED.date in table
    assert HOSTS[name].CHECKED.version in table


def test_expiry_names_both_figures_and_relies_on_the_smaller() -> None:
    assert hosts.facts(HOSTS["claude-code"])["Timer ends after"] == (
        "7 days (30 measured, 7 documented)"
    )
    assert hosts.facts(HOSTS["shell"])["Timer ends after"] == "never"


def test_the_same_as_data_is_plain() -> None:
    found = json.loads(json.dumps(hosts.data()))
    assert found["schema"] == "loopgraph/hosts/1"
    assert [host["name"] for host in found["hosts"]] == list(HOSTS)
    first = found["hosts"][0]
    assert first["capabilities"]["minimum"] == "1m"
    assert first["capabilities"]["expiry"] == {"measured": 30, "documented": 7}


def test_a_wrong_name_is_met_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="Did you mean claude-code"):
        hosts.named("claude-cod")


@pytest.mark.parametrize(
    ("name", "host"), [("cron", "shell"), ("Claude", "claude-code"), ("gork", "grok")]
)
def test_a_word_of_a_hosts_title_names_that_host(name: str, host: str) -> None:
    with pytest.raises(UsageError, match=rf"Did you mean {host}\?"):
        hosts.named(name)
