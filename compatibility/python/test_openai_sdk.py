"""The official Python SDK: what it returns is sent back unchanged, as programs do that keep a conversation."""

import io
import json
import time
from typing import Any, Callable

import openai
import pytest
from openai import OpenAI
from openai.types.chat import ChatCompletionMessage
from pydantic import BaseModel

MODEL = "simulator"


class City(BaseModel):
    name: str
    population: int


class GetWeather(BaseModel):
    """Tell the weather of a city."""

    city: str


WEATHER_TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "Tell the weather of a city.",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string"}},
            "required": ["city"],
            "additionalProperties": False,
        },
    },
}

STRICT_WEATHER_TOOL = {"type": "function", "function": {**WEATHER_TOOL["function"], "strict": True}}

# How programs keep a message that the SDK returned.
KEPT_AS: dict[str, Callable[[ChatCompletionMessage], Any]] = {
    "object": lambda message: message,
    "to_dict": lambda message: message.to_dict(),
    "model_dump": lambda message: message.model_dump(),
    "model_dump_json": lambda message: json.loads(message.model_dump_json()),
    "exclude_none": lambda message: message.model_dump(exclude_none=True),
}


@pytest.fixture(scope="module")
def client(base_url: str, api_key: str) -> OpenAI:
    return OpenAI(base_url=f"{base_url}/v1", api_key=api_key, max_retries=0)


def user(text: str) -> dict[str, str]:
    return {"role": "user", "content": text}


def stream_message(client: OpenAI, **params: Any) -> ChatCompletionMessage:
    with client.chat.completions.stream(model=MODEL, **params) as stream:
        for _ in stream:
            pass
        return stream.get_final_completion().choices[0].message


def messages_of(client: OpenAI, **params: Any) -> dict[str, Callable[[], ChatCompletionMessage]]:
    """Each helper of the SDK that returns a message."""
    return {
        "create": lambda: client.chat.completions.create(model=MODEL, **params).choices[0].message,
        "parse": lambda: client.chat.completions.parse(model=MODEL, **params).choices[0].message,
        "stream": lambda: stream_message(client, **params),
    }


@pytest.mark.parametrize("kept_as", KEPT_AS)
@pytest.mark.parametrize("helper", ["create", "parse", "stream"])
def test_a_text_message_is_sent_back(client: OpenAI, helper: str, kept_as: str) -> None:
    asked = [user("Name a river.")]
    message = messages_of(client, messages=asked)[helper]()
    reply = client.chat.completions.create(
        model=MODEL, messages=[*asked, KEPT_AS[kept_as](message), user("And another one?")]
    )
    assert reply.choices[0].message.content


@pytest.mark.parametrize("kept_as", KEPT_AS)
@pytest.mark.parametrize("helper", ["parse", "stream"])
def test_a_parsed_message_is_sent_back(client: OpenAI, helper: str, kept_as: str) -> None:
    asked = [user("Describe a city.")]
    message = messages_of(client, messages=asked, response_format=City)[helper]()
    assert isinstance(message.parsed, City)
    reply = client.chat.completions.parse(
        model=MODEL, messages=[*asked, KEPT_AS[kept_as](message), user("And another one?")], response_format=City
    )
    assert isinstance(reply.choices[0].message.parsed, City)


@pytest.mark.parametrize("kept_as", KEPT_AS)
@pytest.mark.parametrize("helper", ["create", "parse", "stream"])
def test_a_tool_loop_ends_in_an_answer(client: OpenAI, helper: str, kept_as: str) -> None:
    tool = WEATHER_TOOL if helper == "create" else STRICT_WEATHER_TOOL
    messages: list[Any] = [user("What is the weather in Paris?")]
    asking = {"messages": messages, "tools": [tool], "tool_choice": "required"}
    message = messages_of(client, **asking)[helper]()
    assert message.tool_calls
    messages.append(KEPT_AS[kept_as](message))
    for call in message.tool_calls:
        assert json.loads(call.function.arguments).keys() == {"city"}
        messages.append({"role": "tool", "tool_call_id": call.id, "content": "18 degrees and sunny"})
    reply = client.chat.completions.create(model=MODEL, messages=messages, tools=[tool])
    assert reply.choices[0].message.content


@pytest.mark.parametrize("kept_as", KEPT_AS)
def test_a_tool_of_the_sdk_is_parsed_and_sent_back(client: OpenAI, kept_as: str) -> None:
    tools = [openai.pydantic_function_tool(GetWeather)]
    messages: list[Any] = [user("What is the weather in Paris?")]
    message = client.chat.completions.parse(model=MODEL, messages=messages, tools=tools).choices[0].message
    assert message.tool_calls
    call = message.tool_calls[0]
    assert isinstance(call.function.parsed_arguments, GetWeather)
    messages += [KEPT_AS[kept_as](message), {"role": "tool", "tool_call_id": call.id, "content": "18 degrees"}]
    assert client.chat.completions.create(model=MODEL, messages=messages, tools=tools).choices[0].message.content


