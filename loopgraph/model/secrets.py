"""Secrets: what the credentials of well-known vendors look like, so that none is ever kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from loopgraph.model.messages import N_


class Secret(NamedTuple):
    """Where a text holds what looks like a credential; never the credential itself."""

    line: int
    """From 1."""
    column: int
    """From 1."""
    kind: str
    """With its article, as a sentence wants it: `a GitHub token`; `_` says it."""


KINDS: Final[tuple[tuple[str, str, str], ...]] = (
    ("AKIA", r"AKIA[0-9A-Z]{16}\b", N_("an AWS access key")),
    ("ASIA", r"ASIA[0-9A-Z]{16}\b", N_("an AWS session key")),
    ("ghp_", r"ghp_[0-9A-Za-z]{36}", N_("a GitHub token")),
    ("gho_", r"gho_[0-9A-Za-z]{36}", N_("a GitHub token")),
    ("ghu_", r"ghu_[0-9A-Za-z]{36}", N_("a GitHub token")),
    ("ghs_", r"ghs_[0-9A-Za-z]{36}", N_("a GitHub token")),
    ("ghr_", r"ghr_[0-9A-Za-z]{36}", N_("a GitHub token")),
    ("github_pat_", r"github_pat_\w{50,255}", N_("a GitHub token")),
    ("glpat-", r"glpat-[\w-]{20,255}", N_("a GitLab token")),
    ("xox", r"xox[abeoprs]-[0-9A-Za-z-]{20,255}", N_("a Slack token")),
    ("xapp-", r"xapp-[0-9A-Za-z-]{20,255}", N_("a Slack token")),
    ("sk-", r"sk-[\w-]{0,40}?[0-9A-Za-z]{20,255}", N_("an API key of a model vendor")),
    ("sk_live_", r"sk_live_[0-9A-Za-z]{16,255}", N_("a Stripe key")),
    ("rk_live_", r"rk_live_[0-9A-Za-z]{16,255}", N_("a Stripe key")),
    ("whsec_", r"whsec_[0-9A-Za-z+/=]{24,255}", N_("a Stripe webhook secret")),
    ("AIza", r"AIza[\w-]{35}", N_("a Google API key")),
    ("GOCSPX-", r"GOCSPX-[\w-]{20,255}", N_("a Google client secret")),
    ("ya29.", r"ya29\.[\w-]{20,255}", N_("a Google access token")),
    ("npm_", r"npm_[0-9A-Za-z]{36}", N_("an npm token")),
    ("pypi-", r"pypi-[\w-]{50,255}", N_("a PyPI token")),
    ("hf_", r"hf_[0-9A-Za-z]{30,255}", N_("a Hugging Face token")),
    ("SG.", r"SG\.[\w-]{16,64}\.[\w-]{16,64}", N_("a SendGrid key")),
    ("dop_v1_", r"dop_v1_[0-9a-f]{64}", N_("a DigitalOcean token")),
    ("dapi", r"dapi[0-9a-f]{32}", N_("a Databricks token")),
    ("hvs.", r"hvs\.[\w-]{20,255}", N_("a Vault token")),
    ("shpat_", r"shpat_[0-9A-Fa-f]{32}", N_("a Shopify token")),
    ("lin_api_", r"lin_api_[0-9A-Za-z]{32,255}", N_("a Linear key")),
    ("AccountKey=", r"AccountKey=[0-9A-Za-z+/]{40,255}", N_("an Azure storage key")),
    ("AGE-SECRET-KEY-", r"AGE-SECRET-KEY-1[0-9A-Z]{20,255}", N_("an age key")),
    ("eyJ", r"eyJ[\w-]{10,2000}\.eyJ[\w-]{10,4000}\.[\w-]{10,1000}", N_("a signed web token")),
    ("PRIVATE KEY", r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----", N_("a private key")),
    ("PuTTY-User", r"PuTTY-User-Key-File-\d", N_("a private key")),
)
"""What any such credential contains, its form, and what to call it.

The first is looked for by itself: it costs almost nothing in a text that has none. Every form
begins with fixed characters and repeats within bounds, so no text makes it slow.
"""


def find(text: str) -> Iterator[Secret]:
    """Where a text holds what looks like a credential, in the order of the table."""
    for mark, form, kind in KINDS:
        if mark not in text:
            continue
        # re.compile keeps what it compiled; the others are never compiled at all.
        for number, line in enumerate(text.split("\n"), 1):
            if mark in line and (found := re.search(rf"(?<![0-9A-Za-z]){form}", line)):
                yield Secret(number, found.start() + 1, kind)
