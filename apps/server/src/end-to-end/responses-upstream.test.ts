import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { listenForTest } from '@modelwire/vitest/listen';
import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import { expect, onTestFinished, test } from 'vitest';
import { key, startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';

type Fields = Readonly<Record<string, unknown>>;

const usage = {
  input_tokens: 7,
  input_tokens_details: { cached_tokens: 3, cache_write_tokens: 2 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 1 },
  total_tokens: 12,
};
const search = { type: 'file_search_call', id: 'fs_1', status: 'completed', queries: ['rivers'] };
const part = { type: 'output_text', text: 'The Rhine.', annotations: [] };
const message = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [part] };
const upstreamResponse = {
  id: 'resp_theirs',
  object: 'response',
  status: 'in_progress',
  model: 'inner',
  output: [],
  error: null,
};
const opened = [
  { type: 'response.created', sequence_number: 0, response: upstreamResponse },
  { type: 'response.in_progress', sequence_number: 1, response: upstreamResponse },
  {
    type: 'response.output_item.added',
    sequence_number: 2,
    output_index: 0,
    item: { ...search, status: 'in_progress' },
  },
  { type: 'response.file_search_call.searching', sequence_number: 3, output_index: 0, item_id: 'fs_1' },
  { type: 'response.output_item.done', sequence_number: 4, output_index: 0, item: search },
  { type: 'response.output_item.added', sequence_number: 5, output_index: 1, item: { ...message, content: [] } },
  {
    type: 'response.output_text.delta',
    sequence_number: 6,
    output_index: 1,
    item_id: 'msg_1',
    content_index: 0,
    delta: 'The Rhine.',
    obfuscation: 'theirs',
  },
];
const completed = {
  type: 'response.completed',
  sequence_number: 7,
  response: { ...upstreamResponse, status: 'completed', output: [search, message], usage, service_tier: 'priority' },
};

/** A model server that serves `/responses` with these events, and a server in front of it. */
async function serve(
  events: readonly Fields[],
  options: { readonly responses?: boolean; readonly interrupts?: boolean } = {},
) {
  const upstreamRequests: { readonly url: string; readonly body: Fields }[] = [];
  const upstream = createServer((request, response) => {
    if (request.method === 'GET') {
      response.end('{"data":[]}');
      return;
    }
    void (async () => {
      upstreamRequests.push({ url: request.url ?? '', body: (await json(request)) as Fields });
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const event of events) response.write(`event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`);
      if (options.interrupts) setImmediate(() => response.destroy());
      // The connection stays open: the last event ends the response.
    })();
  });
  const baseURL = `http://${await listenForTest(upstream)}/v1`;
  const server = await startTestServer({
    simulator: false,
    upstreams: [{ baseURL, responses: options.responses ?? true }],
    models: { outer: { upstreamModel: 'inner' } },
  });
  onTestFinished(() => server.stop());
  return { ...server, upstreamRequests };
}

const model = 'outer';
const fileSearch = { type: 'file_search' as const, vector_store_ids: ['vs_1'] };

async function eventsOf({ client }: Pick<TestServer, 'client'>, body: object): Promise<ResponseStreamEvent[]> {
  const events: ResponseStreamEvent[] = [];
  for await (const event of await client.responses.create({ model, input: 'Hi', ...body, stream: true })) {
    events.push(event);
  }
  return events;
}

test('forwards a request to an upstream with /responses unchanged, without the fields that the server handles itself', async () => {
  const server = await serve([...opened, completed]);
  const body = {
    model,
    input: [{ role: 'user' as const, content: 'Name a river.' }],
    tools: [fileSearch],
    tool_choice: { type: 'file_search' } as const,
    reasoning: { effort: 'max' } as const,
    metadata: { topic: 'rivers' },
    service_tier: 'auto' as const,
  };
  // The SDK has no type for it: Codex sends it.
  const sent = { ...body, client_metadata: { session_id: 'of this client' } };
  const { data: response, response: http } = await server.client.responses.create(sent).withResponse();
  expect(server.upstreamRequests).toEqual([
    {
      url: '/v1/responses',
      body: {
        model: 'inner',
        input: body.input,
        tools: body.tools,
        tool_choice: body.tool_choice,
        reasoning: body.reasoning,
        service_tier: 'auto',
        store: false,
        stream: true,
      },
    },
  ]);
  expect(http.headers.has('x-modelwire-unsupported-tools')).toBe(false);
  expect(response).toMatchObject({
    model,
    status: 'completed',
    output: [search, message],
    usage,
    metadata: body.metadata,
    tools: [fileSearch],
    service_tier: 'priority',
    store: true,
  });
  expect(response.id).not.toBe('resp_theirs');
  expect(JSON.stringify(response)).not.toContain('of this client');
  expect(await server.client.responses.retrieve(response.id)).toEqual(response);
});

