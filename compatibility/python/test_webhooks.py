"""The official Python SDK verifies the events that the server sends to a webhook."""

import os
import queue
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Iterator

import httpx
import pytest
from openai import InvalidWebhookSignatureError, OpenAI

Delivery = tuple[dict[str, str], str]


@pytest.fixture(scope="module")
def deliveries() -> Iterator["queue.Queue[Delivery]"]:
    """What arrives at the host that the server trusts."""
    received: "queue.Queue[Delivery]" = queue.Queue()

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"])).decode()
            received.put((dict(self.headers.items()), body))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    host, port = os.environ["MODELWIRE_WEBHOOK_HOST"].split(":")
    server = ThreadingHTTPServer((host, int(port)), Receiver)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield received
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def secret(base_url: str, deliveries: "queue.Queue[Delivery]") -> Iterator[str]:
    """The signing secret of a webhook that receives the ends of responses."""
    webhooks = f"{base_url}/v1/organization/webhooks"
    with httpx.Client(headers={"authorization": f"Bearer {os.environ['MODELWIRE_ADMIN_KEY']}"}) as admin:
        url = f"http://{os.environ['MODELWIRE_WEBHOOK_HOST']}/"
        created = admin.post(webhooks, json={"url": url, "event_types": ["response.completed"]})
        assert created.status_code == 200, created.text
        yield created.json()["secret"]
        admin.delete(f"{webhooks}/{created.json()['id']}")


def test_unwrap_verifies_an_event(
    base_url: str, api_key: str, secret: str, deliveries: "queue.Queue[Delivery]"
) -> None:
    client = OpenAI(base_url=f"{base_url}/v1", api_key=api_key, max_retries=0, webhook_secret=secret)
    response = client.responses.create(model="simulator", input="Hello", background=True)
    headers, body = deliveries.get(timeout=60)
    event = client.webhooks.unwrap(body, headers)
    assert event.type == "response.completed"
    assert event.data.id == response.id
    assert event.object == "event"
    with pytest.raises(InvalidWebhookSignatureError):
        client.webhooks.unwrap(body.replace("completed", "failed"), headers)
    with pytest.raises(InvalidWebhookSignatureError):
        client.webhooks.unwrap(body, headers, secret="whsec_b3RoZXI=")
