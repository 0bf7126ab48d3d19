import type { PassThrough, PassThroughReply, ProjectRecord } from '@modelwire/ports';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { memoryRateLimiter } from '../../limits/memory-rate-limiter.ts';
import type { ServerOptions } from '../../options/options.ts';
import type { RequestLogEntry } from '../../request-log.ts';
import { key, listen } from '../../testing/listen.ts';
import { memoryWork } from '../../testing/memory-work.ts';
import { says, scriptedEngine } from '../../testing/scripted-engine.ts';

const usage = (tokens: number) => ({ prompt_tokens: 0, completion_tokens: tokens, total_tokens: tokens });

function replyWith(used: number): PassThroughReply {
  const body = new Blob([JSON.stringify({ usage: usage(used) })]).stream();
  return { status: 200, headers: { 'content-type': 'application/json' }, body };
}

/** A server in front of an upstream, with a project, whose limits a test may set. */
async function serve(init: {
  readonly reply: () => PassThroughReply | Promise<PassThroughReply>;
  readonly project?: Partial<ProjectRecord>;
  readonly budget?: number;
  readonly options?: Partial<ServerOptions>;
}) {
  const passThrough: PassThrough = {
    mayRenameModels: false,
    accepts: () => true,
    find: (_, model = '') => ({ upstream: 'box', model: /^(?:m+|n+)$/.test(model) ? model : undefined }),
    models: () => [],
    async forward(_, request) {
      await text(request.body ?? Readable.from([]));
      return init.reply();
    },
  };
  const { stores, blobs } = memoryWork();
  const created = { name: 'P', created: 1, archived: null, storageLimitBytes: null };
  const limits = { requestsPerMinute: null, tokensPerMinute: null, allowedModels: null, maxOutputTokens: null };
  await stores.keys.addProject({ id: 'default', ...created, ...limits, ...init.project });
  if (init.budget !== undefined) {
    const subject = { kind: 'project', id: 'default' } as const;
    const limit = { softLimit: null, hardLimit: init.budget };
    await stores.budgets.add({ id: 'b', subject, unit: 'tokens', period: 'day', ...limit, created: 1 });
  }
  const logged: RequestLogEntry[] = [];
  const { url } = await listen({
    engines: [scriptedEngine(() => says('Hi'))],
    ...{ passThrough, stores, blobs, log: (entry: RequestLogEntry) => logged.push(entry), ...init.options },
  });
  const send = (path: string, body?: RequestInit['body'], type = 'application/json') =>
    fetch(`${url}/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': type },
      ...(body !== undefined && { body, duplex: 'half' }),
    });
  return { send, stores, logged };
}

const all = { from: 0, to: 2 ** 40, projects: undefined, keyIds: undefined, models: undefined };

test('the whole name of a model is checked, and the log has its beginning', async () => {
  const long = 'm'.repeat(210);
  const { send, logged } = await serve({
    reply: () => replyWith(1),
    project: { allowedModels: [long, 'n'.repeat(200)] },
  });
  const statusOf = async (model: string) => (await send('/anthropic/messages', JSON.stringify({ model }))).status;
  expect(await statusOf(long)).toBe(200);
  expect(await statusOf(`${'n'.repeat(200)}-other`)).toBe(403);
  expect(logged.map(({ model }) => model)).toEqual(['m'.repeat(200), 'n'.repeat(200)]);
});

test('a request that names no model has an upstream and no model in the log', async () => {
  const { send, logged } = await serve({ reply: () => replyWith(1) });
  await (await send('/queues')).text();
  await expect.poll(() => logged).toMatchObject([{ upstream: 'box' }]);
  expect(logged[0]?.model).toBeUndefined();
});

test('a reply that breaks is counted only if it used tokens', async () => {
  const broken = Readable.from(
    (function* () {
      yield Buffer.from('half');
      throw new Error('broken');
    })(),
  );
  const replies = [{ status: 200, headers: {}, body: broken }, replyWith(1)];
  const { send, stores } = await serve({ reply: () => replies.shift() ?? replyWith(1) });
  await expect((await send('/queues')).text()).rejects.toThrow();
  await (await send('/queues')).text();
  await expect.poll(() => stores.usage.read(all)).toMatchObject([{ model: 'box', requests: 1 }]);
});

test('a body that is sent in chunks reserves by what was received, or as much as the largest if it is passed on as it arrives', async () => {
  const rateLimiter = memoryRateLimiter({ tokensPerMinute: 1_000_000 });
  const { send } = await serve({ reply: () => replyWith(1), options: { rateLimiter } });
  const body = JSON.stringify({ model: 'm', text: 'x'.repeat(30_000) });
  const reserved = async (body: RequestInit['body'], type?: string) =>
    1_000_000 - Number((await send('/anthropic/messages', body, type)).headers.get('x-ratelimit-remaining-tokens'));
  expect(await reserved(body)).toBeCloseTo(4096 + 10_000, -3);
  expect(await reserved(new Blob([body]).stream())).toBeCloseTo(4096 + 10_000, -3);
  const unread = 'application/json; charset=latin1';
  expect(await reserved(new Blob([body]).stream(), unread)).toBeGreaterThan(4096 + 80_000);
});

test.each([
  { limit: 10_000, used: 4000, running: 3, spent: 12_000 },
  { limit: 10_000, used: 9000, running: 3, spent: 27_000 },
  { limit: 1000, used: 9000, running: 1, spent: 9000 },
  { limit: 10_000, used: 5000, maxTokens: 5000, running: 2, spent: 10_000 },
])(
  'parallel requests exceed a limit of $limit tokens by no more than those that run use beyond their reservations: $used each',
  async ({ limit, used, maxTokens, running: admitted, spent }) => {
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
    let running = 0;
    const reply = async () => {
      running += 1;
      await released;
      return replyWith(used);
    };
    const { send, stores } = await serve({ reply, budget: limit });
    const body = JSON.stringify({ model: 'm', max_tokens: maxTokens });
    const spentAndReserved = async () => {
      const [budget] = await stores.budgets.list([{ kind: 'project', id: 'default' }]);
      return [budget?.spent, budget?.reserved];
    };
    const statuses = Array.from({ length: 20 }, async () => {
      const response = await send('/anthropic/messages', body);
      await response.text();
      return response.status;
    });
    // Each reserves its output limit or 4,096 tokens besides its prompt, or what is left.
    await expect.poll(spentAndReserved).toEqual([0, limit]);
    await expect.poll(() => running).toBe(admitted);
    release(undefined);
    expect((await Promise.all(statuses)).filter((status) => status === 200)).toHaveLength(admitted);
    await expect.poll(spentAndReserved).toEqual([spent, 0]);
    expect((await send('/anthropic/messages', body)).status).toBe(429);
  },
);
