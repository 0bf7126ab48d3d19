import { describe, expect, onTestFinished, test } from 'vitest';
import { allCapabilities, capabilities } from '@modelwire/ports';
import type { ChatEngine, ChatEvent, ChatRequest } from '@modelwire/ports';
import { engineRequest, drain, collectEvents, rejection, relayStream } from '../test/engine-request.ts';
import { chunk, startEventStream, frames } from '../test/fake-server.ts';
import type { RequestHandler, FakeServer } from '../test/fake-server.ts';
import { startUpstream } from '../test/start-upstream.ts';
import { createUpstream } from './upstream.ts';

let fake: FakeServer;
let engine: ChatEngine;

async function start(payloads: string[], failures = 5): Promise<void> {
  ({ fake, engine } = await startUpstream(
    (response) => startEventStream(response).end(frames(...payloads, '[DONE]')),
    {},
    { circuitBreaker: { failures } },
  ));
}

async function generate(payloads: string[], requestBody = {}, parsed: Partial<ChatRequest> = {}): Promise<ChatEvent[]> {
  await start(payloads);
  return await collectEvents(engine, engineRequest(requestBody, undefined, parsed));
}

const done = chunk({}, 'stop');

describe('sends', () => {
  async function sent(
    requestBody: object,
    parsed: Partial<ChatRequest>,
    supported = allCapabilities(),
  ): Promise<Readonly<Record<string, unknown>>> {
    const choices = Array.from({ length: parsed.n ?? 1 }, (_, index) => ({ index, delta: {}, finish_reason: 'stop' }));
    await start([JSON.stringify({ choices })]);
    const { request, context } = engineRequest({ ...requestBody }, undefined, parsed);
    await collectEvents(engine, {
      request,
      context: { ...context, model: { ...context.model, capabilities: supported } },
    });
    const { messages: _, ...body } = fake.requests[0]!.body;
    return body;
  }
  const stream = { model: 'm', stream: true, stream_options: { include_usage: true } };

  test('the body of the client as a stream, without parameters that the server kit emulates', async () => {
    const requestBody = { top_k: 7, custom: true, n: 3, stop: ['x'], max_tokens: 5, stream: false };
    expect(await sent(requestBody, {})).toEqual({ top_k: 7, custom: true, ...stream });
  });

  test('the seed of this call instead of that of the client, and none without a seed', async () => {
    expect(await sent({ seed: 7 }, { seed: 9 })).toEqual({ seed: 9, ...stream });
    await fake.close();
    expect(await sent({ seed: null }, { seed: undefined })).toEqual(stream);
  });

  test('a 64-bit seed without loss of precision', async () => {
    await sent({ seed: 7 }, { seed: -(2n ** 63n) });
    expect(fake.requests[0]?.text).toMatch(/"seed":-9223372036854775808\b/);
  });

  test('parameters that the engine handles, with the name of the limit that the client used', async () => {
    const parsed = { n: 2, stop: ['x', 'y'], max_completion_tokens: 5 };
    const expected = { n: 2, stop: ['x', 'y'], ...stream };
    expect(await sent({ max_tokens: 5 }, parsed)).toEqual({ ...expected, max_tokens: 5 });
    await fake.close();
    expect(await sent({ max_completion_tokens: 5 }, parsed)).toEqual({ ...expected, max_completion_tokens: 5 });
  });

  test('no unsupported parameters, and none about storage', async () => {
    const requestBody = {
      ...{
        store: true,
        metadata: { a: 'b' },
        user: 'u',
        safety_identifier: 's',
        service_tier: 'flex',
        logprobs: false,
      },
      ...{ modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' }, web_search_options: {}, n: 2 },
    };
    const supported = capabilities({ parameters: { temperature: 'native', user: 'native' } });
    expect(await sent({ ...requestBody, temperature: 0.5 }, {}, supported)).toEqual({
      temperature: 0.5,
      user: 'u',
      ...stream,
    });
    await fake.close();
    const { store: _store, metadata: _metadata, n: _n, ...expected } = requestBody;
    expect(await sent(requestBody, {})).toEqual({ ...expected, ...stream });
  });

  test('tools instead of the functions that the server kit converted to them', async () => {
    const functions = [{ name: 'f' }];
    const tools = [{ type: 'function', function: { name: 'f' } }] as const;
    const parsed = { tools, tool_choice: 'required', parallel_tool_calls: false } as const;
    expect(await sent({ functions, function_call: 'auto' }, parsed)).toEqual({ ...parsed, ...stream });
    await fake.close();
    expect(await sent({ functions }, {})).toEqual({ functions, ...stream });
  });
});

test('converts text with logprobs, and counts its tokens by them', async () => {
  const content = [
    { token: 'Hel', logprob: -0.5, bytes: [72], top_logprobs: [{ token: 'x', logprob: -3, bytes: null }] },
    { token: 'lo', logprob: -0.1, bytes: null, top_logprobs: [] },
  ];
  const withLogprobs = { choices: [{ index: 0, delta: { content: 'Hello' }, logprobs: { content } }] };
  expect(
    await generate([
      chunk({ role: 'assistant', content: '' }),
      chunk({ content: 'Hi' }),
      JSON.stringify(withLogprobs),
      done,
    ]),
  ).toEqual([
    { type: 'text', choice: 0, text: 'Hi' },
    { type: 'text', choice: 0, text: 'Hello', tokens: 2, logprobs: content },
    { type: 'finish', choice: 0, reason: 'stop' },
  ]);
});

test('converts a refusal', async () => {
  expect(await generate([chunk({ refusal: 'No.' }), done])).toEqual([
    { type: 'refusal', choice: 0, text: 'No.' },
    { type: 'finish', choice: 0, reason: 'stop' },
  ]);
});

test('converts tool calls to one tool_call event each, then their input', async () => {
  const calls = [
    [{ index: 0, id: 'c1', type: 'function', function: { name: 'f', arguments: '' } }],
    [{ index: 0, function: { arguments: '{"a"' } }],
    [{ index: 0, function: { arguments: ':1}' } }],
    [{ index: 1, id: 'c2', type: 'custom', custom: { name: 'g', input: 'in' } }],
    [{ index: 1, custom: { input: 'put' } }],
  ];
  const payloads = [...calls.map((tool_calls) => chunk({ tool_calls })), chunk({}, 'tool_calls')];
  expect(await generate(payloads)).toEqual([
    { type: 'tool_call', choice: 0, index: 0, id: 'c1', kind: 'function', name: 'f' },
    { type: 'tool_input', choice: 0, index: 0, kind: 'function', text: '{"a"' },
    { type: 'tool_input', choice: 0, index: 0, kind: 'function', text: ':1}' },
    { type: 'tool_call', choice: 0, index: 1, id: 'c2', kind: 'custom', name: 'g' },
    { type: 'tool_input', choice: 0, index: 1, kind: 'custom', text: 'in' },
    { type: 'tool_input', choice: 0, index: 1, kind: 'custom', text: 'put' },
    { type: 'finish', choice: 0, reason: 'tool_calls' },
  ]);
});

test.each([[[0, 0]], [[undefined, undefined]]])(
  'tool calls of a server that does not count them (%j)',
  async (indexes) => {
    const tool_calls = indexes.map((index, at) => ({
      index,
      id: `c${at}`,
      function: { name: 'f', arguments: `{${at}}` },
    }));
    const opened = (await generate([chunk({ tool_calls }, 'tool_calls')])).filter(({ type }) =>
      type.startsWith('tool'),
    );
    expect(opened).toEqual([
      { type: 'tool_call', choice: 0, index: 0, id: 'c0', kind: 'function', name: 'f' },
      { type: 'tool_input', choice: 0, index: 0, kind: 'function', text: '{0}' },
      { type: 'tool_call', choice: 0, index: 1, id: 'c1', kind: 'function', name: 'f' },
      { type: 'tool_input', choice: 0, index: 1, kind: 'function', text: '{1}' },
    ]);
  },
);

test('converts the deprecated function call', async () => {
  const payloads = [
    chunk({ function_call: { name: 'f', arguments: '' } }),
    chunk({ function_call: { arguments: '{}' } }),
  ];
  expect(await generate([...payloads, chunk({}, 'function_call')])).toEqual([
    { type: 'function_call', choice: 0, name: 'f' },
    { type: 'function_call', choice: 0, text: '{}' },
    { type: 'finish', choice: 0, reason: 'function_call' },
  ]);
});

test('converts unknown fields of a delta to extra events', async () => {
  const delta = { content: null, reasoning_content: 'Let me see', weights: [1], audio: null };
  expect(await generate([chunk(delta), done])).toEqual([
    { type: 'extra', choice: 0, delta: { reasoning_content: 'Let me see', weights: [1] } },
    { type: 'finish', choice: 0, reason: 'stop' },
  ]);
});

test('converts changed metadata of the reply, and usage', async () => {
  const metadata = { system_fingerprint: 'fp_1', service_tier: 'flex', usage: null };
  const usage = {
    prompt_tokens: 1,
    completion_tokens: 2,
    total_tokens: 3,
    prompt_tokens_details: { cached_tokens: 1 },
  };
  const payloads = [
    chunk({ content: 'a' }, null, metadata),
    chunk({}, 'stop', metadata),
    JSON.stringify({ choices: [], usage }),
  ];
  expect(await generate(payloads)).toEqual([
    { type: 'meta', system_fingerprint: 'fp_1', service_tier: 'flex' },
    { type: 'text', choice: 0, text: 'a' },
    { type: 'finish', choice: 0, reason: 'stop' },
    { type: 'usage', usage },
  ]);
});

test('separates the choices', async () => {
  const both = JSON.stringify({
    choices: [
      { index: 1, delta: { content: 'b' }, finish_reason: 'length' },
      { index: 0, delta: { content: 'a' }, finish_reason: 'stop' },
    ],
  });
  expect(await generate([both], {}, { n: 2 })).toEqual([
    { type: 'text', choice: 1, text: 'b' },
    { type: 'finish', choice: 1, reason: 'length' },
    { type: 'text', choice: 0, text: 'a' },
    { type: 'finish', choice: 0, reason: 'stop' },
  ]);
});

describe('a choice', () => {
  test('ends with one finish event, even if the server sends several', async () => {
    expect(await generate([done, done, chunk({ content: 'late' })])).toEqual([
      { type: 'finish', choice: 0, reason: 'stop' },
    ]);
  });

  test('that is missing is an error', async () => {
    await expect(generate([done], {}, { n: 2 })).rejects.toMatchObject({ status: 502, message: /1 of 2/ });
  });

  test.each([1, -1, 0.5, '0', null, 1e300])(
    'that was not requested is an unexpected reply, after the previous events: index %j',
    async (index) => {
      const unrequested = JSON.stringify({ choices: [{ index, delta: { content: 'b' } }] });
      const received: unknown[] = [];
      await start([chunk({ content: 'a' }), unrequested, done]);
      const { request, context } = engineRequest();
      const reading = (async () => {
        for await (const events of engine.generate(request, context)) received.push(events);
      })();
      expect(await rejection(reading)).toMatchObject({ status: 502, code: 'upstream_error' });
      expect(received.flat()).toEqual([{ type: 'text', choice: 0, text: 'a' }]);
    },
  );

  test('that was not requested counts as a failure for the circuit breaker', async () => {
    await start([chunk({ content: 'a' }), JSON.stringify({ choices: [{ index: 1, delta: {} }] }), done], 1);
    await rejection(collectEvents(engine, engineRequest()));
    expect(await rejection(collectEvents(engine, engineRequest()))).toMatchObject({ code: 'upstream_unavailable' });
  });

  test('without an index is the first one', async () => {
    expect(await generate([JSON.stringify({ choices: [{ delta: {}, finish_reason: 'stop' }] })])).toEqual([
      { type: 'finish', choice: 0, reason: 'stop' },
    ]);
  });
});

test.each([
  { prompt_tokens: -1, completion_tokens: 2 },
  { prompt_tokens: 1, completion_tokens: 0.5 },
  { prompt_tokens: 1, completion_tokens: 2, total_tokens: -3 },
  { prompt_tokens: 1, completion_tokens: 1e300 },
  { prompt_tokens: 1, completion_tokens: 2, completion_tokens_details: { reasoning_tokens: -1 } },
  { prompt_tokens: '1', completion_tokens: 2 },
])('usage that counts what cannot be is ignored: %j', async (usage) => {
  expect(await generate([done, JSON.stringify({ choices: [], usage })])).toEqual([
    { type: 'finish', choice: 0, reason: 'stop' },
  ]);
});

test('keeps vendor-specific fields of usage', async () => {
  const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3, cost: 0.25, prompt_tokens_details: null };
  expect(await generate([done, JSON.stringify({ choices: [], usage })])).toContainEqual({ type: 'usage', usage });
});

