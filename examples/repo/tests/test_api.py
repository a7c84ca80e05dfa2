"""The API, called as a function."""

import json

import pytest

from bookshelf.api import Answer, Request, handle
from bookshelf.shelf import Book, Shelf


@pytest.fixture
def shelf():
    return Shelf([Book("b1", "Kindred", "Butler"), Book("b2", "Dawn", "Butler"), Book("b3", "Solaris", "Lem")])


def ask(shelf, method, target, body=None):
    return handle(shelf, Request(method, target, "203.0.113.7", json.dumps(body).encode()))


def test_the_list_is_in_order_of_title(shelf):
    titles = [book["title"] for book in ask(shelf, "GET", "/books").content]
    assert titles == ["Dawn", "Kindred", "Solaris"]


def test_the_list_can_be_narrowed_to_an_author(shelf):
    assert [book["id"] for book in ask(shelf, "GET", "/books?author=Lem").content] == ["b3"]


def test_a_book_is_lent_once_and_again_after_it_came_back(shelf):
    lend = lambda reader: ask(shelf, "POST", "/books/b1/loan", {"reader": reader})
    assert lend("ada").content["reader"] == "ada"
    assert lend("bob") == Answer(409, {"error": "on loan"})
    assert ask(shelf, "DELETE", "/books/b1/loan").status == 200
    assert lend("bob").content["reader"] == "bob"


@pytest.mark.parametrize(
    ("method", "target", "body", "status"),
    [
        ("GET", "/health", None, 200),
        ("GET", "/books/b9", None, 404),
        ("GET", "/shelves", None, 404),
        ("POST", "/books/b1/loan", {"reader": ""}, 400),
        ("POST", "/books/b1/loan", ["ada"], 400),
        ("PUT", "/books/b1/loan", {"reader": "ada"}, 405),
        ("DELETE", "/books/b1/loan", None, 409),
    ],
)
def test_each_request_has_its_status(shelf, method, target, body, status):
    assert ask(shelf, method, target, body).status == status
