"""Names that credentials are kept under, and names that only resemble them."""

from __future__ import annotations

import pytest

from loopgraph.model import private

SECRET = (
    *(".envrc", ".netrc", "_netrc", ".pypirc", ".pgpass", ".my.cnf", ".s3cfg", ".htpasswd"),
    *(".git-credentials", ".dockercfg", ".vault-token", ".boto", "credentials", "master.key"),
    *("credentials.json", "credentials.yml", "credentials.yaml", "kubeconfig", "a/KubeConfig"),
    *("secrets.json", "secrets.yml", "secrets.yaml", "secrets.toml", "secret.json", "secret.yml"),
    *("secret.yaml", "client_secret.json", "service-account.json", "service_account.json"),
    *("a.pem", "a.key", "a.p12", "a.pfx", "a.pkcs12", "a.jks", "a.keystore", "a.kdbx", "a.kdb"),
    *("a.ppk", "a.ovpn", "terraform.tfstate", "b.tfstate", "b.tfstate.backup", "b.tfvars"),
    *("a.agekey", "a.asc.key", ".env.production", "my.env", "id_rsa_old", "id_dsa", "id_ecdsa"),
    *("id_ed25519", "client_secret_12.json", ".aws/credentials", "home/.kube/config"),
    *(".docker/config.json", ".ssh/config", "home/.SSH/config", "a/.env"),
)
HARMLESS = (
    *("a.pub", "id_ed25519.pub", ".env.sample", ".env.template", ".env.dist", ".env.defaults"),
    *("secrets.json.example", "credentials.md", "pem", "key", "environment", "config"),
    *("example.env", "a/sample.env", "Template.env", "my.envx"),
    *("kube/config", "x.kube/config", "docker/config.json", "my_id_rsa", "pem/a.txt", ""),
)


@pytest.mark.parametrize("path", SECRET)
def test_a_name_of_credentials_is_known_wherever_it_lies_and_however_it_is_cased(path):
    assert private.is_secret(path)
    assert private.is_secret(f"deep/down/{path}".upper())


@pytest.mark.parametrize("path", HARMLESS)
def test_a_name_that_only_resembles_one_is_none(path):
    assert not private.is_secret(path)
