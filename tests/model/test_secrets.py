"""What looks like a credential is found by line, and what only resembles one is not."""

from __future__ import annotations

import pytest

from loopgraph.model import secrets

A36, H32, H64 = "a1B2" * 9, "0a1b2c3d" * 4, "0a1b2c3d" * 8

LEAKS = (
    ("an AWS access key", "AKIA" + "IOSFODNN7EXAMPLE"),
    ("an AWS session key", "ASIA" + "IOSFODNN7EXAMPLE"),
    *(("a GitHub token", f"gh{kind}_{A36}") for kind in "pousr"),
    ("a GitHub token", f"github_pat_{A36}{A36}"),
    ("a GitLab token", f"glpat-{A36[:20]}"),
    ("a Slack token", f"xoxb-12345678901-{A36[:24]}"),
    ("a Slack token", f"xapp-1-{A36[:24]}"),
    ("an API key of a model vendor", f"sk-{A36}"),
    ("an API key of a model vendor", f"sk-ant-api03-{A36}-{A36}"),
    ("an API key of a model vendor", f"sk-proj-{A36}"),
    ("a Stripe key", f"sk_live_{A36[:24]}"),
    ("a Stripe key", f"rk_live_{A36[:24]}"),
    ("a Stripe webhook secret", f"whsec_{A36[:32]}"),
    ("a Google API key", f"AIza{A36[:35]}"),
    ("a Google client secret", f"GOCSPX-{A36[:28]}"),
    ("a Google access token", f"ya29.{A36}"),
    ("an npm token", f"npm_{A36}"),
    ("a PyPI token", f"pypi-{A36}{A36}"),
    ("a Hugging Face token", f"hf_{A36}"),
    ("a SendGrid key", f"SG.{A36[:22]}.{A36}"),
    ("a DigitalOcean token", f"dop_v1_{H64}"),
    ("a Databricks token", f"dapi{H32}"),
    ("a Vault token", f"hvs.{A36}"),
    ("a Shopify token", f"shpat_{H32}"),
    ("a Linear key", f"lin_api_{A36}"),
    ("an Azure storage key", f"AccountKey={A36}{A36}"),
    ("an age key", f"AGE-SECRET-KEY-1{A36.upper()}"),
    ("a signed web token", f"eyJ{A36}.eyJ{A36}.{A36}"),
    ("a private key", "-----BEGIN PRIVATE KEY-----"),
    ("a private key", "-----BEGIN OPENSSH PRIVATE KEY-----"),
    ("a private key", "-----BEGIN PGP PRIVATE KEY BLOCK-----"),
    ("a private key", "PuTTY-User-Key-File-3: ssh-ed25519"),
)


@pytest.mark.parametrize(("kind", "secret"), LEAKS)
def test_a_credential_is_found_where_it_stands(kind, secret):
    (found,) = secrets.find(f"one\ntoken: {secret}\nthree\n")
    assert found == secrets.Secret(2, 8, kind)
    assert secret not in str(found)


def test_every_kind_of_the_table_has_a_case():
    assert {kind for kind, _ in LEAKS} == {kind for _, _, kind in secrets.KINDS}


@pytest.mark.parametrize(
    "text",
    [
        "disk-usage-of-the-whole-workspace-2026-01-02",
        "task-management-and-other-long-names-with-hyphens",
        "AKIA is how an AWS key begins",
        "ghp_short",
        "the PRIVATE KEY of the store is the owner's",
        "-----BEGIN PUBLIC KEY-----",
        "eyJhbGciOi is only a beginning",
        "npm_config_registry=https://registry.example",
        "mapiAKIAIOSFODNN7EXAMPLE0000",
        "hf_transfer",
        "",
    ],
)
def test_what_only_resembles_a_credential_is_none(text):
    assert list(secrets.find(text)) == []


def test_a_secret_a_line_is_told_and_order_is_the_tables():
    text = f"{LEAKS[-1][1]}\n{LEAKS[0][1]}\n{LEAKS[0][1]} {LEAKS[0][1]}\n"
    assert [secret.line for secret in secrets.find(text)] == [2, 3, 1]
