import { expect, test } from 'vitest';
import type { ChatEngine } from '@modelwire/ports';
import { engineRequest, drain, relayStream, relayWhole } from '../test/engine-request.ts';
import { chunk, completion, startEventStream, frames, json } from '../test/fake-server.ts';
import type { RequestHandler, FakeServer } from '../test/fake-server.ts';
import { startUpstream } from '../test/start-upstream.ts';

let fake: FakeServer;
let engine: ChatEngine;

async function start(handler: RequestHandler): Promise<void> {
  const server = { apiKey: 'sk-secret', headers: { 'X-Team': 'a' } };
  ({ fake, engine } = await startUpstream(handler, server, { models: { m: { upstreamModel: 'there' } } }));
}

test('sends the body of the client including unknown fields, with the name of the model at the upstream', async () => {
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

test('sends a 64-bit seed without loss of precision', async () => {
  await start((response) => json(response, 200, completion));
  await relayWhole(engine, engineRequest({ seed: 2n ** 63n - 1n }));
  expect(fake.requests[0]?.text).toMatch(/"seed":9223372036854775807\b/);
});

test('sends the configured key and headers and the request ID', async () => {
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

test('passes a reply on with unknown fields', async () => {
  await start((response) => json(response, 200, completion));
  expect(await relayWhole(engine, engineRequest())).toEqual(completion);
});

test('omits an invalid usage of a reply', async () => {
  const { usage, ...rest } = completion;
  await start((response) => json(response, 200, { ...completion, usage: { ...usage, completion_tokens: -1 } }));
  expect(await relayWhole(engine, engineRequest())).toEqual(rest);
});

test('requests usage of streams but no padding, and keeps the other stream options', async () => {
  await start((response) => startEventStream(response).end(frames(chunk({}, 'stop'), '[DONE]')));
  const stream_options = { include_usage: false, include_obfuscation: true, custom: 1 };
  await drain(await relayStream(engine, engineRequest({ stream: true, stream_options })));
  await drain(await relayStream(engine, engineRequest({ stream: true })));
  expect(fake.requests.map(({ body }) => body['stream_options'])).toEqual([
    { custom: 1, include_usage: true },
    { include_usage: true },
  ]);
});

test('omits the default top_logprobs of 0, which some servers treat as no log probabilities', async () => {
  await start((response) => json(response, 200, completion));
  await relayWhole(engine, engineRequest({ logprobs: true, top_logprobs: 0 }));
  await relayWhole(engine, engineRequest({ logprobs: true, top_logprobs: 2 }));
  expect(fake.requests.map(({ body }) => [body['logprobs'], body['top_logprobs']])).toEqual([
    [true, undefined],
    [true, 2],
  ]);
});

test('passes payloads on unchanged, without [DONE]', async () => {
  const payloads = [
    chunk({ role: 'assistant', content: '' }),
    chunk({ content: 'Grüße', new_field: 1 }),
    chunk({}, 'stop'),
  ];
  await start((response) => startEventStream(response).end(frames(...payloads, '[DONE]')));
  expect(await drain(await relayStream(engine, engineRequest({ stream: true })))).toEqual({ payloads });
});

test('passes each event on before the next one arrives', async () => {
  let send: (content: string) => void = () => undefined;
  await start((response) => {
    startEventStream(response);
    send = (content) => response.write(frames(chunk({ content })));
    send('1');
  });
  const stream = await relayStream(engine, engineRequest({ stream: true }));
  expect((await stream.next()).value).toMatchObject([{ text: chunk({ content: '1' }) }]);
  send('2');
  expect((await stream.next()).value).toMatchObject([{ text: chunk({ content: '2' }) }]);
  await stream.return?.();
});
