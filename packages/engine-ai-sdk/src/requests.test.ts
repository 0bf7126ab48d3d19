import { beforeEach, describe, expect, test } from 'vitest';
import { anthropicEvents as event } from './testing/anthropic-events.ts';
import { events } from './testing/provider-server.ts';
import { serveProviders } from './testing/serve-providers.ts';

const { provider, anthropic, gemini } = await serveProviders();

beforeEach(() => {
  provider.received.length = 0;
  provider.respond((response, request) => {
    const isGemini = request.path.startsWith('/v1beta');
    const piece = { candidates: [{ content: { parts: [{ text: '{"a":1}' }] }, finishReason: 'STOP', index: 0 }] };
    events(...(isGemini ? [piece] : [event.start, ...event.text(0, '{"a":1}'), ...event.end('end_turn')]))(
      response,
      request,
    );
  });
});

const sent = () => provider.received.at(-1)?.body;
const tool = { type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } };
const schema = {
  type: 'object',
  properties: { a: { type: 'integer' } },
  required: ['a'],
  additionalProperties: false,
};
const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

describe('parameters', () => {
  test('sends only what the client set', async () => {
    await anthropic.complete({});
    expect(Object.keys(sent() ?? {}).toSorted()).toEqual(['max_tokens', 'messages', 'model', 'stream']);
  });

  test('sends limits, sampling and stop sequences', async () => {
    await anthropic.complete({ max_completion_tokens: 50, temperature: 0.5, stop: ['END'] });
    expect(sent()).toMatchObject({ max_tokens: 50, temperature: 0.5, stop_sequences: ['END'] });
    await gemini.complete({ temperature: 0.5, top_p: 0.9, seed: 7, stop: 'END' });
    expect(sent()).toMatchObject({
      generationConfig: { temperature: 0.5, topP: 0.9, seed: 7, stopSequences: ['END'] },
    });
  });

  test('sends the one of temperature and top_p that is not 1, where the provider takes one', async () => {
    await anthropic.complete({ temperature: 1, top_p: 0.9 });
    expect(sent()).toMatchObject({ top_p: 0.9 });
    expect(sent()).not.toHaveProperty('temperature');
    await anthropic.complete({ temperature: 0.2, top_p: 1 });
    expect(sent()).toMatchObject({ temperature: 0.2 });
  });

  test.each([
    ['both temperature and top_p', { temperature: 0.2, top_p: 0.9 }, 'top_p'],
    ['a temperature above its maximum', { temperature: 1.5 }, 'temperature'],
    ['a temperature with reasoning', { temperature: 0.2, reasoning_effort: 'high' }, 'temperature'],
    ['a seed', { seed: 1 }, 'seed'],
    ['a penalty', { presence_penalty: 1 }, 'presence_penalty'],
    ['log probabilities', { logprobs: true }, 'logprobs'],
  ])('returns 400 for %s, which Anthropic would ignore', async (_, body, param) => {
    expect(await anthropic.refused(body)).toMatchObject({ status: 400, code: 'unsupported_parameter', param });
  });

  test('sends the reasoning effort', async () => {
    await anthropic.complete({ reasoning_effort: 'high' });
    expect(sent()).toHaveProperty('thinking.type');
    await gemini.complete({ reasoning_effort: 'high' });
    expect(sent()).toHaveProperty('generationConfig.thinkingConfig');
  });

  test('asks for a JSON Schema', async () => {
    const response_format = { type: 'json_schema', json_schema: { name: 'a', schema, strict: true } };
    const { choices } = await anthropic.complete({ response_format });
    expect(choices[0]?.message.content).toBe('{"a":1}');
    expect(sent()).toMatchObject({ output_config: { format: { type: 'json_schema', schema } } });
    await gemini.complete({ response_format });
    expect(sent()).toMatchObject({ generationConfig: { responseMimeType: 'application/json' } });
  });

  test('asks in the prompt for JSON without a schema where the provider has no such mode', async () => {
    const body = { response_format: { type: 'json_object' }, messages: [{ role: 'user', content: 'JSON please' }] };
    await anthropic.complete(body);
    expect(JSON.stringify(sent())).toMatch(/JSON object/i);
    await gemini.complete(body);
    expect(sent()).toMatchObject({ generationConfig: { responseMimeType: 'application/json' } });
  });

  test.each([
    ['required', { type: 'any' }],
    ['none', { type: 'none' }],
    [
      { type: 'function', function: { name: 'look' } },
      { type: 'tool', name: 'look' },
    ],
  ])('sends the tool choice %j', async (tool_choice, expected) => {
    await anthropic.complete({ tools: [tool], tool_choice });
    expect(sent()).toMatchObject({ tool_choice: expected });
  });

  test('asks for a single tool call', async () => {
    await anthropic.complete({ tools: [tool], parallel_tool_calls: false });
    expect(sent()).toMatchObject({ tool_choice: { disable_parallel_tool_use: true } });
  });
});

