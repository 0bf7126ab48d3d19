import { afterEach, expect, test } from 'vitest';
import type { ChatEngine, ChatRequest } from '@modelwire/ports';
import { engineRequest, drain, collectEvents, rejection, relayStream, relayWhole } from '../test/engine-request.ts';
import { chunk, completion, startEventStream, fakeServer, frames, json } from '../test/fake-server.ts';
import type { FakeServer } from '../test/fake-server.ts';
import type { UpstreamServer } from './presets/options.ts';
import { createUpstream } from './upstream.ts';

const fakes: FakeServer[] = [];
let engine: ChatEngine;

afterEach(async () => {
  await engine.close?.();
  await Promise.all(fakes.splice(0).map((fake) => fake.close()));
});

/** Responds to `/props` with the status and body of `props()`, and to all other paths with a completion. */
async function llamaServer(props: () => readonly [status: number, body: unknown]): Promise<FakeServer> {
  const fake = await fakeServer((response, { path, body }) => {
    if (path?.startsWith('/props') === true) json(response, ...props());
    else if (body['stream'] === true)
      startEventStream(response).end(frames(chunk({ content: 'Hi' }, 'stop'), '[DONE]'));
    else json(response, 200, completion);
  });
  fakes.push(fake);
  return fake;
}

const propsWithTools = (supports_tools: boolean) => () => [200, { chat_template_caps: { supports_tools } }] as const;

function start(...upstreams: readonly UpstreamServer[]): void {
  engine = createUpstream({ upstreams, models: { m: { upstreamModel: 'the model' } }, retries: 0 });
}

const weather = { type: 'function', function: { name: 'weather' } } as const;
const free = { tools: [weather], tool_choice: 'auto' } as const satisfies Partial<ChatRequest>;
const paths = ({ requests }: FakeServer) => requests.map(({ path }) => path);
const chat = '/v1/chat/completions';
const props = '/props?model=the%20model';

test('rejects tools that llama.cpp would drop with 400, before the request is sent', async () => {
  const fake = await llamaServer(propsWithTools(false));
  start({ baseURL: fake.baseURL, preset: 'llama.cpp' });
  const refused = { status: 400, code: 'unsupported_parameter', param: 'tools' };
  for (const requestBody of [{}, { stream: true }]) {
    const toolRequest = engineRequest({ ...free, ...requestBody }, undefined, free);
    expect(await rejection(relayWhole(engine, toolRequest))).toMatchObject(refused);
    expect(await rejection(collectEvents(engine, toolRequest))).toMatchObject(refused);
  }
  expect(paths(fake)).toEqual([props]);
});

test('sends tools to a llama.cpp server whose chat template has them, and queries that once', async () => {
  const fake = await llamaServer(propsWithTools(true));
  start({ baseURL: fake.baseURL, preset: 'llama.cpp', apiKey: 'sk-there' });
  await relayWhole(engine, engineRequest(free, undefined, free));
  await drain(await relayStream(engine, engineRequest({ ...free, stream: true }, undefined, free)));
  expect(paths(fake)).toEqual([props, chat, chat]);
  expect(fake.requests[0]?.headers.authorization).toBe('Bearer sk-there');
  expect(fake.requests[1]?.body).toMatchObject({ tools: [weather] });
});

test('does not query requests without tools or with another tool choice than auto, and other servers', async () => {
  const fake = await llamaServer(propsWithTools(false));
  start({ baseURL: fake.baseURL, preset: 'llama.cpp' });
  await relayWhole(engine, engineRequest());
  await collectEvents(engine, engineRequest({}, undefined, { tools: [weather], tool_choice: 'none' }));
  await engine.close?.();
  start({ baseURL: fake.baseURL, preset: 'vllm' });
  await relayWhole(engine, engineRequest(free, undefined, free));
  expect(paths(fake)).toEqual([chat, chat, chat]);
});

test('sends tools to another upstream of the model that does not drop them', async () => {
  const [without, withTools] = [await llamaServer(propsWithTools(false)), await llamaServer(propsWithTools(true))];
  const [first, second] = [without, withTools].map(({ baseURL }) => ({ baseURL, preset: 'llama.cpp' as const }));
  start({ ...first!, name: 'a', weight: 1 }, { ...second!, name: 'b', weight: 0 });
  await relayWhole(engine, engineRequest(free, undefined, free));
  expect(paths(without)).toEqual([props]);
  expect(paths(withTools)).toEqual([props, chat]);
});

test.each([
  ['does not know the path', 404, { error: { message: 'File Not Found' } }],
  ['says nothing about tools', 200, { total_slots: 1 }],
  ['answers with another value', 200, 'ready'],
])('sends tools to a server that %s', async (_, status, body) => {
  const fake = await llamaServer(() => [status, body]);
  start({ baseURL: fake.baseURL, preset: 'llama.cpp' });
  await relayWhole(engine, engineRequest(free, undefined, free));
  expect(paths(fake)).toEqual([props, chat]);
});

test('queries a server that failed again at the next request', async () => {
  let isLoading = true;
  const fake = await llamaServer(() => (isLoading ? [503, {}] : propsWithTools(false)()));
  start({ baseURL: fake.baseURL, preset: 'llama.cpp' });
  await relayWhole(engine, engineRequest(free, undefined, free));
  isLoading = false;
  expect(await rejection(relayWhole(engine, engineRequest(free, undefined, free)))).toMatchObject({ status: 400 });
});
