"""The official Python SDK of Anthropic: messages, streams, tools, structured output, models and errors."""

import anthropic
import pytest
from anthropic import Anthropic, beta_tool
from pydantic import BaseModel

ASK = {
    "model": "simulator",
    "max_tokens": 300,
    "messages": [{"role": "user", "content": "What is 6 * 7?"}],
}


class River(BaseModel):
    name: str
    kilometers: float | None = None


@beta_tool
def get_weather(city: str) -> str:
    """Return the current weather in a city.

    Args:
        city: Name of the city.
    """
    return f"sun in {city}"


@pytest.fixture()
def client(base_url: str, api_key: str) -> Anthropic:
    return Anthropic(base_url=base_url, api_key=api_key, max_retries=0)


def test_a_message_and_its_tokens(client: Anthropic) -> None:
    message = client.messages.create(**ASK)
    assert "42" in message.content[0].text
    assert message.stop_reason == "end_turn"
    counted = client.messages.count_tokens(model="simulator", messages=ASK["messages"])
    assert counted.input_tokens == message.usage.input_tokens


def test_a_stream(client: Anthropic) -> None:
    with client.messages.stream(**ASK, stop_sequences=["42"]) as stream:
        text = "".join(stream.text_stream)
        message = stream.get_final_message()
    assert message.content[0].text == text
    assert (message.stop_reason, message.stop_sequence) == ("stop_sequence", "42")


@pytest.mark.parametrize("stream", [False, True])
def test_the_tool_runner(client: Anthropic, stream: bool) -> None:
    runner = client.beta.messages.tool_runner(
        model="simulator",
        max_tokens=300,
        messages=[{"role": "user", "content": 'Call the tool get_weather with city "Paris"'}],
        tools=[get_weather],
        stream=stream,
    )
    assert "sun in Paris" in runner.until_done().content[0].text


def test_a_structured_output(client: Anthropic) -> None:
    message = client.messages.parse(**ASK, output_format=River)
    assert isinstance(message.parsed_output, River)


def test_a_conversation_is_sent_back_as_the_sdk_returned_it(client: Anthropic) -> None:
    first = client.messages.create(**ASK)
    for content in (first.content, [block.to_dict() for block in first.content]):
        messages = [*ASK["messages"], {"role": "assistant", "content": content}, {"role": "user", "content": "Thanks"}]
        assert client.messages.create(**{**ASK, "messages": messages}).role == "assistant"


def test_models(client: Anthropic) -> None:
    assert "simulator" in [model.id for model in client.models.list()]
    assert client.models.retrieve("simulator").type == "model"


def test_errors(client: Anthropic) -> None:
    with pytest.raises(anthropic.NotFoundError) as error:
        client.messages.create(**{**ASK, "model": "unknown"})
    assert error.value.request_id.startswith("req_")
    with pytest.raises(anthropic.AuthenticationError):
        client.with_options(api_key="wrong").messages.create(**ASK)
