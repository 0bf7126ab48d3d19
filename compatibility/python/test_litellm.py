"""LiteLLM, which adds fields of its own to the messages that it returns, and sends them back."""

import json
from typing import Any

import litellm
import pytest

MODEL = "openai/simulator"
WEATHER_TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "Tell the weather of a city.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}


@pytest.fixture(scope="module")
def connection(base_url: str, api_key: str) -> dict[str, str]:
    return {"api_base": f"{base_url}/v1", "api_key": api_key}


def streamed(chunks: Any, messages: list[Any]) -> Any:
    return litellm.stream_chunk_builder(list(chunks), messages=messages)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("kept_as", ["object", "model_dump"])
def test_a_message_is_sent_back(connection: dict[str, str], kept_as: str, stream: bool) -> None:
    messages: list[Any] = [{"role": "user", "content": "Name a river."}]
    reply = litellm.completion(model=MODEL, messages=messages, stream=stream, **connection)
    if stream:
        reply = streamed(reply, messages)
    message = reply.choices[0].message
    messages.append(message if kept_as == "object" else message.model_dump())
    messages.append({"role": "user", "content": "And another one?"})
    assert litellm.completion(model=MODEL, messages=messages, **connection).choices[0].message.content


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("kept_as", ["object", "model_dump"])
def test_a_tool_loop_ends_in_an_answer(connection: dict[str, str], kept_as: str, stream: bool) -> None:
    messages: list[Any] = [{"role": "user", "content": "What is the weather in Paris?"}]
    params = {"model": MODEL, "tools": [WEATHER_TOOL], **connection}
    reply = litellm.completion(messages=messages, tool_choice="required", stream=stream, **params)
    if stream:
        reply = streamed(reply, messages)
    message = reply.choices[0].message
    assert message.tool_calls
    messages.append(message if kept_as == "object" else message.model_dump())
    for call in message.tool_calls:
        city = json.loads(call.function.arguments)["city"]
        messages.append(
            {"role": "tool", "tool_call_id": call.id, "name": "get_weather", "content": f"18 degrees in {city}"}
        )
    assert litellm.completion(messages=messages, **params).choices[0].message.content


def test_json_mode_and_a_json_schema(connection: dict[str, str]) -> None:
    ask = [{"role": "user", "content": "Describe a city as JSON."}]
    reply = litellm.completion(model=MODEL, messages=ask, response_format={"type": "json_object"}, **connection)
    assert isinstance(json.loads(reply.choices[0].message.content), dict)


def test_moderation(connection: dict[str, str]) -> None:
    result = litellm.moderation(input="I will kill myself.", model="omni-moderation-latest", **connection)
    assert result.results[0].flagged


def test_errors_are_the_classes_of_litellm(connection: dict[str, str]) -> None:
    ask = [{"role": "user", "content": "Hi"}]
    with pytest.raises(litellm.BadRequestError):
        litellm.completion(model=MODEL, messages=ask, temperature=9, **connection)
    with pytest.raises(litellm.AuthenticationError):
        litellm.completion(model=MODEL, messages=ask, **{**connection, "api_key": "sk-wrong-key"})
