"""Mirascope's `openai/` models, which call the Responses API by default, with nothing set but the base URL and the key."""

import pytest
from mirascope import llm
from pydantic import BaseModel

# A model that Mirascope knows, which the server has as an alias, and one that it does not know.
MODELS = ["openai/gpt-4o", "openai/simulator:responses"]
QUESTION = "What is the weather in Paris?"


class City(BaseModel):
    name: str
    population: int


@llm.tool
def get_weather(city: str) -> str:
    """Returns the current weather in a city."""
    return f"Rain in {city}"


@pytest.fixture(autouse=True)
def default_settings(monkeypatch: pytest.MonkeyPatch, base_url: str, api_key: str) -> None:
    """All that a program sets: the base URL and the key."""
    monkeypatch.setenv("OPENAI_BASE_URL", f"{base_url}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", api_key)
    llm.reset_provider_registry()


@pytest.mark.parametrize("model", MODELS)
def test_text_and_the_next_turn(model: str) -> None:
    response = llm.Model(model).call([llm.messages.system("Be brief"), llm.messages.user("Hello")])
    assert response.text()
    assert response.resume("And now?").text()


@pytest.mark.parametrize("model", MODELS)
def test_stream(model: str) -> None:
    response = llm.Model(model).stream("Tell me about rivers")
    chunks = list(response.text_stream())
    assert len(chunks) > 2
    assert response.finish_reason is None
    assert "".join(response.resume("And now?").text_stream())


@pytest.mark.parametrize("model", MODELS)
def test_tools(model: str) -> None:
    response = llm.Model(model).call(QUESTION, tools=[get_weather])
    assert [call.name for call in response.tool_calls] == ["get_weather"]
    assert "Rain" in response.resume(response.execute_tools()).text()


@pytest.mark.parametrize("mode", ["strict", "tool", "json"])
def test_structured(mode: str) -> None:
    form = llm.format(City, mode=mode)
    assert isinstance(llm.Model(MODELS[0]).call("Describe Paris", format=form).parse(), City)


async def test_asynchronous() -> None:
    response = await llm.Model(MODELS[0]).call_async("Hello")
    assert response.text()
    streamed = await llm.Model(MODELS[0]).stream_async("Hello")
    assert "".join([chunk async for chunk in streamed.text_stream()])
