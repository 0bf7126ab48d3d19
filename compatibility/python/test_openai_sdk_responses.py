"""The official Python SDK: every method of responses and conversations, legacy completions, embeddings, and their batches."""

import base64
import json
import time
from array import array

import pytest
from openai import BadRequestError, NotFoundError, OpenAI

MODEL = "simulator"
EMBEDDING_MODEL = "simulator-embedding"
USER = {"role": "user", "content": "Hello"}


@pytest.fixture
def client(base_url: str, api_key: str) -> OpenAI:
    return OpenAI(base_url=f"{base_url}/v1", api_key=api_key, max_retries=0)


def test_background_response_is_polled_streamed_and_cancelled(client: OpenAI) -> None:
    events = list(client.responses.create(model=MODEL, input="Hello", background=True, stream=True))
    response = events[-1].response
    assert (events[0].type, events[-1].type) == ("response.created", "response.completed")
    again = list(client.responses.retrieve(response.id, stream=True, starting_after=1))
    assert [event.sequence_number for event in again] == [event.sequence_number for event in events[2:]]
    assert client.responses.cancel(response.id).status == "completed"
    queued = client.responses.create(model=MODEL, input="Hello", background=True)
    assert queued.status == "queued"
    while (response := client.responses.retrieve(queued.id)).status in ("queued", "in_progress"):
        time.sleep(0.05)
    assert response.output_text
    client.responses.delete(queued.id)
    with pytest.raises(NotFoundError):
        client.responses.retrieve(queued.id)


def test_input_tokens_input_items_and_compact(client: OpenAI) -> None:
    first = client.responses.create(model=MODEL, input=[USER, {"role": "developer", "content": "Be brief"}])
    counted = client.responses.input_tokens.count(model=MODEL, input="Hello")
    assert (counted.object, counted.input_tokens > 0) == ("response.input_tokens", True)
    newest, oldest = client.responses.input_items.list(first.id)
    assert (newest.role, oldest.role) == ("developer", "user")
    compacted = client.responses.compact(model=MODEL, previous_response_id=first.id)
    assert (compacted.object, compacted.output[-1].type) == ("response.compaction", "compaction")
    window = [item.model_dump(exclude_none=True) for item in compacted.output]
    assert client.responses.create(model=MODEL, input=[*window, USER]).output_text


def test_conversations(client: OpenAI) -> None:
    conversation = client.conversations.create(metadata={"topic": "rivers"}, items=[USER])
    assert client.conversations.retrieve(conversation.id).metadata == {"topic": "rivers"}
    assert client.conversations.update(conversation.id, metadata={"topic": "lakes"}).metadata == {"topic": "lakes"}
    added = client.conversations.items.create(conversation.id, items=[{"role": "user", "content": "More"}]).data[0]
    assert added.id
    assert client.conversations.items.retrieve(added.id, conversation_id=conversation.id).id == added.id
    response = client.responses.create(model=MODEL, input="And?", conversation=conversation.id)
    listed = list(client.conversations.items.list(conversation.id, order="asc", limit=1))
    assert [item.role for item in listed] == ["user", "user", "user", "assistant"]
    assert listed[-1].id == response.output[0].id
    client.conversations.items.delete(added.id, conversation_id=conversation.id)
    assert len(list(client.conversations.items.list(conversation.id))) == 3
    assert client.conversations.delete(conversation.id).deleted
    with pytest.raises(NotFoundError):
        client.conversations.retrieve(conversation.id)


def test_unknown_ids_are_refused_with_the_codes_that_clients_look_for(client: OpenAI) -> None:
    with pytest.raises(BadRequestError) as refused:
        client.responses.create(model=MODEL, input="Hello", previous_response_id="resp_unknown")
    assert refused.value.code == "previous_response_not_found"
    with pytest.raises(NotFoundError):
        client.responses.create(model=MODEL, input="Hello", conversation="conv_unknown")


@pytest.mark.parametrize("prompt", ["Once", ["Once", "Twice"]], ids=["text", "texts"])
def test_completions(client: OpenAI, prompt: str | list[str]) -> None:
    count = 1 if isinstance(prompt, str) else len(prompt)
    whole = client.completions.create(model=MODEL, prompt=prompt, n=2, best_of=2, echo=True, stop=["zzz"], max_tokens=8)
    assert [choice.index for choice in whole.choices] == list(range(2 * count))
    assert all(choice.text.startswith(("Once", "Twice")) for choice in whole.choices)
    assert whole.id.startswith("cmpl-") and whole.object == "text_completion" and whole.usage
    chunks = list(client.completions.create(model=MODEL, prompt=prompt, stream=True, stream_options={"include_usage": True}))
    assert "".join(choice.text for chunk in chunks for choice in chunk.choices)
    assert chunks[-1].usage and not chunks[-1].choices


def test_log_probabilities_of_completions(client: OpenAI) -> None:
    logprobs = client.completions.create(model=MODEL, prompt="Once", logprobs=2).choices[0].logprobs
    assert logprobs and logprobs.tokens and len(logprobs.tokens) == len(logprobs.token_logprobs or [])


@pytest.mark.parametrize("field, value", [("suffix", " the end."), ("prompt", [1, 2, 3])])
def test_what_the_model_cannot_do_is_refused_by_name(client: OpenAI, field: str, value: object) -> None:
    with pytest.raises(BadRequestError) as refused:
        client.completions.create(**{"model": MODEL, "prompt": "Once", field: value})
    assert refused.value.param == field


def test_embeddings(client: OpenAI) -> None:
    both = client.embeddings.create(model=EMBEDDING_MODEL, input=["rivers", "lakes"])
    assert [item.index for item in both.data] == [0, 1] and both.usage.prompt_tokens > 0
    numbers = client.embeddings.create(model=EMBEDDING_MODEL, input="rivers", encoding_format="float").data[0].embedding
    assert both.data[0].embedding == pytest.approx(numbers, abs=1e-6)
    text = client.embeddings.create(model=EMBEDDING_MODEL, input="rivers", encoding_format="base64").data[0].embedding
    assert list(array("f", base64.b64decode(str(text)))) == pytest.approx(numbers, abs=1e-6)
    short = client.embeddings.create(model=EMBEDDING_MODEL, input="rivers", dimensions=8)
    assert len(short.data[0].embedding) == 8


@pytest.mark.parametrize(
    "endpoint, body, field",
    [
        ("/v1/responses", {"model": MODEL, "input": "Hello"}, "output"),
        ("/v1/completions", {"model": MODEL, "prompt": "Once"}, "choices"),
        ("/v1/embeddings", {"model": EMBEDDING_MODEL, "input": "rivers"}, "data"),
    ],
)
def test_batches(client: OpenAI, endpoint: str, body: dict[str, str], field: str) -> None:
    lines = [json.dumps({"custom_id": str(at), "method": "POST", "url": endpoint, "body": body}) for at in range(3)]
    file = client.files.create(file=("lines.jsonl", "\n".join(lines).encode()), purpose="batch")
    batch = client.batches.create(input_file_id=file.id, endpoint=endpoint, completion_window="24h")
    while batch.status not in ("completed", "failed"):
        time.sleep(0.05)
        batch = client.batches.retrieve(batch.id)
    assert (batch.status, batch.request_counts and batch.request_counts.completed) == ("completed", 3)
    results = [json.loads(line) for line in client.files.content(batch.output_file_id or "").text.splitlines()]
    assert all(result["response"]["body"][field] for result in results)
