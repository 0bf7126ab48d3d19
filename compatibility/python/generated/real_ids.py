"""A pytest plugin for the generated tests of the official Python SDK, which are written for a mock server that answers every id.

Placeholder ids in requests become ids of objects that exist and are in the state that the call needs. A failure is expected only where
`rules.py` explains the response; `docs/compatibility.md` has the same table.
"""

import io
import json
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import openai
import pytest
from openai import OpenAI
from openai._base_client import BaseClient

from rules import RULES, Rule

URL = f"{os.environ['MODELWIRE_URL']}/v1"
KEY = os.environ["MODELWIRE_API_KEY"]
MODEL = "simulator"

own_client = OpenAI(base_url=URL, api_key=KEY)


def new_file() -> str:
    return own_client.files.create(file=("notes.txt", b"Example data"), purpose="user_data").id


def new_batch_file(lines: int = 1) -> str:
    body = {"model": MODEL, "messages": [{"role": "user", "content": "Hi"}]}
    rows = [
        {"custom_id": f"line-{number}", "method": "POST", "url": "/v1/chat/completions", "body": body}
        for number in range(lines)
    ]
    content = "\n".join(map(json.dumps, rows)).encode()
    return own_client.files.create(file=("batch.jsonl", content), purpose="batch").id


def new_batch() -> str:
    """Large enough to be in progress when it is cancelled."""
    return own_client.batches.create(
        input_file_id=new_batch_file(1000), endpoint="/v1/chat/completions", completion_window="24h"
    ).id


def new_completion() -> str:
    return own_client.chat.completions.create(
        model=MODEL, messages=[{"role": "user", "content": "Hi"}, {"role": "user", "content": "Hello"}], store=True
    ).id


def new_upload() -> str:
    return own_client.uploads.create(bytes=12, filename="a.txt", mime_type="text/plain", purpose="user_data").id


def new_part(upload: str) -> str:
    return own_client.uploads.parts.create(upload, data=io.BytesIO(b"Example data")).id


def new_video() -> str:
    return own_client.videos.create(prompt="A lighthouse").id


@cache
def completed_video() -> str:
    """One for the whole run: rendering takes seconds."""
    created = new_video()
    while (video := own_client.videos.retrieve(created)).status != "completed":
        if video.status == "failed":
            raise AssertionError(video.error)
        time.sleep(0.3)
    return created


# What a path names, the new object that a call which changes it needs, and the object that calls which read can share.
OBJECTS: list[tuple[str, Callable[[], str], Callable[[], str]]] = [
    (r"/files/([^/]+)", new_file, cache(new_file)),
    (r"/uploads/([^/]+)", new_upload, new_upload),
    (r"/batches/([^/]+)", new_batch, cache(new_batch)),
    (r"/chat/completions/([^/]+)", new_completion, cache(new_completion)),
    (r"/videos/(?!edits|extensions|characters)([^/]+)(?=/(?:content|remix))", completed_video, completed_video),
    (r"/videos/(?!edits|extensions|characters)([^/]+)", new_video, completed_video),
]


def id_in(path: str, method: str) -> tuple[re.Match[str], str] | None:
    """Where a path has a placeholder, and the id that replaces it."""
    for pattern, changed, read in OBJECTS:
        found = re.match(pattern, path)
        if found:
            return found, read() if method.upper() == "GET" else changed()
    return None


def after_of(path: str) -> str:
    """An id that the list at this path can continue after."""
    messages = re.fullmatch(r"/chat/completions/([^/]+)/messages", path)
    if messages:
        return f"{messages[1]}-0"
    found = id_in(f"{path}/placeholder", "GET")
    assert found, path
    return found[1]


def with_real_ids(options: Any) -> Any:
    path = options.url
    found = id_in(path, options.method)
    if found:
        match, real = found
        path = path[: match.start(1)] + real + path[match.end(1) :]
    body = options.json_data
    if isinstance(body, dict):
        body = dict(body)
        if "part_ids" in body:
            body["part_ids"] = [new_part(path.split("/")[2])]
        if "input_file_id" in body:
            body["input_file_id"] = new_batch_file()
        if "logit_bias" in body:
            body["logit_bias"] = {"1": 0}
    params = dict(options.params or {})
    if "after" in params:
        params["after"] = after_of(path)
    return options.model_copy(update={"url": path, "json_data": body, "params": params})


@pytest.fixture(autouse=True)
def real_ids(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    # These requests end in the SDK's own mock.
    if "respx_mock" in request.fixturenames:
        return
    build = BaseClient._build_request

    def build_with_real_ids(self: Any, options: Any, **kwargs: Any) -> Any:
        return build(self, options if self is own_client else with_real_ids(options), **kwargs)

    monkeypatch.setattr(BaseClient, "_build_request", build_with_real_ids)


def pytest_collection_finish() -> None:
    sys.modules["tests.conftest"].api_key = KEY  # type: ignore[attr-defined]


explained: Counter[Rule] = Counter()


def rule_of(error: BaseException) -> Rule | None:
    if not isinstance(error, openai.APIStatusError | openai.APIResponseValidationError):
        return None
    request = f"{error.request.method} {error.request.url.path.removeprefix('/v1')}"
    for rule in RULES:
        if rule.status == error.status_code and rule.param == error.param and re.fullmatch(rule.request, request):
            return rule
    return None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    report: Any = yield  # type: ignore[misc]
    rule = rule_of(call.excinfo.value) if report.failed and call.excinfo else None
    if rule:
        explained[rule] += 1
        report.outcome = "skipped"
        report.wasxfail = rule.because
    return report


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fails where a rule explains nothing: it is out of date."""
    if session.testsfailed == 0 and any(rule not in explained for rule in RULES):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any) -> None:
    terminalreporter.section("refused by a rule of the interface")
    for rule in RULES:
        count = explained[rule]
        note = "" if count else " (explains no failure: remove it)"
        terminalreporter.write_line(f"{count:4}  {rule.request} {rule.status}: {rule.because}{note}")
