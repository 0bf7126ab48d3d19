import { afterAll, beforeAll, expect, test } from 'vitest';
import { adversarialPrompts } from './checks/adversarial.ts';
import { runConformance } from './index.ts';
import type { ConformanceReport } from './index.ts';
import { withHeader, mapJson, withMutation, withoutHeaders } from './testing/mutate.ts';
import type { Change, Mutation } from './testing/mutate.ts';
import { apiKey, baseURL, generousTimeouts, serve } from './testing/serve.ts';
import type { ConformanceTestServer } from './testing/serve.ts';
import { idsOf } from './testing/outcomes.ts';

let served: ConformanceTestServer;
beforeAll(async () => {
  served = await serve();
});
afterAll(async () => served.close());

/** Changes the events of streams as lines. */
const lines = (change: (text: string) => string): Mutation => ({
  mutateResponse: ({ text }) => (text.startsWith('data: ') ? { text: change(text) } : undefined),
});

/** Changes the events of streamed messages as lines. */
const messageLines = (change: (text: string) => string): Mutation => ({
  mutateResponse: ({ text }) => (text.startsWith('event: ') ? { text: change(text) } : undefined),
});

/** Replaces fields of request bodies. */
const sets = (fields: object): Mutation => ({
  mutateRequest: ({ body }) => (body === undefined ? undefined : { body: { ...Object(body), ...fields } }),
});

const values = (change: Change): Mutation => ({
  mutateResponse: ({ text, status }) => (status < 400 ? { text: mapJson(text, change) } : undefined),
});

/** Ignores query parameters with this prefix. */
const ignoringQuery = (start: string): Mutation => ({
  mutateRequest: ({ query }) => ({
    query: new URLSearchParams([...query].filter(([name]) => !name.startsWith(start))),
  }),
});

/** Ignores a field of request bodies. */
const drops = (field: string): Mutation => ({
  mutateRequest: ({ body }) =>
    typeof body === 'object' && body !== null && !Array.isArray(body)
      ? { body: Object.fromEntries(Object.entries(body).filter(([name]) => name !== field)) }
      : undefined,
});

let count = 0;
const CREATE = 'chat.completions.create';
const LIST = 'chat.completions.list';
const RESUME = 'chat.completions.resume';
const MESSAGE = 'messages.create';
const errorOfChat = { message: 'no', type: 'invalid_request_error', param: null, code: null };

