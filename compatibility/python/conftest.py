"""Every suite here talks to one running server, which `compatibility/src/main.ts` starts."""

import os

import pytest


@pytest.fixture(scope="session")
def base_url() -> str:
    """The server's address, without a path."""
    return os.environ["MODELWIRE_URL"]


@pytest.fixture(scope="session")
def api_key() -> str:
    return os.environ["MODELWIRE_API_KEY"]
