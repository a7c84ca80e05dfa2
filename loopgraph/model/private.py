"""What is never kept in a snapshot by its name: files that hold credentials."""

from __future__ import annotations

from typing import Final

_NAMES: Final = frozenset(
    {
        ".env", ".envrc", ".netrc", "_netrc", ".npmrc", ".pypirc", ".pgpass", ".my.cnf", ".s3cfg",
        ".git-credentials", ".htpasswd", ".dockercfg", ".vault-token", ".boto", "credentials",
        "credentials.json", "credentials.yml", "credentials.yaml", "secrets.json", "secrets.yml",
        "secrets.yaml", "secrets.toml", "secret.json", "secret.yml", "secret.yaml", "master.key",
        "client_secret.json", "service-account.json", "service_account.json", "kubeconfig",
        "terraform.tfstate",
    }
)  # fmt: skip
_ENDS: Final = (
    *(".pem", ".key", ".p12", ".pfx", ".pkcs12", ".jks", ".keystore", ".kdbx", ".kdb", ".ppk"),
    *(".ovpn", ".tfstate", ".tfstate.backup", ".tfvars", ".agekey", ".asc.key", ".env"),
)
_BEGINS: Final = (".env.", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "client_secret_")
_PLACES: Final = (".aws/credentials", ".docker/config.json", ".kube/config", ".ssh/config")
_HARMLESS: Final = (".pub", ".example", ".sample", ".template", ".dist", ".defaults")
"""Their content is looked at all the same."""
_SHOWN: Final = frozenset({"example.env", "sample.env", "template.env"})


def is_secret(path: str) -> bool:
    """Whether a name is one of those that credentials are kept under."""
    said = path.casefold()
    name = said.rpartition("/")[2]
    if name.endswith(_HARMLESS) or name in _SHOWN:
        return False
    return (
        name in _NAMES
        or name.endswith(_ENDS)
        or name.startswith(_BEGINS)
        or said.endswith(tuple(f"/{place}" for place in _PLACES))
        or said in _PLACES
    )
