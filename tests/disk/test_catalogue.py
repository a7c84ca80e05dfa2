"""The reader's language, and catalogues that are in step with the program."""

from __future__ import annotations

import re
import subprocess
import sys
from gettext import GNUTranslations
from pathlib import Path

import pytest

from loopgraph.disk import catalogue
from loopgraph.model import messages
from loopgraph.model.messages import _

ROOT = Path(__file__).parents[2]
CATALOGUES = sorted(catalogue.FOLDER.glob("*/LC_MESSAGES/loopgraph.mo"))


@pytest.fixture(autouse=True)
def english():
    yield
    messages.use(None)


@pytest.mark.parametrize(
    ("environ", "lang"),
    [
        ({}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "zh_TW"}, "zh"),
        ({"LC_ALL": "de_DE.UTF-8"}, "en"),
        ({"LC_ALL": "", "LANG": "zh"}, "zh"),
    ],
)
def test_the_locale_chooses_among_what_we_speak(environ, lang):
    assert catalogue.of_locale(environ, ("en", "zh")) == lang
    assert catalogue.of_locale(environ, ("en",)) == "en"


@pytest.mark.parametrize(
    ("arguments", "lang"),
    [
        (["new", "--lang", "zh"], "zh"),
        (["new", "--lang=zh"], "zh"),
        (["new", "--lang", "xx"], "en"),
        (["new", "--lang"], "en"),
        (["check"], "en"),
    ],
)
def test_a_call_may_ask_for_its_language(arguments, lang):
    assert catalogue.of_call(arguments, {}) == lang


def test_values_are_put_in_literally_whatever_they_hold():
    assert _("{what} is {how}", what="{how}", how="a {brace}") == "{how} is a {brace}"
    assert _("{what} stays", other="x") == "{what} stays"


def test_english_loads_no_catalogue_at_all():
    code = (
        "import sys\nfrom loopgraph.disk import catalogue\ncatalogue.speak('en')\n"
        "assert 'gettext' not in sys.modules\ncatalogue.speak('zh')\n"
        "assert 'gettext' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def test_the_catalogues_are_in_step_with_the_program():
    done = subprocess.run(
        [sys.executable, ROOT / "docs/messages.py", "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parts[-3])
def test_a_translation_has_the_values_of_its_message(path):
    with path.open("rb") as file:
        found: dict[str, str] = vars(GNUTranslations(file))["_catalog"]
    names = re.compile(r"\{[a-z_]+\}")
    for text, said in found.items():
        if text:
            assert sorted(names.findall(text)) == sorted(names.findall(said)), text


def test_a_translation_is_what_a_reader_of_chinese_gets():
    path = catalogue.FOLDER / "zh/LC_MESSAGES/loopgraph.mo"
    with path.open("rb") as file:
        found = GNUTranslations(file)
    catalogue.speak("zh")
    assert _("no such preset") == found.gettext("no such preset")
    catalogue.speak("en")
    assert _("no such preset") == "no such preset"
