"""llama.cpp's server with SmolLM2 135M, both from PyPI. Usage: llama_server.py PORT [CHAT_TEMPLATE_FILE]"""

import sys
import time
from pathlib import Path

import xllamacpp

from model_file import model_path

parameters = xllamacpp.CommonParams()
parameters.model.path = model_path()
parameters.model_alias = {"smol"}
parameters.hostnames = ["127.0.0.1"]
parameters.port = int(sys.argv[1])
parameters.n_ctx = 4096
parameters.n_parallel = 2
parameters.use_jinja = True
parameters.endpoint_slots = True
if len(sys.argv) > 2:
    parameters.chat_template = Path(sys.argv[2]).read_text()
# More threads wait for each other on a busy machine.
parameters.cpuparams.n_threads = 1
parameters.cpuparams_batch.n_threads = 1
# A prompt that is partly cached is computed in other batches, and rounds otherwise.
parameters.cache_prompt = False

server = xllamacpp.Server(parameters)
time.sleep(3600)
