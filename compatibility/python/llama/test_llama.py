"""A real model behind Modelwire: in front of llama.cpp's server, and in the process of Modelwire."""

import json
import time
import urllib.request
from typing import Any

import httpx
import jsonschema
import openai
import pytest
from conftest import LlamaServer

MODEL = "smol"
HELLO: list[Any] = [{"role": "user", "content": "Tell me about rivers."}]
PARAMETERS = {
    "type": "object",
    "properties": {"city": {"type": "string", "enum": ["Paris", "Oslo"]}, "days": {"type": "integer", "minimum": 1, "maximum": 9}},
    "required": ["city", "days"],
    "additionalProperties": False,
}
WEATHER: Any = {"type": "function", "function": {"name": "weather", "description": "Forecast for a city.", "parameters": PARAMETERS}}
TIME: Any = {"type": "function", "function": {"name": "time", "parameters": {"type": "object", "properties": {}, "additionalProperties": False}}}
NAMED: Any = {"type": "function", "function": {"name": "weather"}}


def ask(client: openai.OpenAI, **more: Any) -> Any:
    return client.chat.completions.create(**{"model": MODEL, "messages": HELLO, "max_tokens": 12, "seed": 1, **more})


def test_a_reply_has_text_a_finish_reason_and_usage(client: openai.OpenAI) -> None:
    reply = ask(client)
    assert reply.choices[0].message.content
    assert reply.choices[0].finish_reason == "length"
    assert reply.usage.completion_tokens == 12
    assert reply.usage.total_tokens == reply.usage.prompt_tokens + 12


def test_a_stream_has_the_same_text_and_usage(client: openai.OpenAI) -> None:
    whole = ask(client, temperature=0)
    chunks = list(ask(client, temperature=0, stream=True, stream_options={"include_usage": True}))
    text = "".join(choice.delta.content or "" for chunk in chunks for choice in chunk.choices)
    assert text == whole.choices[0].message.content
    assert chunks[-1].usage.completion_tokens == 12


def test_a_reply_ends_before_its_stop_sequence(client: openai.OpenAI) -> None:
    text = ask(client, temperature=0).choices[0].message.content
    word = text.split()[4]
    stopped = ask(client, temperature=0, stop=[word]).choices[0]
    assert stopped.finish_reason == "stop"
    assert word not in stopped.message.content
    assert text.startswith(stopped.message.content)


def test_log_probabilities_are_those_of_the_tokens(client: openai.OpenAI) -> None:
    choice = ask(client, logprobs=True, top_logprobs=2).choices[0]
    tokens = choice.logprobs.content
    assert "".join(token.token for token in tokens) == choice.message.content
    assert all(token.logprob <= 0 and len(token.top_logprobs) == 2 for token in tokens)


def test_the_same_seed_gives_the_same_text(client: openai.OpenAI) -> None:
    first, second, other = (ask(client, seed=seed, max_tokens=24).choices[0].message.content for seed in (7, 7, 8))
    assert first == second
    assert first != other


def test_several_choices_differ_and_usage_counts_all(client: openai.OpenAI) -> None:
    reply = ask(client, n=2, seed=3)
    assert reply.choices[0].message.content != reply.choices[1].message.content
    assert reply.usage.completion_tokens == 24


@pytest.mark.parametrize("tool_choice", ["required", NAMED], ids=["required", "named"])
@pytest.mark.parametrize("stream", [False, True])
def test_a_forced_tool_is_called(client: openai.OpenAI, tool_choice: Any, stream: bool) -> None:
    tools = [WEATHER] if tool_choice == "required" else [WEATHER, TIME]
    reply = ask(client, tools=tools, tool_choice=tool_choice, parallel_tool_calls=False, max_tokens=80, stream=stream)
    if stream:
        calls = [call for chunk in reply for choice in chunk.choices for call in choice.delta.tool_calls or []]
        name, arguments = calls[0].function.name, "".join(call.function.arguments or "" for call in calls)
    else:
        [call] = reply.choices[0].message.tool_calls
        name, arguments = call.function.name, call.function.arguments
    assert name == "weather"
    jsonschema.validate(json.loads(arguments), PARAMETERS)


def test_one_of_several_tools_is_called(client: openai.OpenAI) -> None:
    reply = ask(client, tools=[WEATHER, TIME], tool_choice="required", parallel_tool_calls=False, max_tokens=80)
    [call] = reply.choices[0].message.tool_calls
    assert call.function.name in ("weather", "time")
    json.loads(call.function.arguments)


