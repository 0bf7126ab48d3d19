import { expect, test } from 'vitest';
import { runConformance } from './index.ts';
import type { ConformanceOptions, ConformanceReport } from './index.ts';

/** Serves the list of models, and nothing else; `requests` are the methods, paths and bodies. */
function fakeServer() {
  const requests: string[] = [];
  const run = (options: Partial<ConformanceOptions> = {}): Promise<ConformanceReport> =>
    runConformance({
      baseURL: 'http://server.invalid/v1',
      only: ['models', 'files'],
      concurrency: 1,
      async fetch(input, init) {
        const { method, url } = new Request(input, { method: init?.method ?? 'GET' });
        requests.push(`${method} ${url} ${typeof init?.body === 'string' ? init.body : ''}`);
        return url.endsWith('/v1/models') && method === 'GET'
          ? Response.json({ object: 'list', data: [{ id: 'm', object: 'model', created: 1, owned_by: 'x' }] })
          : Response.json({}, { status: 404 });
      },
      ...options,
    });
  return { requests, run };
}

const decided = ({ results }: ConformanceReport) => results.map(({ id, outcome, reason }) => ({ id, outcome, reason }));

test('the reports of all shards make the report of the whole run, without further requests', async () => {
  const { requests, run } = fakeServer();
  const whole = await run();
  const shards = [await run({ shard: '1/3' }), await run({ shard: '2/3' }), await run({ shard: '3/3' })];
  expect(shards.map(({ results }) => results.length > 0)).toEqual([true, true, true]);
  const sent = requests.length;
  const combined = await run({ resume: shards.map((one): unknown => JSON.parse(JSON.stringify(one))) });
  expect(requests.length).toBe(sent);
  expect(decided(combined)).toEqual(decided(whole));
  expect(combined.score).toEqual(whole.score);
  expect(combined.notes.map((note) => note.replace(/ in \d+ s/, ''))).toEqual(
    shards.map(
      ({ shard, results, counts }) => `Part ${shard}: ${results.length} results, ${counts.fail} of them failures,.`,
    ),
  );
});

test('the report of some shards names those that are missing, whose checks run', async () => {
  const { run } = fakeServer();
  const { notes, complete } = await run({ resume: [await run({ shard: '1/3' }), await run({ shard: '3/3' })] });
  expect([notes.at(-1), complete]).toEqual(['Part 2/3 has no report.', true]);
});

test('resuming an aborted run runs the checks that it skipped', async () => {
  const { requests, run } = fakeServer();
  const whole = await run();
  const aborted = new AbortController();
  let results = 0;
  const part = await run({ signal: aborted.signal, onResult: () => ++results === 20 && aborted.abort() });
  expect(part.complete).toBe(false);
  const sent = requests.length;
  const resumed = await run({ resume: [part] });
  expect(decided(resumed)).toEqual(decided(whole));
  expect(resumed.complete).toBe(true);
  expect(requests.length).toBeGreaterThan(sent);
});

test('runs with the same seed send the same requests', async () => {
  const sentWith = async (seed?: string): Promise<readonly string[]> => {
    const { requests, run } = fakeServer();
    await run({ seed });
    return requests;
  };
  const first = await sentWith('a1');
  expect(await sentWith('a1')).toEqual(first);
  expect(await sentWith()).not.toEqual(first);
});

test('a fault that only the requests of one part show is in the report of all parts', async () => {
  const only = ['models', 'http/error-shape'];
  const answerWith =
    (body: unknown): typeof fetch =>
    async () =>
      Response.json(body, { status: 404 });
  const good = answerWith({
    error: { message: 'There is nothing.', type: 'invalid_request_error', param: null, code: null },
  });
  const { requests, run } = fakeServer();
  const first = await run({ only, shard: '1/2', fetch: answerWith({ detail: 'wrong' }) });
  const second = await run({ only, shard: '2/2', fetch: good });
  const shapeIn = ({ results }: ConformanceReport) => results.find(({ id }) => id === 'http/error-shape')?.outcome;
  expect([shapeIn(first), shapeIn(second)]).toEqual(['fail', 'pass']);
  for (const resume of [
    [first, second],
    [second, first],
  ])
    expect(shapeIn(await run({ only, resume }))).toBe('fail');
  expect(requests).toEqual([]);
  // The other part runs now, and its requests are judged with those of the first.
  expect(shapeIn(await run({ only, resume: [first], fetch: good }))).toBe('fail');
  expect(shapeIn(await run({ only, resume: [second], fetch: answerWith({ detail: 'wrong' }) }))).toBe('fail');
});
