"""The server, called over a real socket."""

import json
import threading
from http.client import HTTPConnection

from bookshelf.server import make_server
from bookshelf.shelf import Book, Shelf


def test_a_book_can_be_read_over_http():
    server = make_server(Shelf([Book("b3", "Solaris", "Lem")]), port=0)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    client = HTTPConnection("127.0.0.1", server.server_address[1], timeout=10)
    try:
        client.request("GET", "/books/b3")
        assert json.load(client.getresponse())["title"] == "Solaris"
    finally:
        client.close()
        server.shutdown()
        server.server_close()
        thread.join()
