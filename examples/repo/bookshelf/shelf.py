"""The shelf: which books there are, and who has borrowed them."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace


class ShelfError(Exception):
    """A book that is not there, or a loan that cannot be made or ended."""


class NoSuchBookError(ShelfError):
    """No book has this id."""


class LoanError(ShelfError):
    """The book is out already, or it is not out at all."""


@dataclass(frozen=True)
class Book:
    """One book, and its reader while it is out."""

    id: str
    title: str
    author: str
    reader: str | None = None


class Shelf:
    """All books, safe to use from several threads."""

    def __init__(self, books: list[Book]) -> None:
        self._books = {book.id: book for book in books}
        self._lock = threading.Lock()

    def books(self, author: str | None = None) -> list[Book]:
        """Return the books in order of title, only those of `author` where one is named."""
        found = [book for book in self._books.values() if author in (None, book.author)]
        return sorted(found, key=lambda book: book.title)

    def book(self, book_id: str) -> Book:
        """Return one book."""
        try:
            return self._books[book_id]
        except KeyError:
            raise NoSuchBookError(book_id) from None

    def borrow(self, book_id: str, reader: str) -> Book:
        """Lend a book that is in."""
        with self._lock:
            book = self.book(book_id)
            if book.reader is not None:
                raise LoanError("on loan")
            return self._put(replace(book, reader=reader))

    def bring_back(self, book_id: str) -> Book:
        """Take back a book that is out."""
        with self._lock:
            book = self.book(book_id)
            if book.reader is None:
                raise LoanError("not on loan")
            return self._put(replace(book, reader=None))

    def _put(self, book: Book) -> Book:
        self._books[book.id] = book
        return book
