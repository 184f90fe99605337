"""A model endpoint for chat completions on this machine that answers by a script."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@contextmanager
def scripted_endpoint(answers: list[str]) -> Iterator[str]:
    """The base URL. A conversation with n answers so far gets the next one."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            turn = sum(message["role"] == "assistant" for message in request["messages"])
            answer = answers[min(turn, len(answers) - 1)]
            if request.get("stream"):
                self._send("text/event-stream", stream_of(request["model"], answer))
            else:
                self._send("application/json", json.dumps(completion_of(request["model"], answer)))

        def _send(self, kind: str, text: str) -> None:
            body = text.encode()
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()


USAGE = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}


def completion_of(model: str, content: str) -> dict[str, object]:
    choice = {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}
    head = {"id": "scripted", "object": "chat.completion", "created": 0, "model": model}
    return {**head, "choices": [choice], "usage": USAGE}


def stream_of(model: str, content: str) -> str:
    """The same as server-sent events."""
    head = {"id": "scripted", "object": "chat.completion.chunk", "created": 0, "model": model}
    said = {"index": 0, "delta": {"role": "assistant", "content": content}, "finish_reason": None}
    ended = {"index": 0, "delta": {}, "finish_reason": "stop"}
    chunks = [{**head, "choices": [said]}, {**head, "choices": [ended]}, {**head, "choices": [], "usage": USAGE}]
    return "".join(f"data: {text}\n\n" for text in [*map(json.dumps, chunks), "[DONE]"])