test('converts audio and annotations', async () => {
  const citation = { start_index: 0, end_index: 3, title: 'A', url: 'https://a.example/' };
  const pieces = [
    { audio: { id: 'audio_1', transcript: 'Hi' } },
    { audio: { data: 'AAEC' } },
    { audio: { expires_at: 7 } },
    { annotations: [{ type: 'url_citation', url_citation: citation }, { type: 'other' }, { type: 'url_citation' }] },
  ];
  expect(await generate([...pieces.map((delta) => chunk(delta)), done])).toEqual([
    { type: 'audio', choice: 0, id: 'audio_1', transcript: 'Hi' },
    { type: 'audio', choice: 0, data: Buffer.from([0, 1, 2]) },
    { type: 'audio', choice: 0, expires_at: 7 },
    { type: 'annotations', choice: 0, annotations: [{ type: 'url_citation', url_citation: citation }] },
    { type: 'finish', choice: 0, reason: 'stop' },
  ]);
});

test('does not pass on a field __proto__ of a delta', async () => {
  const payload = '{"choices":[{"index":0,"delta":{"__proto__":{"isAdmin":true},"reasoning":"x"}}]}';
  const [event] = await generate([payload, done]);
  expect(JSON.stringify(event)).toBe('{"type":"extra","choice":0,"delta":{"reasoning":"x"}}');
  expect('isAdmin' in {}).toBe(false);
});

