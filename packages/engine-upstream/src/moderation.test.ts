import { createServer as createHttp } from 'node:http';
import { createServer } from '@modelwire/server';
import { moderationCategories } from '@modelwire/ports';
import type { ModerationEngine, ModerationInput, ModerationObserver } from '@modelwire/ports';
import { nodeListener } from '@modelwire/server/node';
import { listenForTest } from '@modelwire/vitest/listen';
import { expect, onTestFinished, test } from 'vitest';
import { fakeServer, json } from '../test/fake-server.ts';
import type { RequestHandler } from '../test/fake-server.ts';
import { createUpstreamModeration } from './moderation.ts';

const context = { requestId: 'req_1', signal: new AbortController().signal };
const text = (said: string): ModerationInput => [{ type: 'text', text: said }];
const gif = new Uint8Array(Buffer.from('47494638396103000300000000', 'hex'));

/** Flags `bad` as violence and images as sexual. */
function createWordEngine(receivedInputs: ModerationInput[]): ModerationEngine {
  return {
    name: 'words',
    models: () => [{ id: 'omni-moderation-latest', created: 1, owned_by: 'tests', inputs: ['text', 'image'] }],
    moderate: ({ inputs }) => {
      receivedInputs.push(...inputs);
      const has = (input: ModerationInput, type: string) => input.some((part) => part.type === type);
      return Promise.resolve(
        inputs.map((input) => {
          const flagged = input.some((part) => part.type === 'text' && part.text.includes('bad'));
          const image = has(input, 'image');
          return {
            violence: { flagged, score: flagged ? 0.75 : 0.25, appliedTo: ['text'] as const },
            sexual: { flagged: image, score: image ? 1 : 0, appliedTo: image ? (['image'] as const) : [] },
          };
        }),
      );
    },
  };
}

test('sends all texts in one request to a second instance, and each input with images in its own', async () => {
  const receivedInputs: ModerationInput[] = [];
  const server = createServer({
    engines: [],
    moderationEngines: [createWordEngine(receivedInputs)],
    keys: ['inner-key-12345678'],
  });
  const http = createHttp(nodeListener(server));
  let requests = 0;
  http.on('request', () => requests++);
  const host = await listenForTest(http);
  const engine = createUpstreamModeration({
    baseURL: `http://${host}/v1`,
    apiKey: 'inner-key-12345678',
    models: { ours: 'omni-moderation-latest' },
  });
  expect(engine.models()).toMatchObject([{ id: 'ours', owned_by: 'upstream', inputs: ['text', 'image'] }]);
  const texts = await engine.moderate({ model: 'ours', inputs: [text('bad'), text('fine')] }, context);
  expect(requests).toBe(1);
  expect(texts.map(({ violence }) => violence)).toEqual([
    { flagged: true, score: 0.75, appliedTo: ['text'] },
    { flagged: false, score: 0.25, appliedTo: ['text'] },
  ]);
  const image = { type: 'image', mediaType: 'image/gif', bytes: gif } as const;
  const [mixed] = await engine.moderate({ model: 'ours', inputs: [[...text('fine'), image]] }, context);
  expect(mixed?.sexual).toEqual({ flagged: true, score: 1, appliedTo: ['image'] });
  expect(receivedInputs.at(-1)).toEqual([{ type: 'text', text: 'fine' }, image]);
  const [one] = await engine.moderate({ model: 'ours', inputs: [text('bad')] }, context);
  expect(one?.violence?.flagged).toBe(true);
});

async function startWith(answer: RequestHandler) {
  const fake = await fakeServer(answer);
  onTestFinished(() => fake.close());
  const engine = createUpstreamModeration({ baseURL: fake.baseURL, apiKey: 'secret-of-ours', timeoutMs: 30_000 });
  return engine.moderate({ model: 'omni-moderation-latest', inputs: [text('a')] }, context);
}

test.each([
  [
    'a refused key',
    401,
    { error: { message: 'No: secret-of-ours' } },
    { status: 502, code: 'upstream_authentication_failed' },
  ],
  ['a refused request', 400, { error: { message: 'Not that.', param: 'input' } }, { status: 400, param: 'input' }],
  [
    'an unknown model',
    404,
    { error: { message: 'No such model', code: 'model_not_found' } },
    { status: 404, code: 'model_not_found' },
  ],
  ['what is no moderation', 200, { hello: 1 }, { status: 502, code: 'upstream_error' }],
  ['fewer results than inputs', 200, { id: 'a', model: 'b', results: [] }, { status: 502, code: 'upstream_error' }],
])('reports %s without configured secrets', async (_, status, body, error) => {
  const failing = startWith((response) => json(response, status, body));
  await expect(failing).rejects.toMatchObject(error);
  await expect(failing).rejects.not.toThrow(/secret-of-ours/);
});

test('aborts the request when the client disconnects', async () => {
  let arrived: (() => void) | undefined;
  const there = new Promise<void>((resolve) => (arrived = resolve));
  const fake = await fakeServer(() => arrived?.());
  onTestFinished(() => fake.close());
  const caller = new AbortController();
  const engine = createUpstreamModeration({ baseURL: fake.baseURL });
  const asking = engine.moderate(
    { model: 'omni-moderation-latest', inputs: [text('a')] },
    { requestId: 'req_1', signal: caller.signal },
  );
  await there;
  caller.abort(new Error('left'));
  await expect(asking).rejects.toThrow('left');
  await expect.poll(() => fake.requests[0]?.isAborted).toBe(true);
});

test('names invalid options', () => {
  expect(() => createUpstreamModeration({ baseURL: 'nowhere' })).toThrow(/baseURL/);
});

test('reports each attempt to the observer, and sends its trace headers', async () => {
  const ofAll = <Value>(value: Value) => Object.fromEntries(moderationCategories.map((name) => [name, value]));
  const result = { flagged: false, categories: ofAll(false), category_scores: ofAll(0) };
  const fake = await fakeServer((response, _, count) =>
    count === 1 ? json(response, 503, {}) : json(response, 200, { id: 'm', model: 'm', results: [result] }),
  );
  onTestFinished(() => fake.close());
  const attempts: object[] = [];
  const observer: ModerationObserver = {
    startGeneration: () => {
      throw new Error('a moderation upstream generates nothing');
    },
    startUpstreamAttempt: ({ upstream, model, path, number }) => ({
      headers: { traceparent: `trace-${number}` },
      end: (outcome) => void attempts.push({ upstream, model, path, number, ...outcome }),
    }),
  };
  const engine = createUpstreamModeration({ name: 'moderator', baseURL: fake.baseURL });
  await engine.moderate({ model: 'omni-moderation-latest', inputs: [text('a')] }, { ...context, observer });
  const attempt = { upstream: 'moderator', model: 'omni-moderation-latest', path: '/v1/moderations' };
  expect(attempts).toMatchObject([
    { ...attempt, number: 1, status: 503, failure: 'status 503' },
    { ...attempt, number: 2, status: 200 },
  ]);
  expect(fake.requests.map(({ headers }) => headers['traceparent'])).toEqual(['trace-1', 'trace-2']);
});
