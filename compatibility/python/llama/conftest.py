"""Starts llama.cpp's server, Modelwire in front of it, and Modelwire with the same model file in its process."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import openai
import pytest

sys.path.insert(0, str(Path(__file__).parent))

from model_file import model_path  # noqa: E402

KEY = "sk-test-0123456789abcdef"
FOLDER = Path(__file__).parent


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(url: str, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        assert process.poll() is None, f"The process of {url} has ended."
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except OSError:
            time.sleep(0.2)
    raise TimeoutError(url)


@dataclass
class LlamaServer:
    """llama.cpp's server, which tests may kill and start again at the same port."""

    port: int = field(default_factory=free_port)
    # Default: chat, with the chat template of the model file, which does not render tools.
    options: tuple[str, ...] = ()
    process: "subprocess.Popen[bytes] | None" = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        log = subprocess.DEVNULL
        command = [sys.executable, "llama_server.py", str(self.port), *self.options]
        self.process = subprocess.Popen(command, cwd=FOLDER, stdout=log, stderr=log)
        wait_for(f"{self.url}/health", self.process)

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()


@pytest.fixture(scope="session")
def llama() -> Iterator[LlamaServer]:
    server = LlamaServer()
    server.start()
    yield server
    server.kill()


def modelwire(folder: Path, env: dict[str, str]) -> Iterator[openai.OpenAI]:
    port = free_port()
    process = subprocess.Popen(
        [os.environ["MODELWIRE_NODE"], os.environ["MODELWIRE_MAIN"]],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "PORT": str(port), "MODELWIRE_API_KEYS": KEY, "MODELWIRE_LOG_LEVEL": "error", **env},
        stdout=subprocess.DEVNULL,
    )
    try:
        wait_for(f"http://127.0.0.1:{port}/readyz", process)
        yield openai.OpenAI(base_url=f"http://127.0.0.1:{port}/v1", api_key=KEY, max_retries=0, timeout=120)
    finally:
        process.terminate()
        process.wait()


@pytest.fixture(scope="session")
def in_front(llama: LlamaServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[openai.OpenAI]:
    """Without a preset: the server is recognised by its answers."""
    yield from modelwire(tmp_path_factory.mktemp("in-front"), {"MODELWIRE_UPSTREAM_URL": f"{llama.url}/v1"})


def in_front_of(options: tuple[str, ...], folder: Path) -> Iterator[openai.OpenAI]:
    server = LlamaServer(options=options)
    server.start()
    try:
        yield from modelwire(folder, {"MODELWIRE_UPSTREAM_URL": f"{server.url}/v1"})
    finally:
        server.kill()


@pytest.fixture
def in_front_with_tools(tmp_path: Path) -> Iterator[openai.OpenAI]:
    """In front of a server whose chat template renders tools."""
    yield from in_front_of(("--chat-template", str(FOLDER / "template_with_tools.jinja")), tmp_path)


@pytest.fixture
def in_front_of_embeddings(tmp_path: Path) -> Iterator[openai.OpenAI]:
    yield from in_front_of(("--embedding",), tmp_path)


@pytest.fixture(scope="session")
def in_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[openai.OpenAI]:
    path = model_path()
    env = {"MODELWIRE_GGUF": path, "MODELWIRE_GGUF_CONTEXT": "4096", "MODELWIRE_MODEL_ALIASES": f"smol={Path(path).stem}"}
    yield from modelwire(tmp_path_factory.mktemp("in-process"), env)


@pytest.fixture(params=["in_front", "in_process"])
def client(request: pytest.FixtureRequest) -> openai.OpenAI:
    found = request.getfixturevalue(request.param)
    assert isinstance(found, openai.OpenAI)
    return found
