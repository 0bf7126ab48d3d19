import type { PassThrough, PassThroughReply, PassThroughRequest } from '@modelwire/ports';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { RequestLogEntry } from '../../request-log.ts';
import { key, listen } from '../../testing/listen.ts';
import { memoryWork } from '../../testing/memory-work.ts';
import { says, scriptedEngine } from '../../testing/scripted-engine.ts';

type Respond = (request: PassThroughRequest) => PassThroughReply | Promise<PassThroughReply>;

/** A server that forwards every path to an upstream, and the log records of its requests. */
async function serve(respond: Respond) {
  const passThrough: PassThrough = {
    mayRenameModels: false,
    accepts: () => true,
    find: () => ({ upstream: 'box', model: undefined }),
    models: () => [],
    async forward(_, request) {
      await text(request.body ?? Readable.from([]));
      return respond(request);
    },
  };
  const logged: RequestLogEntry[] = [];
  const engine = scriptedEngine(() => says('Hi'));
  const { url } = await listen({ engines: [engine], passThrough, log: (entry) => logged.push(entry) });
  const send = (path: string, body?: string, init: RequestInit = {}) =>
    fetch(`${url}/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body }),
      ...init,
    });
  const logEntry = async (): Promise<RequestLogEntry | undefined> => {
    await expect.poll(() => logged.length).toBe(1);
    return logged[0];
  };
  return { send, logEntry };
}

const bytesOf = (text: string) => new Blob([text]).stream();
const json = (body: unknown, status = 200): PassThroughReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: bytesOf(JSON.stringify(body)),
});
const huge = { prompt_tokens: 2 ** 53 - 1, completion_tokens: 2 ** 53 - 1, total_tokens: 2 ** 53 - 1 };
const reply = JSON.stringify({ usage: huge }).length;

test.each([
  ['a path without usage', '/neg', '{}'],
  ['a GET request', '/anthropic/messages', undefined],
  ['a longer name', '/my-messages', '{}'],
])('reads no usage of %s', async (_, path, body) => {
  const { send, logEntry } = await serve(() => json({ usage: huge }));
  await (await send(path, body)).text();
  expect((await logEntry())?.usage).toBeUndefined();
});

test('reads no usage of an error', async () => {
  const { send, logEntry } = await serve(() => json({ usage: huge }, 400));
  await (await send('/anthropic/messages', '{}')).text();
  expect((await logEntry())?.usage).toBeUndefined();
});

test.each([
  ['texts', '/fim/completions', '{"prompt":"hi","max_tokens":7}', { prompt: 4096 + 30, completion: reply }],
  ['a limit above the bytes of the reply', '/fim/completions', '{"max_tokens":900,"n":2}', { prompt: 4096 + 24, completion: 1800 }], // prettier-ignore
  ['embeddings below a prefix', '/engines/x/embeddings', '{}', { prompt: 4098, completion: 0 }],
  ['pairs of a query and documents', '/rerank', '{"query":"a"}', { prompt: 4096 + 13 ** 2, completion: 0 }],
  [
    'references to other contents',
    '/anthropic/messages',
    '{"max_tokens":5}',
    { prompt: 10_000_000, completion: reply },
  ],
  ['no limit', '/anthropic/messages', '{}', { prompt: 10_000_000, completion: 1_000_000 }],
])('limits reported usage to what the request can mean: %s', async (_, path, body, { prompt, completion }) => {
  const { send, logEntry } = await serve(() => json({ usage: huge }));
  await (await send(path, body)).text();
  expect((await logEntry())?.usage).toEqual({
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
  });
});

/** A stream that does not end until the client leaves. */
function endless(...events: readonly unknown[]): Respond {
  return ({ signal }) => ({
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    body: (async function* () {
      for (const event of events) yield Buffer.from(`data: ${JSON.stringify(event)}\n\n`);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      throw signal.reason;
    })(),
  });
}

const words = { type: 'content_block_delta', delta: { type: 'text_delta', text: 'word '.repeat(24) } };
const prompt = JSON.stringify({ model: 'm', stream: true, max_tokens: 1000, messages: 'x'.repeat(240) });
const estimatedPrompt = Math.ceil(prompt.length / 3);

test.each([
  ['its text', [words, words], { prompt_tokens: estimatedPrompt, completion_tokens: 80 }],
  [
    'the prompt that it reported, and its text',
    [{ type: 'message_start', message: { usage: { input_tokens: 100, output_tokens: 1 } } }, words],
    { prompt_tokens: 100, completion_tokens: 40 },
  ],
  [
    'its text once',
    [
      { type: 'response.output_text.delta', delta: 'word '.repeat(24) },
      { type: 'response.output_text.done', text: 'word '.repeat(24) },
    ],
    { prompt_tokens: estimatedPrompt, completion_tokens: 40 },
  ],
  [
    'chat chunks',
    [{ choices: [{ delta: { content: 'word' } }] }, { choices: [{ delta: { reasoning_content: 'word' } }] }],
    { prompt_tokens: estimatedPrompt, completion_tokens: 4 },
  ],
])('an abandoned stream is charged an estimate: %s', async (_, events, expected) => {
  const { send, logEntry } = await serve(endless(...events));
  const controller = new AbortController();
  const response = await send('/anthropic/messages', prompt, { signal: controller.signal });
  const relayed: ReadableStream<Uint8Array> | null = response.body;
  const reader = relayed?.getReader();
  const sent = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
  for (let received = 0; received < sent.length;) received += (await reader?.read())?.value?.length ?? sent.length;
  controller.abort();
  expect(await logEntry()).toMatchObject({ usage: expected, usageIsEstimated: true });
});

test('a request whose client leaves before the reply is charged its prompt, without contents in base64', async () => {
  const reached = Promise.withResolvers<undefined>();
  const { send, logEntry } = await serve(({ signal }) => {
    reached.resolve(undefined);
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  });
  const controller = new AbortController();
  const body = JSON.stringify({ image: 'A'.repeat(5000), text: 'x'.repeat(270) });
  const response = send('/anthropic/messages', body, { signal: controller.signal }).catch(() => undefined);
  await reached.promise;
  controller.abort();
  await response;
  const tokens = Math.ceil((body.length - 5000) / 3);
  expect(await logEntry()).toMatchObject({
    usage: { prompt_tokens: tokens, total_tokens: tokens },
    usageIsEstimated: true,
  });
});

test.each([
  ['a stream', 'text/event-stream', `data: ${JSON.stringify(words)}\n\n`, 40],
  ['a whole reply', 'application/json', JSON.stringify({ text: 'x'.repeat(289), image: 'A'.repeat(5000) }), 104],
])('%s that ends without usage is charged an estimate, without contents in base64', async (_, type, body, tokens) => {
  const { send, logEntry } = await serve(() => ({
    status: 200,
    headers: { 'content-type': type },
    body: bytesOf(body),
  }));
  await (await send('/anthropic/messages', prompt)).text();
  expect(await logEntry()).toMatchObject({
    usage: { prompt_tokens: estimatedPrompt, completion_tokens: tokens },
    usageIsEstimated: true,
  });
});

test('a reply with a content coding, which is not read, is charged an estimate', async () => {
  const { send, logEntry } = await serve(() => ({
    status: 200,
    headers: { 'content-type': 'application/json', 'content-encoding': 'x-unknown' },
    body: bytesOf('x'.repeat(90)),
  }));
  await (await send('/anthropic/messages', prompt)).text();
  expect(await logEntry()).toMatchObject({
    usage: { prompt_tokens: estimatedPrompt, completion_tokens: 30 },
    usageIsEstimated: true,
  });
});

test('a request whose model is only observed costs the price of that model', async () => {
  const { stores, blobs } = memoryWork();
  const passThrough: PassThrough = {
    mayRenameModels: false,
    accepts: () => true,
    find: (_, model) => ({ upstream: 'box', model }),
    models: () => [],
    async forward(_, request) {
      await text(request.body ?? Readable.from([]));
      return json({ usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } });
    },
  };
  const prices = { models: { claude: { input: 1, output: 2 } } };
  const { url } = await listen({ engines: [scriptedEngine(() => says('Hi'))], passThrough, prices, stores, blobs });
  const response = await fetch(`${url}/v1/anthropic/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{"model":"claude","max_tokens":50}',
  });
  await response.text();
  const all = { from: 0, to: 2 ** 40, projects: undefined, keyIds: undefined, models: undefined };
  await expect.poll(() => stores.usage.read(all)).toMatchObject([{ model: 'claude', costMicros: 20 }]);
});
