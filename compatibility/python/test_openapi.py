"""The OpenAPI document is valid for a validator that is not ours."""

import json
import urllib.request
from typing import Any

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator


@pytest.fixture(scope="module")
def document(base_url: str) -> Any:
    with urllib.request.urlopen(f"{base_url}/openapi.json") as response:
        return json.load(response)


def test_openapi_spec_validator_finds_nothing(document: Any) -> None:
    assert [f"{'/'.join(map(str, error.path))}: {error.message}" for error in OpenAPIV31SpecValidator(document).iter_errors()] == []