def test_optional_fields_may_be_null(client: OpenAI) -> None:
    optional = [
        "audio", "frequency_penalty", "function_call", "functions", "logit_bias", "logprobs", "max_completion_tokens",
        "max_tokens", "metadata", "modalities", "n", "parallel_tool_calls", "prediction", "presence_penalty",
        "prompt_cache_key", "reasoning_effort", "response_format", "safety_identifier", "seed", "service_tier", "stop",
        "store", "stream_options", "temperature", "tool_choice", "tools", "top_logprobs", "top_p", "user", "verbosity",
        "web_search_options",
    ]  # fmt: skip
    reply = client.chat.completions.create(model=MODEL, messages=[user("Hi")], **dict.fromkeys(optional))
    assert reply.choices[0].message.content


def test_raw_and_streaming_responses(client: OpenAI) -> None:
    raw = client.chat.completions.with_raw_response.create(model=MODEL, messages=[user("Hi")])
    assert raw.parse().object == "chat.completion"
    assert raw.headers["x-request-id"] == raw.request_id
    chunks = list(
        client.chat.completions.create(
            model=MODEL, messages=[user("Hi")], stream=True, stream_options={"include_usage": True}
        )
    )
    assert chunks[-1].usage
    assert chunks[-1].usage.total_tokens > 0


def test_stored_completions(client: OpenAI) -> None:
    metadata = {"walk": "python"}
    made = client.chat.completions.create(model=MODEL, messages=[user("Hi")], store=True, metadata=metadata)
    assert client.chat.completions.retrieve(made.id).choices == made.choices
    assert made.id in [each.id for each in client.chat.completions.list(metadata=metadata, order="desc")]
    assert client.chat.completions.update(made.id, metadata={"walk": "changed"}).metadata == {"walk": "changed"}
    stored = list(client.chat.completions.messages.list(made.id))
    assert stored
    assert all(message.id for message in stored)
    assert client.chat.completions.delete(made.id).deleted
    with pytest.raises(openai.NotFoundError):
        client.chat.completions.retrieve(made.id)


def test_models(client: OpenAI) -> None:
    assert MODEL in [model.id for model in client.models.list()]
    assert client.models.retrieve(MODEL).object == "model"
    with pytest.raises(openai.NotFoundError):
        client.models.retrieve("no-such-model")


def test_moderation(client: OpenAI) -> None:
    result = client.moderations.create(input=["I will kill myself.", "Good morning."])
    assert [each.flagged for each in result.results] == [True, False]
    pixel = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    parts = [{"type": "text", "text": "A pixel"}, {"type": "image_url", "image_url": {"url": pixel}}]
    assert len(client.moderations.create(input=parts).results) == 1


def test_moderated_chat(client: OpenAI) -> None:
    moderation: Any = {"model": "omni-moderation-latest", "policy": {"input": {"mode": "score"}, "output": None}}
    asked: Any = {"model": MODEL, "messages": [user("I will kill myself.")], "moderation": moderation}
    completion = client.chat.completions.create(**asked)
    assert completion.moderation and completion.moderation.input.type == "moderation_results"
    assert [result.flagged for result in completion.moderation.input.results] == [True]
    chunks = [chunk for chunk in client.chat.completions.create(**asked, stream=True) if chunk.moderation]
    assert len(chunks) == 1 and chunks[0].choices == []
    moderation["policy"]["input"]["mode"] = "block"
    with pytest.raises(openai.BadRequestError) as refused:
        client.chat.completions.create(**asked)
    assert (refused.value.code, refused.value.param) == ("content_policy_violation", "moderation")


def test_prompt_cache_options(client: OpenAI) -> None:
    text = {"type": "text", "text": "A long document. " * 500, "prompt_cache_breakpoint": {"mode": "explicit"}}
    asked: Any = {"model": MODEL, "messages": [{"role": "user", "content": [text]}], "service_tier": "fast"}
    for _ in range(2):
        completion = client.chat.completions.create(**asked, prompt_cache_options={"mode": "explicit", "ttl": "30m"})
    assert completion.service_tier == "priority"
    details = completion.usage and completion.usage.prompt_tokens_details
    assert details and details.cached_tokens and details.cache_write_tokens == 0


def test_files(client: OpenAI) -> None:
    made = client.files.create(file=("notes.txt", b"one\ntwo\n"), purpose="user_data")
    assert client.files.retrieve(made.id).bytes == 8
    assert client.files.content(made.id).read() == b"one\ntwo\n"
    assert made.id in [each.id for each in client.files.list(purpose="user_data")]
    assert client.files.delete(made.id).deleted