describe('messages', () => {
  test('sends images and PDF files', async () => {
    const file_data = `data:application/pdf;base64,${Buffer.from('%PDF-1.4\n').toString('base64')}`;
    const content = [
      { type: 'text', text: 'See:' },
      { type: 'image_url', image_url: { url: pixel } },
      { type: 'file', file: { file_data, filename: 'a.pdf' } },
    ];
    const messages = [{ role: 'user', content }];
    await anthropic.complete({ messages });
    expect(sent()).toMatchObject({
      messages: [
        {
          content: [
            { type: 'text', text: 'See:' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png' } },
            { type: 'document', source: { type: 'base64', media_type: 'application/pdf' } },
          ],
        },
      ],
    });
    await gemini.complete({ messages });
    expect(sent()).toMatchObject({
      contents: [
        {
          parts: [
            { text: 'See:' },
            { inlineData: { mimeType: 'image/png' } },
            { inlineData: { mimeType: 'application/pdf' } },
          ],
        },
      ],
    });
  });

  test('returns 400 for a file type that the provider does not take', async () => {
    const file_data = `data:application/zip;base64,${Buffer.from('PK\0').toString('base64')}`;
    const messages = [{ role: 'user', content: [{ type: 'file', file: { file_data, filename: 'a.zip' } }] }];
    expect(await anthropic.refused({ messages })).toMatchObject({ status: 400, code: 'unsupported_value' });
    expect(provider.received).toHaveLength(0);
  });

  test('sends system messages, also where the provider takes them only at the start', async () => {
    const messages = [
      { role: 'user', content: 'Hello', name: 'ada' },
      { role: 'assistant', content: 'Hi.' },
      { role: 'developer', content: 'Be brief.' },
      { role: 'user', content: 'Go on.' },
    ];
    await gemini.complete({ messages });
    expect(sent()).toMatchObject({
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [{ parts: [{ text: 'ada: Hello' }] }, { role: 'model' }, { parts: [{ text: 'Go on.' }] }],
    });
  });

  test('returns 400 for tool arguments that are not a JSON object', async () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"at":' } };
    const messages = [
      { role: 'user', content: 'Look' },
      { role: 'assistant', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: 'sea' },
    ];
    expect(await anthropic.refused({ messages, tools: [tool] })).toMatchObject({
      status: 400,
      param: 'messages[1].tool_calls',
    });
  });
});

test('counts cached and reasoning tokens', async () => {
  const { usage } = await anthropic.complete({});
  expect(usage).toMatchObject({
    prompt_tokens: 105,
    completion_tokens: 7,
    total_tokens: 112,
    prompt_tokens_details: { cached_tokens: 90 },
  });
  const piece = { content: { parts: [{ text: 'Yes.' }] }, finishReason: 'STOP', index: 0 };
  const usageMetadata = {
    promptTokenCount: 100,
    cachedContentTokenCount: 90,
    candidatesTokenCount: 5,
    thoughtsTokenCount: 20,
    totalTokenCount: 125,
  };
  provider.respond(events({ candidates: [piece], usageMetadata }));
  expect((await gemini.complete({})).usage).toMatchObject({
    prompt_tokens: 100,
    completion_tokens: 25,
    prompt_tokens_details: { cached_tokens: 90 },
    completion_tokens_details: { reasoning_tokens: 20 },
  });
});

test('returns sources as annotations and generated images as images of the message', async () => {
  const web = { uri: 'https://example.com/a', title: 'A' };
  const candidate = {
    content: { parts: [{ text: 'See:' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }] },
    groundingMetadata: { groundingChunks: [{ web }, { web }] },
    finishReason: 'STOP',
    index: 0,
  };
  provider.respond(events({ candidates: [candidate] }));
  const { choices } = await gemini.complete({});
  expect(choices[0]?.message).toMatchObject({
    content: 'See:',
    annotations: [
      {
        type: 'url_citation',
        url_citation: { url: 'https://example.com/a', title: 'A', start_index: 0, end_index: 4 },
      },
    ],
    images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }],
  });
  expect(choices[0]?.message.annotations).toHaveLength(1);
});
