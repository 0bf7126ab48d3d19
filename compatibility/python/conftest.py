"""Every suite here talks to one running server, which `compatibility/run.mjs` starts."""

import os

import pytest


# Tests that fail today, with the reason. Each entry is removed with the change that makes its test pass.
EXPECTED_FAILURES = {
    "test_pdf_inputs": "the simulator does not accept PDF documents",
    "test_batches": "the cancellation of a completed batch is a 400, not a 409",
    "test_a_batch_with_invalid_lines_fails_as_a_whole": "a batch with an invalid line is completed",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        reason = EXPECTED_FAILURES.get(getattr(item, "originalname", item.name))
        if reason is not None:
            item.add_marker(pytest.mark.xfail(reason=reason, strict=False))


@pytest.fixture(scope="session")
def base_url() -> str:
    """The server's address, without a path."""
    return os.environ["MODELWIRE_URL"]


@pytest.fixture(scope="session")
def api_key() -> str:
    return os.environ["MODELWIRE_API_KEY"]