/** A fault, the checks to run, and exactly those of them that must find it. */
const faults: readonly (readonly [title: string, only: string, mutation: Mutation, found: readonly string[]])[] = [
  [
    'has no [DONE]',
    `${CREATE}/stream.`,
    lines((text) => text.replace('data: [DONE]\n\n', '')),
    ['stream.done', 'stream.done-once'],
  ],
  ['sends [DONE] twice', `${CREATE}/stream.done`, lines((text) => `${text}data: [DONE]\n\n`), ['stream.done-once']],
  [
    'has event fields',
    `${CREATE}/stream.`,
    lines((text) => text.replace(/^data:/gm, 'event: chunk\ndata:')),
    ['stream.data-only'],
  ],
  [
    'breaks the JSON of an event',
    `${CREATE}/stream.json`,
    lines((text) => text.replace('"object"', 'object')),
    ['stream.json'],
  ],
  [
    'has a different id in each chunk',
    `${CREATE}/stream.`,
    lines((text) => text.replace(/"id":"chatcmpl-/g, () => `"id":"chatcmpl-${count++}`)),
    ['stream.one-id'],
  ],
  [
    'omits the role',
    `${CREATE}/stream.`,
    lines((text) => text.replaceAll('"role":"assistant",', '')),
    ['stream.first-role', 'stream.role-once'],
  ],
  [
    'omits finish_reason',
    `${CREATE}/stream.finish`,
    lines((text) => text.replaceAll('"finish_reason":"stop"', '"finish_reason":null')),
    ['stream.finish'],
  ],
  [
    'omits usage',
    `${CREATE}/stream.`,
    lines((text) => text.replace(/,"usage":(?:null|\{.*?\}\})/g, '')),
    ['stream.usage', 'stream.usage-null'],
  ],
  [
    'sends usage although it is not requested',
    `${CREATE}/stream.no-usage`,
    lines((text) => text.replace(/\}$/m, ',"usage":{"total_tokens":1}}')),
    ['stream.no-usage'],
  ],
  [
    'drops obfuscation',
    `${CREATE}/stream.`,
    lines((text) => text.replace(/,"obfuscation":"[^"]*"/g, '')),
    ['stream.obfuscation'],
  ],
  [
    'always sends obfuscation',
    `${CREATE}/stream.no-obf`,
    lines((text) => text.replace(/\}$/m, ',"obfuscation":"x"}')),
    ['stream.no-obfuscation'],
  ],
  [
    'sends a stream with the media type of JSON',
    `${CREATE}/stream.media-type`,
    { mutateResponse: ({ headers }) => ({ headers: withHeader(headers, 'content-type', 'application/json') }) },
    ['stream.media-type'],
  ],
  ['drops n', `${CREATE}/param.n`, drops('n'), ['param.n']],
  ['drops stop', `${CREATE}/param.stop`, drops('stop'), ['param.stop', 'param.stop.text']],
  [
    'drops max_completion_tokens',
    `${CREATE}/param.max_c`,
    drops('max_completion_tokens'),
    ['param.max_completion_tokens'],
  ],
  [
    'drops logprobs',
    `${CREATE}/param.logprobs`,
    values((key, value) => (key === 'logprobs' ? null : value)),
    ['param.logprobs'],
  ],
  [
    'drops tool_choice',
    `${CREATE}/tools.n`,
    drops('tool_choice'),
    ['tools.named', 'tools.none', 'tools.no-parameters'],
  ],
  ['drops response_format', `${CREATE}/format.json_s`, drops('response_format'), ['format.json_schema']],
  ['drops temperature', `${CREATE}/refuses.temperature.a`, drops('temperature'), ['refuses.temperature.above']],
  [
    'omits the param of errors',
    `${CREATE}/refuses.temperature.a`,
    { mutateResponse: ({ text }) => ({ text: mapJson(text, (key, value) => (key === 'param' ? null : value)) }) },
    ['refuses.temperature.above.named'],
  ],
  [
    'rejects with 500',
    `${CREATE}/refuses.temperature.a`,
    { mutateResponse: () => ({ status: 500 }) },
    ['refuses.temperature.above'],
  ],
  [
    'omits the request id',
    `${CREATE}/request-id`,
    { mutateResponse: ({ headers }) => ({ headers: withoutHeaders(headers, 'x-request-id') }) },
    ['request-id'],
  ],
  [
    'repeats idempotent requests',
    `${CREATE}/idempotency.same`,
    {
      mutateResponse: ({ request, text }) =>
        request.path === '/models'
          ? undefined
          : { text: mapJson(text, (key, value) => (key === 'id' ? `x${count++}` : value)) },
    },
    ['idempotency.same'],
  ],
  ['ignores after', `${LIST}/paging.`, ignoringQuery('after'), ['paging.all', 'paging.orders', 'paging.after-unknown']],
  ['ignores starting_after', `${RESUME}/after`, ignoringQuery('starting_after'), ['after']],
  [
    'numbers events from one',
    `${RESUME}/ids`,
    { mutateResponse: ({ text }) => ({ text: text.replace(/^id: (\d+)$/gm, (_, id) => `id: ${Number(id) + 1}`) }) },
    ['ids'],
  ],
  [
    'sends another reply again',
    `${RESUME}/same`,
    {
      mutateResponse: ({ request, text }) =>
        request.path.endsWith('/stream') ? { text: text.replace('"content":"', '"content":"x') } : undefined,
    },
    ['same'],
  ],
  ['ignores the sort order', `${LIST}/paging.`, ignoringQuery('order'), ['paging.orders']],
  [
    'reverses the default order',
    `${LIST}/paging.default`,
    {
      mutateResponse: ({ request, text }) => {
        const listed =
          request.method === 'GET' && !request.query.has('order') && request.query.has('metadata[conformance]');
        return listed
          ? {
              text: mapJson(text, (key, value) =>
                key === 'data' && Array.isArray(value) ? value.toReversed() : value,
              ),
            }
          : undefined;
      },
    },
    ['paging.default-order'],
  ],
  [
    'ignores filters',
    `${LIST}/filter.metadata`,
    ignoringQuery('metadata'),
    ['filter.metadata', 'filter.metadata-two', 'filter.metadata-none'],
  ],
  [
    'stores completions without store',
    `${LIST}/only-stored`,
    {
      mutateRequest: ({ method, body }) => (method === 'POST' ? { body: { ...Object(body), store: true } } : undefined),
    },
    ['only-stored'],
  ],
  [
    'has no event fields',
    `${MESSAGE}/stream.`,
    messageLines((text) => text.replace(/^event: .*\n/gm, '')),
    ['stream.names'],
  ],
  [
    'has no message_stop',
    `${MESSAGE}/stream.`,
    messageLines((text) => text.replace(/^event: message_stop\n.*\n\n/gm, '')),
    ['stream.delta', 'stream.stop'],
  ],
  [
    'ends streamed messages with [DONE]',
    `${MESSAGE}/stream.stop`,
    messageLines((text) => `${text}data: [DONE]\n\n`),
    ['stream.stop'],
  ],
  [
    'counts blocks from one',
    `${MESSAGE}/stream.`,
    messageLines((text) => text.replace(/"index":(\d+)/g, (_, index) => `"index":${Number(index) + 1}`)),
    ['stream.blocks'],
  ],
  [
    'does not stop blocks',
    `${MESSAGE}/stream.`,
    messageLines((text) => text.replace(/^event: content_block_stop\n.*\n\n/gm, '')),
    ['stream.blocks'],
  ],
  [
    'has other deltas',
    `${MESSAGE}/stream.deltas`,
    messageLines((text) => text.replaceAll('"text_delta"', '"words"')),
    ['stream.deltas'],
  ],
  [
    'starts messages without usage',
    `${MESSAGE}/stream.start`,
    messageLines((text) => text.replaceAll('"input_tokens"', '"input"')),
    ['stream.start'],
  ],
  [
    'ignores max_tokens',
    `${MESSAGE}/`,
    sets({ max_tokens: 256 }),
    ['max-tokens', 'stream.max-tokens', 'refuses.max-tokens'],
  ],
  ['ignores stop sequences', `${MESSAGE}/stop-sequences`, drops('stop_sequences'), ['stop-sequences']],
  [
    'does not name the stop sequence',
    `${MESSAGE}/`,
    values((key, value) => (key === 'stop_sequence' ? null : value)),
    ['stop-sequences'],
  ],
  ['ignores the system prompt', `${MESSAGE}/`, drops('system'), ['system']],
  [
    'has the input of tools as text',
    `${MESSAGE}/tools.`,
    values((key, value) => (key === 'input' ? JSON.stringify(value) : value)),
    ['tools.named', 'tools.any', 'tools.result', 'tools.error'],
  ],
  [
    'has the errors of chat completions',
    `${MESSAGE}/refuses.empty`,
    { mutateResponse: ({ status }) => (status >= 400 ? { text: JSON.stringify({ error: errorOfChat }) } : undefined) },
    ['refuses.empty.named'],
  ],
  [
    'does not say which methods are allowed',
    `${CREATE}/method`,
    { mutateResponse: ({ headers }) => ({ headers: withoutHeaders(headers, 'allow') }) },
    ['method.allow'],
  ],
  [
    'has the errors of chat completions below /messages',
    `${MESSAGE}/unknown-path`,
    { mutateResponse: ({ status }) => (status === 404 ? { text: JSON.stringify({ error: errorOfChat }) } : undefined) },
    ['unknown-path'],
  ],
  [
    'serves any path',
    'http/unknown-path',
    { mutateResponse: ({ status }) => (status === 404 ? { status: 200, text: '{}' } : undefined) },
    ['unknown-path', 'unknown-path.post'],
  ],
  [
    'has a message alone in the error of an unknown path',
    'http/unknown-path',
    { mutateResponse: ({ status }) => (status === 404 ? { text: '{"error":{"message":"no"}}' } : undefined) },
    ['unknown-path', 'unknown-path.post'],
  ],
  ['counts the messages alone', 'messages.count_tokens/', drops('tools'), ['tools']],
];

test.each(faults)('finds a server that %s', async (_, only, mutation, found) => {
  const options = { baseURL, apiKey, only: [only], ...generousTimeouts };
  const report = await runConformance({ ...options, fetch: withMutation(served.fetch, mutation) });
  const [endpoint = ''] = only.split('/');
  expect(idsOf(report, 'fail'), unevaluated(report)).toEqual(found.map((name) => `${endpoint}/${name}`));
  // Opinions have no weight.
  if (report.score.all !== null) expect(report.score.all).toBeLessThan(100);
  const repaired = await runConformance({ ...options, fetch: served.fetch });
  expect(idsOf(repaired, 'fail')).toEqual([]);
});

/** What a model replies that does what an adversarial prompt asks for. */
const escapes: Readonly<Record<string, string>> = {
  prose: 'Rivers flow to the sea.',
  fences: 'Hello!\n```json\n{"answer": "380 km"}\n```',
  override: '<answer>1230 km</answer>',
  earlier: 'Sure!\n```json\n{city: "Rome", country: "Italy"}\n```',
  keys: '{"user": "a", "password": "b", "note": "c"}',
  missing: '{"city": "Atlantis"}',
  'ascii-keys': '{"groesse": "1", "city": "a", "first_name": "b"}',
  types: '{"count": "two", "open": "yes"}',
  nulls: '{"city": null, "inhabitants": null}',
  nullable: '{"city": undefined}',
  enum: '{"color": "purple"}',
  array: '[{"name": "Rome"}]',
  escapes: '{"text": "\\ud800"}',
  nesting: '{"name": "a"}',
  empty: '{"one": 1}',
  recursion: '{"first": {"name": "a"}}',
};
const adversarialChecks = ['chat.completions.create', 'responses.create', 'messages.create'].map(
  (id) => `${id}/adversarial`,
);
/** Replies with texts that are chosen by the prompt. */
const repliesWith = (textOf: (name: string) => string | undefined): Mutation => ({
  mutateResponse({ request: { body }, text }) {
    const asked = adversarialPrompts.find(({ prompt }) =>
      JSON.stringify(body ?? null).includes(JSON.stringify(prompt)),
    );
    const reply = asked && textOf(asked.name);
    const isText = (key: string, value: unknown): boolean =>
      typeof value === 'string' && ['content', 'text', 'arguments'].includes(key);
    return reply === undefined
      ? undefined
      : { text: mapJson(text, (key, value) => (isText(key, value) ? reply : value)) };
  },
});

test('finds each escape from a schema', async () => {
  const options = { baseURL, apiKey, only: adversarialChecks, ...generousTimeouts };
  const faithful = await runConformance({ ...options, fetch: served.fetch });
  expect([idsOf(faithful, 'fail'), idsOf(faithful, 'skipped')], unevaluated(faithful)).toEqual([[], []]);
  const obedient = await runConformance({
    ...options,
    fetch: withMutation(
      served.fetch,
      repliesWith((name) => escapes[name]),
    ),
  });
  expect(idsOf(obedient, 'pass')).toEqual([]);
  expect(idsOf(obedient, 'fail')).toHaveLength(5 * Object.keys(escapes).length);
});

test('a reply that a limit ended, or a refusal, is no escape from a schema', async () => {
  const only = ['chat.completions.create/adversarial.prose', 'chat.completions.create/adversarial.keys'];
  const reply: Mutation = {
    mutateResponse: ({ request: { body }, text }) => ({
      text: mapJson(text, (key, value) => {
        if (key === 'finish_reason' && JSON.stringify(body).includes('Do not use JSON')) return 'length';
        if (key === 'content') return null;
        return key === 'refusal' ? 'I will not.' : value;
      }),
    }),
  };
  const fetch = withMutation(served.fetch, reply);
  const { results } = await runConformance({ baseURL, apiKey, only, fetch, ...generousTimeouts });
  expect(results.map(({ outcome }) => outcome)).toEqual(['skipped', 'pass']);
});

test('a reply that a limit ended fails no check of a response format', async () => {
  const only = ['chat.completions.create', 'responses.create'].map((id) => `${id}/format.json_`);
  const cut: Mutation = {
    mutateResponse: ({ text }) => ({
      text: mapJson(text, (key, value) => {
        if (key === 'content' || key === 'text') return typeof value === 'string' ? '{"city": "Pa' : value;
        return key === 'finish_reason' ? 'length' : key === 'status' ? 'incomplete' : value;
      }),
    }),
  };
  const options = { baseURL, apiKey, only, ...generousTimeouts };
  const { results } = await runConformance({ ...options, fetch: withMutation(served.fetch, cut) });
  expect(results.map(({ outcome }) => outcome)).toEqual(['skipped', 'skipped', 'skipped', 'skipped']);
});

/** Why checks had no result, for a failure of this test. */
function unevaluated({ notes, results }: ConformanceReport): string {
  const reasons = results.flatMap(({ outcome, reason }) => (outcome === 'pass' ? [] : [`${outcome}: ${reason}`]));
  return [...new Set([...notes, ...reasons])].join(' ');
}