test('events of an upstream are passed on, renumbered and with the ID of this server', async () => {
  const server = await serve([...opened, completed]);
  const events = await eventsOf(server, {});
  expect(events.map(({ type }) => type)).toEqual([...opened, completed].map(({ type }) => type));
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
  const ids = events.flatMap((event) => ('response' in event ? [event.response.id] : []));
  expect(new Set(ids).size).toBe(1);
  expect(ids).not.toContain('resp_theirs');
  expect(events[6]).toMatchObject({ delta: 'The Rhine.', logprobs: [] });
  expect(events[6]).not.toMatchObject({ obfuscation: 'theirs' });
});

test('a stored response is continued: the upstream gets the whole conversation as input', async () => {
  const server = await serve([...opened, completed]);
  const first = await server.client.responses.create({ model, input: 'Name a river.' });
  const second = await server.client.responses.create({ model, input: 'Go on.', previous_response_id: first.id });
  expect(second.previous_response_id).toBe(first.id);
  const body: Fields = server.upstreamRequests[1]?.body ?? {};
  expect(body).not.toHaveProperty('previous_response_id');
  expect(body['input']).toMatchObject([{ role: 'user' }, search, message, { role: 'user' }]);
  const reference = { type: 'item_reference', id: 'msg_1' } as const;
  await server.client.responses.create({ model, input: [reference, { role: 'user', content: 'Again.' }] });
  expect(server.upstreamRequests[2]?.body['input']).toMatchObject([message, { role: 'user' }]);
});

test('a background response of such an upstream is stored with its events', async () => {
  const server = await serve([...opened, completed]);
  const events = await eventsOf(server, { background: true });
  expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { output: [search, message] } });
  expect(server.upstreamRequests[0]?.body).not.toHaveProperty('background');
});

test('a response that the upstream ends as failed or incomplete, or interrupts, has the same status here', async () => {
  const error = { code: 'server_error', message: 'Out of memory.' };
  const failing = await serve([
    ...opened,
    { type: 'response.failed', response: { ...upstreamResponse, status: 'failed', error } },
  ]);
  await expect(failing.client.responses.create({ model, input: 'Hi' })).rejects.toMatchObject({
    status: 502,
    code: 'server_error',
  });
  const incomplete = { ...completed, type: 'response.incomplete' };
  const details = { incomplete_details: { reason: 'max_output_tokens' } };
  const short = await serve([...opened, { ...incomplete, response: { ...incomplete.response, ...details } }]);
  expect(await short.client.responses.create({ model, input: 'Hi' })).toMatchObject({
    status: 'incomplete',
    ...details,
  });
  const broken = await serve(opened, { interrupts: true });
  const stream = await fetch(`${broken.url}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, input: 'Hi', stream: true }),
  });
  expect(await stream.text()).toMatch(/response\.failed.*upstream_stream_interrupted/);
});

test('translates to a chat request for images and files that this server has to load, and for upstreams without /responses', async () => {
  const server = await serve([]);
  const image = { type: 'input_image' as const, image_url: 'http://127.0.0.1:9/a.png', detail: 'auto' as const };
  const input = [{ role: 'user' as const, content: [image] }];
  await expect(server.client.responses.create({ model, input })).rejects.toThrow();
  expect(server.upstreamRequests).toEqual([]);
  const chatOnly = await serve([], { responses: false, interrupts: true });
  await expect(chatOnly.client.responses.create({ model, input: 'Hi' })).rejects.toThrow();
  expect(chatOnly.upstreamRequests[0]?.url).toBe('/v1/chat/completions');
});

test('a Modelwire server can be the upstream of another one', async () => {
  const reply = 'Rivers flow to the sea.';
  const inner = await startTestServer({ simulator: { models: [{ id: 'simulator', reply }] } });
  const outer = await startTestServer({
    simulator: false,
    upstreams: [{ baseURL: `${inner.url}/v1`, apiKey: key, responses: true }],
  });
  onTestFinished(async () => {
    await outer.stop();
    await inner.stop();
  });
  const body = { model: 'simulator', input: 'Hello' };
  const whole = await outer.client.responses.create(body);
  const streamed = await outer.client.responses.stream(body).finalResponse();
  expect([whole.output_text, streamed.output_text]).toEqual([reply, reply]);
  expect(await outer.client.responses.retrieve(whole.id)).toEqual(whole);
  await expect(inner.client.responses.retrieve(whole.id)).rejects.toMatchObject({ status: 404 });
});
