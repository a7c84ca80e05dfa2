"""A model that says what a script tells it to, over both wire formats, on loopback.

A script is data: a list of steps. Each request of the agent takes the next one; when none is left,
the answer says so, as often as it is asked. A step is one of

    {"say": "text"}                          a text; the turn ends here
    {"run": "command"}                       a call of the client's shell tool
    {"use": "CronCreate", "with": {…}}       a call of any other tool, by its name
    {"refuse": 529}                          an error of the service with that status

and may have `"say"` beside a call, `"tokens"`: how full the context is said to be, `"after"`:
seconds that pass before the answer, and `"again": true`: it is never used up. In a step `<<REGEX>>`
becomes what the group of that expression last matched in the conversation: an agent reads an id
from one answer and writes it into the next call.

Questions beside the conversation (a title for it, a summary) get one fixed answer each and take no
step. Nothing here depends on a clock or on chance: the same requests give the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import re
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

Json = dict[str, Any]

OVER: Final[Json] = {"say": "The script is over."}
SUMMARY: Final = "So far: what stands in the files."
_COMPACTS: Final = ("create a detailed summary", "CONTEXT CHECKPOINT COMPACTION")
"""What a client asks for when it makes its context smaller, one sentence a client."""


class Taken(NamedTuple):
    """A step, and which one it was."""

    step: Json
    which: str
    """Its number, `over`, or `aside`."""


class Script:
    """The steps, and how many of them were taken."""

    def __init__(self, steps: list[Json]) -> None:
        self.steps = steps
        self.taken = 0
        self._lock = threading.Lock()

    def next(self, text: str, *, aside: bool) -> Taken:
        """The step for a request, filled from its conversation."""
        if aside:
            return Taken({"say": SUMMARY if _compacts(text) else "A title"}, "aside")
        with self._lock:
            at = self.taken
            if at >= len(self.steps):
                return Taken(OVER, "over")
            self.taken += not self.steps[at].get("again")
        return Taken(_filled(self.steps[at], text), str(at))


def _compacts(text: str) -> bool:
    return any(words in text for words in _COMPACTS)


def _filled(step: Any, text: str) -> Any:
    """The step with each `<<REGEX>>` replaced; one that matches nothing stays and is seen."""
    if isinstance(step, dict):
        return {key: _filled(value, text) for key, value in step.items()}
    if not isinstance(step, str):
        return step

    def found(mark: re.Match[str]) -> str:
        matches = re.findall(mark[1], text)
        return matches[-1] if matches else mark[0]

    return re.sub(r"<<(.+?)>>", found, step)


# Anthropic messages ---------------------------------------------------------------------------


def messages(body: Json, taken: Taken, name: str) -> Json:
    """The answer to `POST /v1/messages` as one object."""
    step, content = taken.step, []
    if "say" in step:
        content.append({"type": "text", "text": step["say"]})
    call = _call(step, {"name": "Bash", "key": "command"})
    if call:
        content.append(
            {"type": "tool_use", "id": f"toolu_{name}", "name": call[0], "input": call[1]}
        )
    return {
        "id": f"msg_{name}",
        "type": "message",
        "role": "assistant",
        "model": body.get("model", "scripted"),
        "content": content,
        "stop_reason": "tool_use" if call else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": step.get("tokens", 100), "output_tokens": 10},
    }


def _call(step: Json, shell: dict[str, str]) -> tuple[str, Json] | None:
    if "run" in step:
        return shell["name"], {shell["key"]: step["run"]}
    return (step["use"], step.get("with", {})) if "use" in step else None


def message_events(answer: Json) -> Iterator[Json]:
    """The same answer as a stream, in pieces, as a model thinks of it."""
    yield {"type": "message_start", "message": {**answer, "content": [], "stop_reason": None}}
    for index, block in enumerate(answer["content"]):
        kind = block["type"]
        empty: Json = {"text": ""} if kind == "text" else {"input": {}}
        yield {"type": "content_block_start", "index": index, "content_block": {**block, **empty}}
        whole = block["text"] if kind == "text" else json.dumps(block["input"])
        name = "text" if kind == "text" else "partial_json"
        delta_kind = "text_delta" if kind == "text" else "input_json_delta"
        for piece in _pieces(whole):
            delta = {"type": delta_kind, name: piece}
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    stop = {"stop_reason": answer["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": stop, "usage": answer["usage"]}
    yield {"type": "message_stop"}


# OpenAI responses -----------------------------------------------------------------------------


def response(body: Json, taken: Taken, name: str) -> Json:
    """The answer to `POST /v1/responses` as one object."""
    step, output = taken.step, []
    done = {"status": "completed"}
    if "say" in step:
        text = {"type": "output_text", "text": step["say"], "annotations": []}
        item = {"type": "message", "id": f"item_{name}", "role": "assistant"}
        output.append({**item, "content": [text], **done})
    call = _call(step, _shell(body))
    if call:
        item = {"type": "function_call", "id": f"fc_{name}", "call_id": f"call_{name}"}
        output.append({**item, "name": call[0], "arguments": json.dumps(call[1]), **done})
    tokens = step.get("tokens", 100)
    usage = {
        "input_tokens": tokens, "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 10, "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": tokens + 10,
    }  # fmt: skip
    answer = {"id": f"resp_{name}", "object": "response", "output": output, "usage": usage}
    return {**answer, **done}


def _shell(body: Json) -> dict[str, str]:
    """The shell tool that the request offers, and the name of its command."""
    offered = {tool.get("name") for tool in body.get("tools", [])}
    if "exec_command" in offered:
        return {"name": "exec_command", "key": "cmd"}
    return {"name": "shell_command", "key": "command"}


def response_events(answer: Json) -> Iterator[Json]:
    """The same answer as a stream."""
    begun = {**answer, "status": "in_progress", "output": [], "usage": None}
    yield {"type": "response.created", "response": begun}
    for index, item in enumerate(answer["output"]):
        at = {"output_index": index}
        if item["type"] == "message":
            open_item = {**item, "content": [], "status": "in_progress"}
            yield {"type": "response.output_item.added", **at, "item": open_item}
            for piece in _pieces(item["content"][0]["text"]):
                delta = {**at, "content_index": 0, "item_id": item["id"], "delta": piece}
                yield {"type": "response.output_text.delta", **delta}
        yield {"type": "response.output_item.done", **at, "item": item}
    yield {"type": "response.completed", "response": answer}


def _pieces(text: str, size: int = 40) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


# The server -----------------------------------------------------------------------------------


class Model:
    """The server on a free port of loopback; each request is a line of the log."""

    def __init__(self, script: list[Json], log: Path) -> None:
        self.script = Script(script)
        self._log, self._lock, self._count = log, threading.Lock(), 0
        self.answered = 0.0
        """When the last answer was out, by the clock that only goes forward."""
        model = self

        class Handler(_Handler):
            of = model

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port: int = self._server.server_address[1]

    def __enter__(self) -> Self:
        serve = self._server.serve_forever
        threading.Thread(target=serve, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def count(self) -> int:
        """The number of a request, from 1."""
        with self._lock:
            self._count += 1
            return self._count

    def note(self, entry: Json) -> None:
        """Write a request into the log."""
        line = json.dumps(entry) + "\n"
        with self._lock, self._log.open("a", encoding="utf-8") as file:
            file.write(line)


_FORMATS: Final = {
    "/v1/messages": (messages, message_events),
    "/v1/responses": (response, response_events),
}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    of: Model

    def log_message(self, *_: object) -> None:
        """Say nothing: the log is the model's."""

    def _any(self) -> None:
        data = self.rfile.read(int(self.headers.get("content-length") or 0))
        path, number = self.path.partition("?")[0], self.of.count()
        entry: Json = {"n": number, "method": self.command, "path": path}
        if self.command != "POST" or path not in _FORMATS:
            self.of.note({**entry, "which": "other"})
            self._answer(200 if self.command == "HEAD" else 404, {})
            return
        answer_to, events = _FORMATS[path]
        body = json.loads(data)
        taken = self.of.script.next(spoken(body), aside=is_aside(body))
        self.of.note({**entry, "which": taken.which, "step": taken.step, "body": body})
        time.sleep(taken.step.get("after", 0))
        if "refuse" in taken.step:
            error = {"type": "overloaded_error", "message": "refused by the script"}
            self._answer(taken.step["refuse"], {"type": "error", "error": error})
            return
        answer = answer_to(body, taken, name_of(body))
        if body.get("stream"):
            self._stream(events(answer))
        else:
            self._answer(200, answer)

    do_GET = do_HEAD = do_POST = _any  # noqa: N815  the names are the server's

    def _answer(self, status: int, value: Json) -> None:
        data = json.dumps(value).encode()
        self._send(status, "application/json", data)

    def _stream(self, events: Iterator[Json]) -> None:
        parts = (f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in events)
        self._send(200, "text/event-stream", "".join(parts).encode())

    def _send(self, status: int, kind: str, data: bytes) -> None:
        try:
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(data)
            self.of.answered = time.perf_counter()
        except ConnectionError:
            self.close_connection = True  # a client that hangs up in the middle is no fault