describe('with the preset vllm', () => {
  const counts = (prompt_tokens: number, completion_tokens: number) => ({
    usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
  });
  const usagesOf = (found: readonly ChatEvent[]) =>
    found.flatMap((event) =>
      event.type === 'usage' ? [[event.usage.prompt_tokens, event.usage.completion_tokens]] : [],
    );

  async function startVllm(answer: RequestHandler): Promise<void> {
    ({ fake, engine } = await startUpstream(answer, { preset: 'vllm' }, { retries: 1 }));
  }

  test('requests usage in every chunk, and yields it as it arrives', async () => {
    await startVllm((response) =>
      startEventStream(response).end(
        frames(
          chunk({ content: 'a' }, null, counts(5, 1)),
          chunk({ content: 'b' }, 'stop', counts(5, 2)),
          JSON.stringify({ choices: [], ...counts(5, 2) }),
          '[DONE]',
        ),
      ),
    );
    const found = await collectEvents(engine, engineRequest());
    expect(usagesOf(found)).toEqual([
      [5, 1],
      [5, 2],
      [5, 2],
    ]);
    expect(fake.requests[0]?.body['stream_options']).toEqual({ include_usage: true, continuous_usage_stats: true });
  });

  test('yields the prompt tokens of several choices first and the total at the end, since chunks count only their choice', async () => {
    const of = (index: number, content: string, finish_reason: string | null, completion: number) =>
      JSON.stringify({ choices: [{ index, delta: { content }, finish_reason }], ...counts(5, completion) });
    await startVllm((response) =>
      startEventStream(response).end(
        frames(
          of(0, 'a', null, 1),
          of(1, 'b', 'stop', 1),
          of(0, 'c', 'stop', 2),
          JSON.stringify({ choices: [], ...counts(5, 3) }),
          '[DONE]',
        ),
      ),
    );
    expect(usagesOf(await collectEvents(engine, engineRequest({}, undefined, { n: 2 })))).toEqual([
      [5, 0],
      [5, 3],
    ]);
  });

  test('uses the preset of the upstream that replied', async () => {
    await startVllm((response, _, count) => {
      if (count === 1) response.writeHead(503).end();
      else startEventStream(response).end(frames(chunk({ content: 'a' }, 'stop', counts(5, 1)), '[DONE]'));
    });
    expect(usagesOf(await collectEvents(engine, engineRequest()))).toEqual([[5, 1]]);
    expect(fake.requests).toHaveLength(2);
  });

  test('yields the usage so far before the connection fails', async () => {
    await startVllm((response) => {
      startEventStream(response).write(frames(chunk({ content: 'a' }, null, counts(5, 1))), () => response.destroy());
    });
    const { request, context } = engineRequest();
    const found: ChatEvent[] = [];
    const reading = (async () => {
      for await (const some of engine.generate(request, context)) found.push(...[some].flat());
    })();
    expect((await rejection(reading)).code).toBe('upstream_stream_interrupted');
    expect(usagesOf(found)).toEqual([[5, 1]]);
  });

  test('relays streams without requesting continuous usage', async () => {
    await startVllm((response) => startEventStream(response).end(frames(done, '[DONE]')));
    await drain(await relayStream(engine, engineRequest({ stream: true })));
    expect(fake.requests[0]?.body['stream_options']).toEqual({ include_usage: true });
  });
});

