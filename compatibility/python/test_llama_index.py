"""LlamaIndex with nothing but a base URL, a key and a model's name: responses, `OpenAILike` over legacy completions, and embeddings."""

import pytest
from llama_index.core import PromptTemplate
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.tools import FunctionTool
from llama_index.embeddings.openai import OpenAIEmbedding
from llama_index.llms.openai_like import OpenAILike, OpenAILikeResponses
from pydantic import BaseModel

QUESTION = "What is the weather in Paris?"


class City(BaseModel):
    """A city."""

    name: str
    population: int


def get_weather(city: str) -> str:
    """Returns the current weather in a city."""
    return f"Rain in {city}"


@pytest.fixture
def responses(base_url: str, api_key: str) -> OpenAILikeResponses:
    return OpenAILikeResponses(
        model="simulator",
        api_base=f"{base_url}/v1",
        api_key=api_key,
        max_retries=0,
        is_function_calling_model=True,
        is_chat_model=True,
        context_window=4096,
    )


def test_responses_text(responses: OpenAILikeResponses) -> None:
    messages = [ChatMessage(role="system", content="Be brief"), ChatMessage(role="user", content="Hello")]
    reply = responses.chat(messages)
    assert reply.message.content
    assert responses.chat([*messages, reply.message, ChatMessage(role="user", content="More")]).message.content
    assert responses.complete("Hello").text


def test_responses_stream(responses: OpenAILikeResponses) -> None:
    chunks = list(responses.stream_chat([ChatMessage(role="user", content="Tell me about rivers")]))
    assert len(chunks) > 2
    assert chunks[-1].message.content


def test_responses_tools(responses: OpenAILikeResponses) -> None:
    tool = FunctionTool.from_defaults(get_weather)
    reply = responses.chat_with_tools([tool], user_msg=QUESTION)
    (call,) = responses.get_tool_calls_from_response(reply)
    assert call.tool_name == "get_weather"
    assert "city" in call.tool_kwargs
    result = ChatMessage(role="tool", content="Rain", additional_kwargs={"call_id": call.tool_id})
    history = [ChatMessage(role="user", content=QUESTION), reply.message, result]
    assert "Rain" in str(responses.chat_with_tools([tool], chat_history=history).message.content)


def test_responses_structured(responses: OpenAILikeResponses) -> None:
    city = responses.structured_predict(City, PromptTemplate("Describe Paris"))
    assert isinstance(city, City)


def test_legacy_completions(base_url: str, api_key: str) -> None:
    llm = OpenAILike(model="simulator", api_base=f"{base_url}/v1", api_key=api_key, max_retries=0, max_tokens=64)
    assert llm.complete("Name three rivers").text
    chunks = list(llm.stream_complete("Name three rivers"))
    assert len(chunks) > 2
    assert chunks[-1].text
    assert llm.chat([ChatMessage(role="user", content="Hello")]).message.content


def test_embeddings(base_url: str, api_key: str) -> None:
    model = OpenAIEmbedding(model_name="simulator-embedding", api_base=f"{base_url}/v1", api_key=api_key, max_retries=0)
    vectors = model.get_text_embedding_batch(["A river", "A river", "Bread"])
    assert len(vectors[0]) == 256
    assert vectors[0] == vectors[1] != vectors[2]
    assert len(model.get_query_embedding("A river")) == 256