def test_no_tool_is_called_with_none(client: openai.OpenAI) -> None:
    assert ask(client, tools=[WEATHER], tool_choice="none").choices[0].message.tool_calls is None


CALL: Any = {"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": '{"city":"Oslo","days":1}'}}
AFTER_A_CALL: list[Any] = [*HELLO, {"role": "assistant", "content": None, "tool_calls": [CALL]}, {"role": "tool", "tool_call_id": "call_1", "content": "Rain."}]


def test_the_result_of_a_tool_is_accepted(in_process: openai.OpenAI) -> None:
    assert ask(in_process, messages=AFTER_A_CALL, tools=[WEATHER]).choices[0].message.role == "assistant"


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("messages", [HELLO, AFTER_A_CALL], ids=["first", "result"])
def test_tools_that_the_chat_template_would_drop_are_refused(in_front: openai.OpenAI, messages: list[Any], stream: bool) -> None:
    with pytest.raises(openai.BadRequestError, match="chat template") as refused:
        ask(in_front, messages=messages, tools=[WEATHER], stream=stream)
    assert (refused.value.code, refused.value.param) == ("unsupported_parameter", "tools")


def test_tools_that_the_chat_template_renders_are_in_the_prompt(in_front_with_tools: openai.OpenAI) -> None:
    without, tools = (ask(in_front_with_tools, **more).usage.prompt_tokens for more in ({}, {"tools": [WEATHER]}))
    assert tools > without + 20
    assert ask(in_front_with_tools, messages=AFTER_A_CALL, tools=[WEATHER]).choices[0].message.role == "assistant"


def test_responses_are_streamed(client: openai.OpenAI) -> None:
    events = list(client.responses.create(model=MODEL, input="Tell me about rivers.", max_output_tokens=16, stream=True))
    text = "".join(event.delta for event in events if event.type == "response.output_text.delta")
    assert events[-1].type in ("response.completed", "response.incomplete")
    assert text and text == events[-1].response.output_text


def test_a_chain_of_responses_takes_the_earlier_turns_from_the_prompt_cache(in_process: openai.OpenAI) -> None:
    previous: Any = None
    for question in ["Tell me about the Rhine.", "And about the Danube?", "Which of them is longer?"]:
        response = in_process.responses.create(
            model=MODEL,
            input=question,
            previous_response_id=previous and previous.id,
            max_output_tokens=16,
            temperature=0,
        )
        usage = response.usage
        assert usage is not None
        if previous is not None:
            assert usage.input_tokens > previous.usage.total_tokens
            assert usage.input_tokens_details.cached_tokens >= previous.usage.input_tokens
        previous = response


def test_the_messages_api_of_the_upstream_is_passed_through_streamed(in_front: openai.OpenAI) -> None:
    body = {"model": MODEL, "messages": HELLO, "max_tokens": 8, "stream": True}
    with httpx.stream("POST", f"{in_front.base_url}messages", json=body, headers={"x-api-key": in_front.api_key}, timeout=120) as response:
        assert response.headers["x-modelwire-upstream"] == "upstream-1"
        types = [line.removeprefix("event: ") for line in response.iter_lines() if line.startswith("event: ")]
    assert (types[0], types[-1]) == ("message_start", "message_stop")
    assert "content_block_delta" in types


def test_embeddings_come_as_base64_and_as_numbers(in_front_of_embeddings: openai.OpenAI) -> None:
    # The SDK requests base64 unless it is told otherwise.
    compact = in_front_of_embeddings.embeddings.create(model=MODEL, input=["rivers", "lakes"])
    plain = in_front_of_embeddings.embeddings.create(model=MODEL, input=["rivers", "lakes"], encoding_format="float")
    assert [len(item.embedding) for item in compact.data] == [576, 576]
    for one, other in zip(compact.data, plain.data, strict=True):
        assert one.embedding == pytest.approx(other.embedding, abs=1e-4)
    assert compact.usage.prompt_tokens > 0


def closed(properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False, **more}


