"""A stand-in for a llama.cpp server: its command line and its HTTP, without a model.

It is run as a program. LLAMA_DOUBLE sets its behaviour: "fine", "exits" at once, is "never"
ready, or "dies" at the first request. Its response contains its command-line arguments.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


def main() -> None:
    """Serve until the process is ended."""
    parser = argparse.ArgumentParser()
    for name in ("--host", "--port", "-m", "-c", "-t"):
        parser.add_argument(name)
    options, mode = parser.parse_args(), os.environ["LLAMA_DOUBLE"]
    if mode == "exits":
        sys.exit("error: the weights are of a newer format")
    ready_at, key = time.monotonic() + 0.3, os.environ["LLAMA_API_KEY"]

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            ready = mode != "never" and time.monotonic() > ready_at
            self.answer(200 if ready else 503, {"status": "ok" if ready else "loading model"})

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            if self.headers["authorization"] != f"Bearer {key}":
                return self.answer(401, {"error": {"message": "Invalid API Key"}})
            if mode == "dies":
                sys.stderr.write("GGML_ASSERT failed\n")
                sys.stderr.flush()
                os._exit(134)
            text = json.dumps({**vars(options), "pid": os.getpid()})
            choice = {"message": {"content": text}, "finish_reason": "stop"}
            self.answer(200, {"choices": [choice], "system_fingerprint": "b1-double"})
            return None

        def answer(self, status: int, body: Any) -> None:
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    ThreadingHTTPServer((options.host, int(options.port)), Handler).serve_forever()


if __name__ == "__main__":
    main()
