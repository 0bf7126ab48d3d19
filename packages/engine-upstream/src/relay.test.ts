import { afterEach, expect, test } from 'vitest';
import type { ChatEngine } from '@modelwire/ports';
import { engineRequest, drain, relayStream, relayWhole } from '../test/engine-request.ts';
import { chunk, completion, startEventStream, fakeServer, frames, json } from '../test/fake-server.ts';
import type { RequestHandler, FakeServer } from '../test/fake-server.ts';
import { createUpstream } from './upstream.ts';

let fake: FakeServer;
let engine: ChatEngine;

async function start(answering: RequestHandler): Promise<void> {
  fake = await fakeServer(answering);
  engine = createUpstream({
    upstreams: [{ baseURL: fake.baseURL, apiKey: 'sk-secret', headers: { 'X-Team': 'a' } }],
    models: { m: { upstreamModel: 'there' } },
  });
}

afterEach(async () => {
  await engine.close?.();
  await fake.close();
});

test('sends what the client sent, unknown fields too, under the name the model has there', async () => {
  await start((response) => json(response, 200, completion));
  await relayWhole(engine, engineRequest({ seed: 7, custom: { deep: [1] } }));
  expect(fake.requests[0]?.body).toEqual({
    model: 'there',
    messages: [{ role: 'user', content: 'Hi' }],
    seed: 7,
    custom: { deep: [1] },
  });
  expect(fake.requests[0]?.path).toBe('/v1/chat/completions');
});

test('sends a 64-bit seed to the last digit', async () => {
  await start((response) => json(response, 200, completion));
  await relayWhole(engine, engineRequest({ seed: 2n ** 63n - 1n }));
  expect(fake.requests[0]?.text).toMatch(/"seed":9223372036854775807\b/);
});

test('sends its own key, the configured headers and the request ID', async () => {
  await start((response) => json(response, 200, completion));
  await relayWhole(engine, engineRequest());
  expect(fake.requests[0]?.headers).toMatchObject({
    authorization: 'Bearer sk-secret',
    'x-team': 'a',
    'x-request-id': 'req_1',
    'content-type': 'application/json',
    accept: 'application/json',
  });
});

test('hands a whole reply on with the fields it does not know', async () => {
  await start((response) => json(response, 200, completion));
  expect(await relayWhole(engine, engineRequest())).toEqual(completion);
});

test('leaves out of a whole reply a usage that counts what cannot be', async () => {
  const { usage, ...rest } = completion;
  await start((response) => json(response, 200, { ...completion, usage: { ...usage, completion_tokens: -1 } }));
  expect(await relayWhole(engine, engineRequest())).toEqual(rest);
});

test('asks streams for usage, not for padding, and leaves the other stream options as they are', async () => {
  await start((response) => startEventStream(response).end(frames(chunk({}, 'stop'), '[DONE]')));
  const stream_options = { include_usage: false, include_obfuscation: true, custom: 1 };
  await drain(await relayStream(engine, engineRequest({ stream: true, stream_options })));
  await drain(await relayStream(engine, engineRequest({ stream: true })));
  expect(fake.requests.map(({ body }) => body['stream_options'])).toEqual([
    { custom: 1, include_usage: true },
    { include_usage: true },
  ]);
});

test('leaves a top_logprobs of 0 unsaid, which is the default and to some servers means none at all', async () => {
  await start((response) => json(response, 200, completion));
  await relayWhole(engine, engineRequest({ logprobs: true, top_logprobs: 0 }));
  await relayWhole(engine, engineRequest({ logprobs: true, top_logprobs: 2 }));
  expect(fake.requests.map(({ body }) => [body['logprobs'], body['top_logprobs']])).toEqual([
    [true, undefined],
    [true, 2],
  ]);
});

test('hands payloads on as they are, without [DONE]', async () => {
  const payloads = [
    chunk({ role: 'assistant', content: '' }),
    chunk({ content: 'Grüße', new_field: 1 }),
    chunk({}, 'stop'),
  ];
  await start((response) => startEventStream(response).end(frames(...payloads, '[DONE]')));
  expect(await drain(await relayStream(engine, engineRequest({ stream: true })))).toEqual({ payloads });
});

test('hands each event on before the next one is sent', async () => {
  let send: (content: string) => void = () => undefined;
  await start((response) => {
    startEventStream(response);
    send = (content) => response.write(frames(chunk({ content })));
    send('1');
  });
  const stream = await relayStream(engine, engineRequest({ stream: true }));
  expect((await stream.next()).value).toEqual([chunk({ content: '1' })]);
  send('2');
  expect((await stream.next()).value).toEqual([chunk({ content: '2' })]);
  await stream.return?.();
});
