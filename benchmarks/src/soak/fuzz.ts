import type { Random } from './random.ts';
import type { Workload } from './workloads.ts';

const schema = {
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'integer', minimum: 0 } },
  required: ['name', 'age'],
  additionalProperties: false,
};

/** A valid request of each kind, that mutations start from. */
const seeds: readonly { readonly method: string; readonly path: string; readonly body?: unknown }[] = [
  {
    method: 'POST',
    path: '/v1/chat/completions',
    body: {
      model: 'simulator',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
      ],
      max_completion_tokens: 20,
      n: 1,
      stop: ['x'],
      temperature: 0.5,
      logprobs: true,
      top_logprobs: 2,
      logit_bias: { 1: 3 },
      metadata: { a: 'b' },
      response_format: { type: 'json_schema', json_schema: { name: 'person', strict: true, schema } },
    },
  },
  {
    method: 'POST',
    path: '/v1/chat/completions',
    body: {
      model: 'simulator',
      stream: true,
      stream_options: { include_usage: true },
      messages: [{ role: 'user', content: 'What is the weather?' }],
      tools: [{ type: 'function', function: { name: 'weather', parameters: schema, strict: false } }],
      tool_choice: 'auto',
      max_completion_tokens: 30,
    },
  },
  { method: 'POST', path: '/v1/moderations', body: { model: 'omni-moderation-latest', input: ['a', 'b'] } },
  {
    method: 'POST',
    path: '/v1/batches',
    body: { input_file_id: 'file-1', endpoint: '/v1/chat/completions', completion_window: '24h', metadata: {} },
  },
  {
    method: 'POST',
    path: '/v1/uploads',
    body: { filename: 'a', purpose: 'batch', bytes: 5, mime_type: 'text/plain' },
  },
  { method: 'POST', path: '/v1/uploads/upload_1/complete', body: { part_ids: ['part_1'], md5: '0' } },
  { method: 'POST', path: '/v1/videos', body: { prompt: 'a', model: 'nobody', seconds: '4', size: '720x1280' } },
  { method: 'POST', path: '/v1/videos/video_1/remix', body: { prompt: 'a' } },
  { method: 'POST', path: '/v1/chat/completions/chatcmpl_1', body: { metadata: { a: 'b' } } },
  { method: 'GET', path: '/v1/chat/completions?limit=2&order=asc&metadata[a]=b&model=simulator' },
  { method: 'GET', path: '/v1/chat/completions/chatcmpl_1/messages?limit=2&after=x' },
  { method: 'GET', path: '/v1/files?limit=2&order=desc&purpose=batch' },
  { method: 'GET', path: '/v1/files/file_1/content' },
  { method: 'GET', path: '/v1/batches?limit=2' },
  { method: 'GET', path: '/v1/videos?limit=2' },
  { method: 'DELETE', path: '/v1/files/file_1' },
  { method: 'POST', path: '/v1/batches/batch_1/cancel' },
];

/** A chain of schemas in which each refers twice to the next: expanded, it has 2 to the power of its length members. */
function doublingSchema(levels: number): object {
  const entries = Array.from({ length: levels }, (_, at) => {
    const next = { $ref: `#/$defs/a${String(at + 1)}` };
    return [`a${String(at)}`, { allOf: [next, next] }];
  });
  const $defs: unknown = Object.fromEntries([...entries, [`a${String(levels)}`, { type: 'object' }]]);
  return { $defs, allOf: [{ $ref: '#/$defs/a0' }] };
}

function nested(depth: number): string {
  return `${'['.repeat(depth)}${']'.repeat(depth)}`;
}

/** Values that have caused failures in servers. */
const hostile: readonly (() => unknown)[] = [
  () => null,
  () => [],
  () => ({}),
  () => '',
  () => '\u0000',
  () => '\ud800',
  () => -1,
  () => 1e308,
  () => 9007199254740993,
  () => 'x'.repeat(100_000),
  () => Array.from({ length: 5000 }, () => 'a'),
  () => JSON.parse('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}') as unknown,
  () => doublingSchema(30),
  () => ({ allOf: [{ $ref: '#' }] }),
  () => ({ type: 'string', pattern: '(a+)+$' }),
  () => ({ type: 'string', pattern: '(x?)~9999' }),
  () => ({ type: 'array', minItems: 1e9, items: {} }),
  () => '../../etc/passwd',
  () => "' or 1=1 --",
  () => 'http://127.0.0.1:1/',
  () => JSON.parse(nested(2000)) as unknown,
];

/** The value with some of its members replaced, removed, duplicated or added. */
function mutated(value: unknown, random: Random, rate: number): unknown {
  if (random.next() < rate) return random.pick(hostile)();
  if (Array.isArray(value)) {
    const items: unknown[] = value.map((item: unknown) => mutated(item, random, rate));
    return random.next() < rate ? [...items, ...items] : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value)
    .filter(() => random.next() >= rate / 2)
    .map(([name, member]) => [name, mutated(member, random, rate)] as const);
  if (random.next() < rate) members.push([random.pick(['extra', '__proto__', 'stream', 'n', 'store']), true]);
  return Object.fromEntries(members);
}

/** Sends a mutated request and checks that the response is a success or an error of the documented shape. */
export const fuzz: Workload = async ({ send, random, findings }) => {
  const seed = random.pick(seeds);
  const body = seed.body === undefined ? undefined : JSON.stringify(mutated(seed.body, random, 0.08));
  const broken = body !== undefined && random.next() < 0.05 ? body.slice(0, random.below(body.length)) : body;
  const path = random.next() < 0.1 ? seed.path.replace(/_1|limit=2/, `${random.text(4)}%00`) : seed.path;
  await send(seed.method, path, broken);
  findings.count('fuzzed');
};