def test_uploads(client: OpenAI) -> None:
    content = b"x" * 1000
    upload = client.uploads.create(bytes=1000, filename="x.txt", mime_type="text/plain", purpose="user_data")
    parts = [client.uploads.parts.create(upload.id, data=io.BytesIO(half)) for half in (content[:500], content[500:])]
    done = client.uploads.complete(upload.id, part_ids=[part.id for part in parts])
    assert done.file
    assert client.files.content(done.file.id).read() == content
    other = client.uploads.create(bytes=1, filename="y.txt", mime_type="text/plain", purpose="user_data")
    assert client.uploads.cancel(other.id).status == "cancelled"
    chunked = client.uploads.upload_file_chunked(
        file=content, filename="z.txt", bytes=1000, mime_type="text/plain", purpose="user_data"
    )
    assert chunked.status == "completed"


def test_batches(client: OpenAI) -> None:
    lines = [
        {
            "custom_id": f"line-{number}",
            "method": "POST",
            "url": "/v1/chat/completions",
            "body": {"model": MODEL, "messages": [user("Hi")]},
        }
        for number in range(3)
    ]
    content = "\n".join(json.dumps(line) for line in lines).encode()
    file = client.files.create(file=("batch.jsonl", content), purpose="batch")
    batch = client.batches.create(
        input_file_id=file.id, endpoint="/v1/chat/completions", completion_window="24h", metadata={"walk": "python"}
    )
    batch = wait_until_ended(client, batch.id)
    assert batch.status == "completed"
    assert batch.output_file_id
    results = [json.loads(line) for line in client.files.content(batch.output_file_id).text.splitlines()]
    assert sorted(result["custom_id"] for result in results) == ["line-0", "line-1", "line-2"]
    assert batch.id in [each.id for each in client.batches.list(limit=5)]
    with pytest.raises(openai.ConflictError):
        client.batches.cancel(batch.id)


def test_a_batch_with_invalid_lines_fails_as_a_whole(client: OpenAI) -> None:
    content = b'{"custom_id": "a", "method": "POST", "url": "/v1/chat/completions", "body": {"model": "simulator"}}\n'
    file = client.files.create(file=("batch.jsonl", content), purpose="batch")
    batch = client.batches.create(input_file_id=file.id, endpoint="/v1/chat/completions", completion_window="24h")
    batch = wait_until_ended(client, batch.id)
    assert batch.status == "failed"
    assert batch.errors
    assert batch.errors.data
    assert batch.errors.data[0].line == 1


def wait_until_ended(client: OpenAI, batch_id: str) -> Any:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        batch = client.batches.retrieve(batch_id)
        if batch.status in ("completed", "failed", "expired", "cancelled"):
            return batch
        time.sleep(0.2)
    raise AssertionError(f"The batch {batch_id} did not end within 120 seconds.")


def test_videos(client: OpenAI) -> None:
    video = client.videos.create_and_poll(model="storyboard", prompt="A lighthouse", seconds="4", poll_interval_ms=300)
    assert video.status == "completed", video.error
    assert client.videos.download_content(video.id).read()[4:8] == b"ftyp"
    remix = client.videos.remix(video.id, prompt="Make it night")
    assert remix.remixed_from_video_id == video.id
    assert client.videos.poll(remix.id, poll_interval_ms=300).status == "completed"
    assert video.id in [each.id for each in client.videos.list()]
    assert client.videos.delete(video.id).deleted


def test_errors_are_the_classes_of_the_sdk(client: OpenAI, base_url: str) -> None:
    with pytest.raises(openai.AuthenticationError):
        OpenAI(base_url=f"{base_url}/v1", api_key="sk-wrong-key", max_retries=0).models.list()
    with pytest.raises(openai.BadRequestError) as refused:
        client.chat.completions.create(model=MODEL, messages=[user("Hi")], temperature=9)
    assert refused.value.param == "temperature"
    with pytest.raises(openai.NotFoundError):
        client.chat.completions.create(model="no-such-model", messages=[user("Hi")])


def test_a_stream_whose_connection_breaks_is_continued_by_the_same_request(client: OpenAI) -> None:
    key = f"stream-{time.time_ns()}"

    def send() -> openai.Stream[Any]:
        headers = {"Idempotency-Key": key}
        return client.chat.completions.create(
            model=MODEL, messages=[user("Name three rivers in Europe.")], stream=True, extra_headers=headers
        )

    with send() as broken:
        start = next(iter(broken))
    chunks = list(send())
    # Another reply of the model would have another ID.
    assert {chunk.id for chunk in chunks} == {start.id}
    assert chunks[0] == start
    assert chunks[-1].choices[0].finish_reason == "stop"
