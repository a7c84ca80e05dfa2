"""Serve a shelf of four books."""

from bookshelf.server import make_server
from bookshelf.shelf import Book, Shelf

BOOKS = [
    Book("b1", "Kindred", "Octavia E. Butler"),
    Book("b2", "The Left Hand of Darkness", "Ursula K. Le Guin"),
    Book("b3", "Solaris", "Stanisław Lem"),
    Book("b4", "The Dispossessed", "Ursula K. Le Guin"),
]

if __name__ == "__main__":
    server = make_server(Shelf(BOOKS))
    print("Serving on http://127.0.0.1:8080, until Ctrl-C")
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
