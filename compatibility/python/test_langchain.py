"""LangChain's standard integration tests for chat models, which its own integrations run, against langchain-openai."""

import base64
import os
from typing import Any

import httpx
import pytest
from langchain_openai import ChatOpenAI
from langchain_tests.integration_tests import ChatModelIntegrationTests


PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def pdf_of(text: str) -> bytes:
    """A PDF document of one page."""
    content = f"BT /F1 24 Tf 72 720 Td ({text}) Tj ET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    document = b"%PDF-1.4\n"
    offsets = []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(document))
        document += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    start = len(document)
    size = len(objects) + 1
    return document + b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        size,
        table,
        size,
        start,
    )


@pytest.fixture(autouse=True)
def local_downloads(monkeypatch: pytest.MonkeyPatch) -> None:
    """The standard tests download an image and a PDF document before they send them; here they need no internet."""

    def get(url: str, **_: Any) -> httpx.Response:
        return httpx.Response(200, content=pdf_of("A document.") if url.endswith(".pdf") else PIXEL)

    monkeypatch.setattr(httpx, "get", get)


class TestChatOpenAI(ChatModelIntegrationTests):
    chat_model_class = ChatOpenAI

    @property
    def chat_model_params(self) -> dict[str, Any]:
        return {
            "model": "simulator",
            "base_url": f"{os.environ['MODELWIRE_URL']}/v1",
            "api_key": os.environ["MODELWIRE_API_KEY"],
            "max_retries": 0,
            "stream_usage": True,
        }

    model_override_value = "gpt-4o"
    supports_json_mode = True
    supports_image_inputs = True
    # The machine that runs the tests may have no access to the internet, and the test names an address there.
    supports_image_urls = False
    supports_pdf_inputs = True
    has_tool_choice = True
