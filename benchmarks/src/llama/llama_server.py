"""Runs llama.cpp's own HTTP server (PyPI: xllamacpp) until standard input ends. Arguments: file, port, threads, context per request, requests."""

import sys

import xllamacpp

path, port, threads, context_size, sequences = sys.argv[1:6]
params = xllamacpp.CommonParams()
params.model.path = path
params.n_ctx = int(context_size) * int(sequences)
params.n_parallel = int(sequences)
params.cpuparams.n_threads = int(threads)
params.cpuparams_batch.n_threads = int(threads)
params.port = int(port)
params.hostnames = ["127.0.0.1"]
params.use_jinja = True
params.model_alias = {"model"}
server = xllamacpp.Server(params)
sys.stdin.read()
