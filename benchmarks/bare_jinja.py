"""What compiling costs with nothing but Jinja2: `bare_jinja.py CONTEXT.json TEMPLATES OUT`.

The context is plain data, made beforehand, with every decision taken. Each file is written to a
temporary name and moved into place.
"""

from __future__ import annotations

import json
import os
import sys

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from loopgraph.plain import quoting


def main(context_file: str, templates: str, out: str) -> None:
    """Render each file that the context names."""
    with open(context_file, encoding="utf-8") as file:
        context = json.load(file)
    environment = Environment(
        loader=FileSystemLoader(templates),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    for name in ("visible", "inline", "cell", "code", "block"):
        environment.filters[name] = getattr(quoting, name)
    os.mkdir(out)
    for name, own in context["files"].items():
        text = environment.get_template(f"{name}.j2").render(context["common"], **own)
        target = os.path.join(out, name)
        with open(f"{target}.new", "wb") as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
        os.replace(f"{target}.new", target)


if __name__ == "__main__":
    main(*sys.argv[1:])
