"""The API: a request in, an answer out, no socket in sight."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

from bookshelf.shelf import LoanError, NoSuchBookError, Shelf


class Request(NamedTuple):
    """What a client asks."""

    method: str
    target: str
    """Path and query, as they stand in the request line."""
    client: str
    """The address it comes from."""
    body: bytes = b""


class Answer(NamedTuple):
    """What the client is told."""

    status: int
    content: object


def handle(shelf: Shelf, request: Request) -> Answer:
    """Answer one request; a client's mistake is an answer too."""
    url = urlsplit(request.target)
    path = url.path.strip("/").split("/")
    try:
        match request.method, path:
            case "GET", ["health"]:
                return Answer(200, {"status": "ok"})
            case "GET", ["books"]:
                author = parse_qs(url.query).get("author", [None])[0]
                return Answer(200, [asdict(book) for book in shelf.books(author)])
            case "GET", ["books", book_id]:
                return Answer(200, asdict(shelf.book(book_id)))
            case _, ["books", book_id, "loan"]:
                return _loan(shelf, request, book_id)
    except NoSuchBookError:
        return Answer(404, {"error": "no such book"})
    except LoanError as error:
        return Answer(409, {"error": str(error)})
    return Answer(404, {"error": "no such page"})


def _loan(shelf: Shelf, request: Request, book_id: str) -> Answer:
    if request.method == "DELETE":
        return Answer(200, asdict(shelf.bring_back(book_id)))
    if request.method != "POST":
        return Answer(405, {"error": "a loan is made by POST and ended by DELETE"})
    reader = _reader(request.body)
    if reader is None:
        return Answer(400, {"error": 'the body has to be {"reader": "<name>"}'})
    return Answer(200, asdict(shelf.borrow(book_id, reader)))


def _reader(body: bytes) -> str | None:
    try:
        data = json.loads(body)
    except ValueError:
        return None
    name = data.get("reader") if isinstance(data, dict) else None
    return name if isinstance(name, str) and name else None
