"""The published schemas accept what the program itself writes."""

from __future__ import annotations

import json

import fastjsonschema
import pytest

from loopgraph.model.finding import Finding
from loopgraph.views import findings as view
from loopgraph.views.schemas import SCHEMAS


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_whole_and_says_its_dialect(name):
    schema = SCHEMAS[name]()
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["title"]
    fastjsonschema.compile(schema)  # refuses a reference that leads nowhere


FOUND = [
    Finding("LG101", "a/ledger.md", 3, "no status", "Write one.", 7),
    Finding("LG202", "a/directives.md", 0, "too long", level="warning"),
]


def test_findings_are_as_their_schema_says():
    accepts = fastjsonschema.compile(SCHEMAS["findings"]())
    for findings in ([], FOUND):
        accepts(json.loads(view.as_json(findings)))


@pytest.mark.parametrize("field", Finding._fields)
def test_a_finding_without_a_field_is_not_as_its_schema_says(field):
    answer = json.loads(view.as_json(FOUND))
    del answer["findings"][0][field]
    with pytest.raises(fastjsonschema.JsonSchemaException):
        fastjsonschema.compile(SCHEMAS["findings"]())(answer)
