"""The Responses API: the official Python SDK, and the frameworks that call it by default with nothing but a model's name."""

from typing import Any

import pytest
from agents import Agent as OpenAIAgent
from agents import OpenAIResponsesModel, Runner, function_tool, set_tracing_disabled
from openai import AsyncOpenAI, OpenAI
from pydantic import BaseModel
from pydantic_ai import Agent, NativeOutput

MODEL = "simulator"
QUESTION = "What is the weather in Paris?"
TOOL = {
    "type": "function",
    "name": "get_weather",
    "description": "Returns the current weather in a city.",
    "parameters": {
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
        "additionalProperties": False,
    },
    "strict": True,
}


class City(BaseModel):
    name: str
    population: int


@pytest.fixture(autouse=True)
def default_settings(monkeypatch: pytest.MonkeyPatch, base_url: str, api_key: str) -> None:
    """All that a program sets: the base URL and the key."""
    monkeypatch.setenv("OPENAI_BASE_URL", f"{base_url}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", api_key)
    set_tracing_disabled(True)


@pytest.fixture
def client() -> OpenAI:
    return OpenAI(max_retries=0)


def test_sdk_text(client: OpenAI) -> None:
    response = client.responses.create(model=MODEL, input="Hello")
    assert response.status == "completed"
    assert response.output_text
    assert [event.type for event in client.responses.create(model=MODEL, input="Hello", stream=True)][-1] == "response.completed"


def test_sdk_stream_helper(client: OpenAI) -> None:
    with client.responses.stream(model=MODEL, input="Hello") as stream:
        for _ in stream:
            pass
        assert stream.get_final_response().output_text


def test_sdk_structured(client: OpenAI) -> None:
    parsed = client.responses.parse(model=MODEL, input="Describe Paris", text_format=City).output_parsed
    assert isinstance(parsed, City)


@pytest.mark.parametrize("keep", ["object", "to_dict", "model_dump"])
def test_sdk_sends_its_items_back(client: OpenAI, keep: str) -> None:
    messages: list[Any] = [{"role": "user", "content": QUESTION}]
    with client.responses.stream(model=MODEL, input=messages, tools=[TOOL]) as stream:
        for _ in stream:
            pass
        output = stream.get_final_response().output
    call = next(item for item in output if item.type == "function_call")
    messages += [item if keep == "object" else getattr(item, keep)() for item in output]
    messages.append({"type": "function_call_output", "call_id": call.call_id, "output": "Rain"})
    assert "Rain" in client.responses.create(model=MODEL, input=messages, tools=[TOOL]).output_text


def test_sdk_state(client: OpenAI) -> None:
    first = client.responses.create(model=MODEL, input="Hello")
    assert client.responses.retrieve(first.id).output_text == first.output_text
    assert len(client.responses.input_items.list(first.id).data) == 1
    second = client.responses.create(model=MODEL, input="More", previous_response_id=first.id)
    assert second.previous_response_id == first.id
    client.responses.delete(first.id)


def weather_agent(**options: Any) -> tuple[Agent, list[str]]:
    asked: list[str] = []
    agent: Agent = Agent(f"openai:{MODEL}", **options)

    @agent.tool_plain
    def get_weather(city: str) -> str:
        """Returns the current weather in a city."""
        asked.append(city)
        return f"Rain in {city}"

    return agent, asked


async def test_pydantic_ai() -> None:
    agent, asked = weather_agent(instructions="Be brief")
    result = await agent.run(QUESTION)
    assert asked and "Rain" in result.output
    assert (await agent.run("Hello", message_history=result.all_messages())).output
    async with agent.run_stream("Hello") as stream:
        assert await stream.get_output()


@pytest.mark.parametrize("output_type", [City, NativeOutput(City)], ids=["tool", "native"])
async def test_pydantic_ai_structured(output_type: Any) -> None:
    result = await Agent(f"openai:{MODEL}", output_type=output_type).run("Describe Paris")
    assert isinstance(result.output, City)


@function_tool
def get_temperature(city: str) -> str:
    """Returns the temperature in a city."""
    return f"21 degrees in {city}"


def agents() -> tuple[OpenAIAgent, OpenAIAgent]:
    model = OpenAIResponsesModel(MODEL, AsyncOpenAI(max_retries=0))
    weather = OpenAIAgent(name="Weather", handoff_description="Knows the weather", instructions="Use the tool", model=model, tools=[get_temperature])  # fmt: skip
    return OpenAIAgent(name="Triage", instructions="Hand off", model=model, handoffs=[weather]), weather


async def test_openai_agents_handoff_and_tool() -> None:
    triage, weather = agents()
    result = await Runner.run(triage, "transfer to weather: what is the temperature in Paris?")
    assert result.last_agent is weather
    assert "21 degrees" in str(result.final_output)


async def test_openai_agents_streamed() -> None:
    result = Runner.run_streamed(agents()[1], "What is the temperature in Paris?")
    async for _ in result.stream_events():
        pass
    assert "21 degrees" in str(result.final_output)


async def test_openai_agents_state() -> None:
    weather = agents()[1]
    question = "What is the temperature in Paris?"
    assert "21 degrees" in str((await Runner.run(weather, question, auto_previous_response_id=True)).final_output)
    conversation = await AsyncOpenAI().conversations.create()
    assert "21 degrees" in str((await Runner.run(weather, question, conversation_id=conversation.id)).final_output)


async def test_openai_agents_structured() -> None:
    model = OpenAIResponsesModel(MODEL, AsyncOpenAI(max_retries=0))
    result = await Runner.run(OpenAIAgent(name="Cities", model=model, output_type=City), "Describe Paris")
    assert isinstance(result.final_output, City)