test('does not request usage in every chunk from servers of other kinds', async () => {
  ({ fake, engine } = await startUpstream((response) => startEventStream(response).end(frames(done, '[DONE]')), {
    preset: 'llama.cpp',
  }));
  await collectEvents(engine, engineRequest());
  expect(fake.requests[0]?.body['stream_options']).toEqual({ include_usage: true });
});

test('sends a refusal of an earlier reply as text to servers without refusal parts', async () => {
  await start([done]);
  const upstream = (name: string, preset?: 'llama.cpp') => ({ name, baseURL: fake.baseURL, ...(preset && { preset }) });
  const both = createUpstream({
    upstreams: [upstream('llama', 'llama.cpp'), upstream('complete')],
    models: { m: { upstreams: ['llama'] }, other: { upstreams: ['complete'] } },
  });
  onTestFinished(() => both.close?.());
  const messages = [{ role: 'assistant' as const, content: [{ type: 'refusal' as const, refusal: 'No.' }] }];
  const { request, context } = engineRequest({ messages });
  await drain(
    await relayStream(both, {
      request,
      context: { ...context, requestBody: { ...context.requestBody, stream: true } },
    }),
  );
  await collectEvents(both, { request, context: { ...context, model: { ...context.model, id: 'other' } } });
  const sent = fake.requests.map(({ body }) => (body['messages'] as readonly { content: unknown }[])[0]?.content);
  expect(sent).toEqual([[{ type: 'text', text: 'No.' }], [{ type: 'refusal', refusal: 'No.' }]]);
});
