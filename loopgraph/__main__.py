"""The front door: calls that must be quick leave here before the command line is loaded."""

from __future__ import annotations

import os
import sys


def main() -> int:
    """Run the command line in `sys.argv`; return the exit code."""
    match sys.argv[1:]:
        case ["--version"]:
            from loopgraph import __version__

            try:  # noqa: SIM105  contextlib would cost every hook a tenth of its life
                os.write(1, f"loopgraph {__version__}\n".encode())
            except OSError:
                pass  # nobody reads it
            return 0
        case ["hook", *rest] if rest != ["--help"]:
            from loopgraph.hook.stop import leave
            from loopgraph.hook.stop import main as hook

            return leave(hook(rest))
        case arguments:
            import gc

            # A short life makes little garbage; looking for it costs a tenth of that life.
            gc.disable()
            try:
                from loopgraph.cli import main as command_line

                code = command_line(arguments)
            except KeyboardInterrupt:  # while it was still loading
                return 130
            if arguments[:1] in (["status"], ["next"]):
                os._exit(code)  # all is flushed, and the long farewell is a tenth of their life
            return code


if __name__ == "__main__":
    raise SystemExit(main())
