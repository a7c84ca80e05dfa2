"""The server: sockets on one side, `api.handle` on the other."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from bookshelf.api import Request, handle
from bookshelf.shelf import Shelf

BODY_LIMIT = 64 * 1024


def make_server(shelf: Shelf, host: str = "127.0.0.1", port: int = 8080) -> ThreadingHTTPServer:
    """Bind a server for this shelf; the caller runs it."""

    class Handler(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            length = min(int(self.headers.get("Content-Length") or 0), BODY_LIMIT)
            body = self.rfile.read(length)
            answer = handle(shelf, Request(self.command, self.path, self.client_address[0], body))
            content = json.dumps(answer.content).encode()
            self.send_response(answer.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_DELETE = _answer

        def log_message(self, format: str, *args: object) -> None:
            pass

    return ThreadingHTTPServer((host, port), Handler)
