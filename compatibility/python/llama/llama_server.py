"""llama.cpp's server with SmolLM2 135M, both from PyPI. Usage: llama_server.py PORT [--model FILE] [--chat-template FILE] [--embedding]"""

import argparse
import time
from pathlib import Path

import xllamacpp

from model_file import model_path

arguments = argparse.ArgumentParser()
arguments.add_argument("port", type=int)
arguments.add_argument("--model", default=model_path())
arguments.add_argument("--chat-template", type=Path)
arguments.add_argument("--embedding", action="store_true", help="Serve embeddings instead of chat.")
given = arguments.parse_args()

parameters = xllamacpp.CommonParams()
parameters.model.path = given.model
parameters.model_alias = {"smol"}
parameters.hostnames = ["127.0.0.1"]
parameters.port = given.port
parameters.n_ctx = 4096
parameters.n_parallel = 2
parameters.use_jinja = True
parameters.endpoint_slots = True
if given.chat_template is not None:
    parameters.chat_template = given.chat_template.read_text()
if given.embedding:
    parameters.embedding = True
    parameters.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
# More threads wait for each other on a busy machine.
parameters.cpuparams.n_threads = 1
parameters.cpuparams_batch.n_threads = 1
# A prompt that is partly cached is computed in other batches, and rounds otherwise.
parameters.cache_prompt = False

server = xllamacpp.Server(parameters)
time.sleep(3600)
