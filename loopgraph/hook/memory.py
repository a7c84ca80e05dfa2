"""What the hook remembers of a session between two Stops: counts, digests, and its last answer.

One small JSON file a session in the user's state folder, never in the workspace.
"""

from __future__ import annotations

import os

from loopgraph.disk import floor
from loopgraph.plain import jsontext, places

LIMIT = 256 * 1024
KEPT = 500
"""So many sessions are remembered; the oldest make room."""
SESSIONS = "sessions"
_LOCKS = 16
"""Lock files: sessions that share one wait for each other for a moment."""


class Memory:
    """A session's numbers and words; what is missing or of a wrong type is 0 or empty."""

    def __init__(self, folder: str | None, session: str) -> None:
        self._folder = f"{folder}/{SESSIONS}" if folder else ""
        self._path = f"{self._folder}/{places.file_name(session)}.json"
        self._draft = f"{self._path}.draft"
        self._values: dict[str, object] = {}
        self.broken = False
        """Whether there was a file, and nothing could be read from it."""

    def load(self) -> None:
        """Read the file; a broken one is an empty one."""
        if not self._folder:
            return
        there = os.path.lexists(self._path)
        data = floor.peek(self._path if there else self._draft, LIMIT)
        if data is None:
            self.broken = there
            return
        found = jsontext.attempt(data.decode("utf-8", "replace"))
        self.broken = there and not isinstance(found, dict)
        self._values = found if isinstance(found, dict) else {}

    def lock(self) -> floor.Lock:
        """The lock under which this session is judged; makes the folders."""
        if not self._folder:
            raise OSError("there is no state folder")
        os.makedirs(self._folder, mode=0o700, exist_ok=True)
        number = int(places.digest(self._path.encode("utf-8", "surrogatepass")), 16) % _LOCKS
        path = f"{self._folder}/.lock-{number:x}"
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))  # so that refusal is seen here
        return floor.Lock(path, wait=4.0)

    def number(self, name: str) -> int:
        """A count."""
        value = self._values.get(name)
        return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0

    def moment(self, name: str) -> float:
        """An instant of the machine's own clock."""
        value = self._values.get(name)
        return float(value) if isinstance(value, int | float) else 0.0

    def word(self, name: str) -> str:
        """A text."""
        value = self._values.get(name)
        return value if isinstance(value, str) else ""

    def words(self, name: str) -> list[str]:
        """A list of texts."""
        value = self._values.get(name)
        listed = value if isinstance(value, list) else []
        return [one for one in listed if isinstance(one, str)]

    def has(self, name: str) -> bool:
        """Whether there is such an entry."""
        return self._values.get(name) is not None

    def set(self, **values: object) -> None:
        """Remember, or with None forget; `save` writes it."""
        self._values.update(values)

    def save(self) -> bool:
        """Write the file; whether that was possible.

        A rename over a file makes some file systems wait for the disk. So the old file goes once
        the draft is whole, and `load` takes the draft where a crash left that alone.
        """
        try:
            if not os.path.lexists(self._path):
                self._make_room()
            text = jsontext.dumps(self._values) + "\n"
            floor.remove(self._draft)
            floor.write_new(self._draft, text.encode(), mode=0o600, durable=False)
            floor.remove(self._path)
            os.rename(self._draft, self._path)
        except (OSError, ValueError):
            return False
        return True

    def _make_room(self) -> None:
        """Remove the oldest files where there are too many."""
        names = [name for name in os.listdir(self._folder) if name.endswith(".json")]
        if len(names) < KEPT:
            return
        paths = [f"{self._folder}/{name}" for name in names]
        paths.sort(key=_age)
        for path in paths[: len(paths) - KEPT + 1]:
            floor.remove(path)


def _age(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0