SMALL = {"type": "integer", "minimum": 0, "maximum": 99}
SCHEMAS: dict[str, dict[str, Any]] = {
    "boolean": closed({"deep": {"type": "boolean"}}),
    "integer": closed({"length": {"type": "integer", "minimum": 1, "maximum": 9}}),
    "enum": closed({"kind": {"type": "string", "enum": ["wide", "narrow"]}}),
    "string": closed({"name": {"type": "string", "pattern": "^[a-z]{1,8}$"}}),
    "const": closed({"version": {"type": "string", "const": "v1"}}),
    "null": closed({"source": {"anyOf": [{"type": "null"}, {"type": "string", "enum": ["map"]}]}}),
    "array": closed({"depths": {"type": "array", "items": SMALL, "minItems": 1, "maxItems": 3}}),
    "nested": closed({"river": closed({"length": SMALL, "deep": {"type": "boolean"}})}),
    "any_of": closed({"width": {"anyOf": [{"type": "boolean"}, SMALL]}}),
    "reference": closed({"first": {"$ref": "#/$defs/depth"}, "second": {"$ref": "#/$defs/depth"}}, **{"$defs": {"depth": SMALL}}),
}


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_reply_follows_its_schema(client: openai.OpenAI, name: str) -> None:
    schema = SCHEMAS[name]
    json_schema = {"name": name, "strict": True, "schema": schema}
    choice = ask(client, max_tokens=90, response_format={"type": "json_schema", "json_schema": json_schema}).choices[0]
    assert choice.finish_reason == "stop"
    jsonschema.validate(json.loads(choice.message.content), schema)


def test_an_aborted_stream_frees_its_slot(client: openai.OpenAI, llama: LlamaServer) -> None:
    stream = ask(client, stream=True, max_tokens=2000)
    next(iter(stream))
    stream.close()
    deadline = time.monotonic() + 60
    while any(slot["is_processing"] for slot in slots(llama)):
        assert time.monotonic() < deadline, "llama.cpp still generates."
        time.sleep(0.1)
    assert ask(client).choices[0].message.content


def test_a_stream_that_is_not_read_delays_no_other_request_and_is_complete(client: openai.OpenAI) -> None:
    stream = ask(client, temperature=0, stream=True, max_tokens=48, stream_options={"include_usage": True})
    first = next(iter(stream))
    assert ask(client, temperature=0, max_tokens=48).choices[0].finish_reason == "length"
    # Not the same text: sequences that share a batch are computed with other rounding errors than one alone.
    chunks = [first, *stream]
    reasons = [choice.finish_reason for chunk in chunks for choice in chunk.choices if choice.finish_reason]
    assert reasons == ["length"]
    assert chunks[-1].usage and chunks[-1].usage.completion_tokens == 48
    assert sum(1 for chunk in chunks for choice in chunk.choices if choice.delta.content) > 1


def slots(llama: LlamaServer) -> Any:
    with urllib.request.urlopen(f"{llama.url}/slots", timeout=10) as response:
        return json.load(response)


@pytest.mark.parametrize("stream", [False, True])
def test_a_prompt_beyond_the_context_is_refused(client: openai.OpenAI, stream: bool) -> None:
    messages = [{"role": "user", "content": "river " * 6000}]
    with pytest.raises(openai.BadRequestError) as refused:
        ask(client, messages=messages, stream=stream)
    assert refused.value.code == "context_length_exceeded"


BAD: dict[str, dict[str, Any]] = {
    "image": {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}]}]},
    "audio": {"messages": [{"role": "user", "content": [{"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}}]}]},
    "temperature": {"temperature": 3},
    "unknown": {"extra_body": {"no_such_parameter": 1}},
    "reference": {"response_format": {"type": "json_schema", "json_schema": {"name": "x", "schema": {"$ref": "#/$defs/nothing"}}}},
}


@pytest.mark.parametrize("name", BAD)
def test_bad_requests_are_refused_and_harm_no_other(client: openai.OpenAI, name: str) -> None:
    for _ in range(6):
        with pytest.raises(openai.BadRequestError):
            ask(client, **BAD[name])
    assert ask(client, max_tokens=2).choices[0].message.content


def test_the_upstream_may_be_killed_and_started_again(in_front: openai.OpenAI, llama: LlamaServer) -> None:
    stream = iter(ask(in_front, stream=True, max_tokens=2000))
    next(stream)
    llama.kill()
    with pytest.raises(openai.APIError):
        for _ in stream:
            pass
    with pytest.raises(openai.InternalServerError) as failed:
        ask(in_front)
    assert failed.value.status_code in (502, 503)
    llama.start()
    deadline = time.monotonic() + 60
    while True:
        try:
            assert ask(in_front).choices[0].message.content
            return
        except openai.InternalServerError:
            assert time.monotonic() < deadline, "Modelwire does not use the upstream again."
            time.sleep(0.5)
