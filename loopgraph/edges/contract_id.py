"""The contract id on the first line of a file: which kind of file, by which version."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from loopgraph.model import contract
from loopgraph.plain import text

_RECORD: Final = "run.yaml"
_LONGEST: Final = 20
_OPENING: Final = f"Runtime contract: `{contract.NAMESPACE}."


class ContractId(NamedTuple):
    """The contract id on the first line of a file."""

    artifact: str
    version: str
    """`v6` and the like."""


def contract_id(source: str) -> ContractId | None:
    """The contract id that a file opens with, of whatever version; None where it has none."""
    line = source.partition("\n")[0].removeprefix(text.BOM).strip()
    if not line.startswith(_OPENING) or not line.endswith("`"):
        return None
    artifact, _, version = line[len(_OPENING) : -1].partition("/")
    return ContractId(artifact, version) if _is_word(version) else None


def _is_word(version: str) -> bool:
    """Whether it may name a folder: an older run's copies lie in one that has its version."""
    plain = version.replace(".", "")
    return len(version) <= _LONGEST and ((plain.isascii() and plain.isalnum()) or not version)


def versions(files: Mapping[str, str]) -> tuple[str, ...]:
    """The contract versions that a run's files name, each once, in the order of the files."""
    found = (contract_id(files.get(name, "")) for name in contract.ARTIFACTS)
    return tuple(dict.fromkeys(one.version for one in found if one))


def is_ours(files: Mapping[str, str], others: Mapping[str, str] | None = None) -> bool:
    """Whether a run bears our contract: there is a record, or a file that names our version."""
    if _RECORD in files or _RECORD in (others or {}):
        return True
    return contract.VERSION in versions(files)
