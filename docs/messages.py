"""Keep the catalogues of messages in step with the program.

    python docs/messages.py            find every message, renew each .po, compile each .mo
    python docs/messages.py --check    change nothing; exit 1 and name what a reader would miss

A message is the text in a call of `_` or `N_` (loopgraph/model/messages.py). Its translation is
edited in loopgraph/locale/<language>/LC_MESSAGES/loopgraph.po; a message that is gone from the
program leaves the file, a new one enters it empty, which means: said in English.
"""

# ruff: noqa: INP001  a script beside pages, not a package

from __future__ import annotations

import ast
import struct
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "loopgraph"
LOCALE = PACKAGE / "locale"
MARKS = {"_", "N_"}
HEAD = (
    "Project-Id-Version: loopgraph\\n"
    "Language: {language}\\n"
    "MIME-Version: 1.0\\n"
    "Content-Type: text/plain; charset=UTF-8\\n"
    "Content-Transfer-Encoding: 8bit\\n"
)
MAGIC = 0x950412DE


def messages() -> dict[str, list[str]]:
    """Every message of the program with the modules that say it, in the order of the modules."""
    found: dict[str, list[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        module = path.relative_to(ROOT).as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                continue
            if node.func.id not in MARKS or not node.args:
                continue
            match node.args[0]:
                case ast.Constant(value=str(text)):
                    places = found.setdefault(text, [])
                    places += [] if module in places else [module]
                case ast.Name() | ast.Attribute() | ast.Subscript() | ast.Call():
                    continue  # a text of a table, marked there with N_
                case _:
                    sys.exit(f"{module}:{node.lineno}: a message is one text, written out")
    return found


def read(source: str) -> dict[str, str]:
    """The translations of a .po file."""
    found: dict[str, str] = {}
    key, said, at = "", {"msgid": "", "msgstr": ""}, ""
    for line in [*source.splitlines(), "msgid"]:
        word, _, text = line.partition(" ") if not line.startswith('"') else ("", "", line)
        if word == "msgid" and at == "msgstr":
            key = said["msgid"]
            if key:
                found[key] = said["msgstr"]
            said = {"msgid": "", "msgstr": ""}
        at = word if word in said else at
        if at and text.startswith('"') and not line.startswith("#"):
            said[at] += ast.literal_eval(text)
    return found


def quoted(text: str) -> str:
    """A text as a .po file holds it."""
    for plain, escaped in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\t", "\\t")):
        text = text.replace(plain, escaped)
    return f'"{text}"'


def written(language: str, found: dict[str, list[str]], said: dict[str, str]) -> str:
    """The .po file of a language."""
    head = HEAD.format(language=language)
    lines = ['msgid ""', 'msgstr ""', *(f'"{line}\\n"' for line in head.split("\\n") if line), ""]
    for text, places in found.items():
        lines += [f"#: {place}" for place in places]
        lines += [f"msgid {quoted(text)}", f"msgstr {quoted(said.get(text, ''))}", ""]
    return "\n".join(lines)


def compiled(language: str, said: dict[str, str]) -> bytes:
    """The .mo file of a language: two tables of texts, in the form that gettext reads."""
    head = HEAD.format(language=language).replace("\\n", "\n")
    texts = {"": head, **{text: words for text, words in said.items() if words}}
    rows = sorted((text.encode(), words.encode()) for text, words in texts.items())
    start = 7 * 4 + len(rows) * 16
    tables, body = b"", b""
    for column in (0, 1):
        for row in rows:
            tables += struct.pack("<2I", len(row[column]), start + len(body))
            body += row[column] + b"\0"
    first = 7 * 4
    return (
        struct.pack("<7I", MAGIC, 0, len(rows), first, first + len(rows) * 8, 0, 0) + tables + body
    )


def files() -> dict[Path, bytes]:
    """Each catalogue as it should be."""
    found = messages()
    made: dict[Path, bytes] = {}
    for folder in sorted(LOCALE.glob("*/LC_MESSAGES")):
        language, po = folder.parent.name, folder / "loopgraph.po"
        said = read(po.read_text(encoding="utf-8")) if po.exists() else {}
        kept = {text: said[text] for text in found if text in said}
        made[po] = written(language, found, kept).encode()
        made[folder / "loopgraph.mo"] = compiled(language, kept)
    return made


def problems() -> list[str]:
    """What a reader would miss: a message without its entry, a .mo that is not its .po's.

    A translation that no message needs any longer harms nobody; renewing takes it out.
    """
    found = messages()
    said_wrong = []
    for folder in sorted(LOCALE.glob("*/LC_MESSAGES")):
        po, mo = folder / "loopgraph.po", folder / "loopgraph.mo"
        said = read(po.read_text(encoding="utf-8")) if po.exists() else {}
        name = po.relative_to(ROOT).as_posix()
        said_wrong += [f"{name}: no entry for {text!r}" for text in found if text not in said]
        if not mo.exists() or mo.read_bytes() != compiled(folder.parent.name, said):
            said_wrong.append(f"{mo.relative_to(ROOT).as_posix()} is not made from its .po")
    return said_wrong


def main(arguments: list[str]) -> int:
    """Renew or check every catalogue; the exit code."""
    if arguments not in ([], ["--check"]):
        sys.exit(__doc__)
    if arguments:
        wrong = problems()
        sys.stderr.write("".join(f"{line}: python docs/messages.py\n" for line in wrong))
        return 1 if wrong else 0
    for path, data in files().items():
        if not path.exists() or path.read_bytes() != data:
            path.write_bytes(data)
            sys.stdout.write(f"{path.relative_to(ROOT).as_posix()}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