def name_of(body: Json) -> str:
    """What the answer's ids are made of: a conversation that goes on has other ids each time."""
    said = json.dumps(body.get("messages") or body.get("input"), sort_keys=True)
    return hashlib.sha256(said.encode()).hexdigest()[:16]


def is_aside(body: Json) -> bool:
    """Whether a request is none of the conversation: it offers no tool, or asks for a summary."""
    return not body.get("tools") or _compacts(last_said(body))


# What a request says --------------------------------------------------------------------------


def said(body: Json) -> list[tuple[str, str]]:
    """The conversation in a request, as role and text; results of tools and calls are included."""
    found = [("system", _text(body.get("system") or body.get("instructions") or ""))]
    for item in body.get("messages") or body.get("input") or []:
        role = item.get("role") or item.get("type", "")
        found.append((role, _text(item)))
    return found


def spoken(body: Json) -> str:
    """All of it as one text."""
    return "\n".join(text for _, text in said(body))


def last_said(body: Json) -> str:
    """What was said to the model since it spoke last."""
    last: list[str] = []
    for role, text in said(body)[1:]:
        last = [] if role in ("assistant", "function_call") else [*last, text]
    return "\n".join(last)


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(_text(each) for each in value)
    if isinstance(value, dict):
        keys = ("text", "content", "output", "input", "name", "arguments")
        return "\n".join(_text(value[key]) for key in keys if key in value)
    return ""
