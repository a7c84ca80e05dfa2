"""Packs on the screen."""

from __future__ import annotations

from pathlib import Path

from loopgraph import resources
from loopgraph.author import packs
from loopgraph.views import packs as view

BASE = (Path(__file__).parents[1] / "cases/packs/base.yaml").read_text("utf-8")


def parse(source=BASE, name="tidy"):
    return packs.parse(source, name=name, where=f"{name}.yaml", origin="path", lang="en")


def test_a_listing_names_each_pack_its_place_and_its_goal():
    ours = (resources.data("presets") / "deliver.yaml").read_text("utf-8")
    entries = [
        view.Entry("tidy", "workspace", ".loopgraph/presets/tidy.yaml", parse()),
        view.Entry("deliver", "built-in", "built-in", parse(ours, "deliver")),
        view.Entry("torn", "user", "/home/ada/torn.yaml", None, "guards: it is missing"),
    ]
    shown = view.listing(entries)
    assert shown.startswith(
        "tidy (.loopgraph/presets/tidy.yaml)\n    Every page builds.\n"
        "deliver (built-in)\n    Your goal. Item: One vertical slice:"
    )
    assert shown.endswith("torn (/home/ada/torn.yaml)\n    not usable: guards: it is missing\n")
    data = view.listing_data(entries)
    assert data["schema"] == "loopgraph/presets/1"
    assert [entry["problem"] for entry in data["presets"]] == ["", "", "guards: it is missing"]


def test_a_hostile_file_name_cannot_steer_the_terminal():
    shown = view.listing([view.Entry("a\x1b[2J", "workspace", "a\x1b[2J.yaml", None, "x\x07")])
    assert "\x1b" not in shown
    assert "\x07" not in shown


def test_a_pack_is_shown_whole_within_eighty_columns():
    for path in resources.data("presets").glob("*.yaml"):
        pack = parse(path.read_text("utf-8"), path.stem)
        shown = view.whole(pack, "built-in")
        assert max(map(len, shown.splitlines())) < 80
        flat = " ".join(shown.split())
        said = [pack.proof, pack.text.item, *pack.text.plan, *pack.text.guards, *pack.text.audits]
        said += [row.exit_checks for row in pack.milestones]
        said += [option.text for question in pack.questions for option in question.options]
        said += [f"{name}={found.value}" for name, found in pack.knobs.items()]
        said += [*pack.text.emphasis.ops, *pack.text.emphasis.ledger]
        for text in said:
            assert text in flat


def test_a_pack_without_a_goal_says_that_it_is_yours():
    source = BASE.replace("outcome: Every page builds.", 'outcome: ""')
    assert "  - (your goal)\n" in view.whole(parse(source), "built-in")


def test_a_verdict_weighs_a_pack_and_names_what_is_not_translated():
    pack = parse()
    version = pack.text.version
    assert view.verdict(pack, "tidy.yaml", ()) == (
        f"tidy.yaml: a whole pack, version {version}\n"
        "  adds 80 of at most 3,200 bytes to executor.md, 24 of 1,200 to supervisor.md\n"
    )
    keys = tuple(f"guards[{at}]" for at in range(1, 7))
    assert view.verdict(pack, "tidy.yaml", keys).endswith(
        "  warning: no zh in guards[1], guards[2], guards[3], guards[4] and 2 more;\n"
        "  English stands in for it\n"
    )
