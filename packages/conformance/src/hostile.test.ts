import { expect, test } from 'vitest';
import { renderReport, runConformance } from './index.ts';
import type { ConformanceOptions, ConformanceReport, ReportFormat } from './index.ts';

const baseURL = 'http://hostile.invalid/v1';
const apiKey = 'a-very-secret-key-000';

const against = (
  response: (path: string, init: RequestInit) => Promise<Response> | Response,
  more: Partial<ConformanceOptions> = {},
): Promise<ConformanceReport> =>
  runConformance({
    baseURL,
    apiKey,
    fetch: async (input, init = {}) => response(new URL(new Request(input).url).pathname, init),
    requestTimeoutMs: 50,
    checkTimeoutMs: 1000,
    jobTimeoutMs: 100,
    budgetMs: 1500,
    concurrency: 16,
    ...more,
  });

/** All responses are immediate, so that the result does not depend on the load of the machine. */
const generousTimeouts = { requestTimeoutMs: 30_000, checkTimeoutMs: 30_000, budgetMs: 60_000 };

const endless = (text: string): ReadableStream<Uint8Array> =>
  new ReadableStream({ pull: (controller) => controller.enqueue(new TextEncoder().encode(text)) });

const servers: Readonly<Record<string, (path: string, init: RequestInit) => Promise<Response> | Response>> = {
  'refuses every connection': () => Promise.reject(new TypeError('fetch failed')),
  'never responds and ignores the abort signal': () => new Promise<Response>(() => undefined),
  'starts a response without ending it': () => new Response(new ReadableStream({})),
  'sends an endless response': () => new Response(endless('data: {"id":"x"}\n\n'.repeat(1000))),
  'closes the connection during each response': () =>
    new Response(new ReadableStream({ pull: (controller) => controller.error(new Error('reset')) })),
  'responds with HTML pages': () =>
    new Response('<html><body>hi</body></html>', { headers: { 'content-type': 'text/html' } }),
  'responds without a body': () => new Response(null, { status: 204 }),
  'responds with a JSON null': () => Response.json(null),
  'responds with a list': () => Response.json([[[]]]),
  'responds with deeply nested JSON': () =>
    new Response(`${'['.repeat(50_000)}${']'.repeat(50_000)}`, { headers: { 'content-type': 'application/json' } }),
  'responds with wrong types': () =>
    Response.json({ id: {}, data: 'x', choices: { 0: 1 }, error: [], has_more: 'yes' }),
  'responds with fields that cannot be converted to text': () =>
    Response.json({
      id: { toString: 1 },
      status: [[{ toString: 1 }]],
      object: { toString: 1 },
      deleted: { valueOf: 1 },
    }),
  'has an endless list': () => Response.json({ object: 'list', id: 'x', data: [{ id: 'x' }], has_more: true }),
  'redirects to itself': () => new Response(null, { status: 302, headers: { location: baseURL } }),
  'requests a retry after a year': () => new Response('{}', { status: 429, headers: { 'retry-after': '31536000' } }),
  'always requests an immediate retry': () => new Response('{}', { status: 429, headers: { 'retry-after': '0' } }),
  'repeats the key in its responses': (_, { headers }) =>
    Response.json({ error: { message: JSON.stringify(headers), type: 'x', param: null, code: null } }, { status: 401 }),
  'responds with markup': () =>
    Response.json(
      { error: { message: '<script>alert(1)</script>]]>\u0000`|', type: '', param: null, code: null } },
      { status: 400 },
    ),
};

test('small forms are sent in one piece, so that a server may respond before it has read them', async () => {
  const bodies: unknown[] = [];
  await against(
    (path, { method, body, headers }) => {
      if (path.endsWith('/files') && method === 'POST') bodies.push([body, new Headers(headers).get('content-type')]);
      return Response.json({ id: 'file-1' });
    },
    { only: ['files.create/object'], ...generousTimeouts },
  );
  expect(bodies).toEqual([[expect.any(ArrayBuffer), expect.stringMatching(/^multipart\/form-data; boundary=/)]]);
});

test.each(Object.entries(servers))('scores a server that %s without hanging', async (_, response) => {
  const report = await against(response);
  expect(report.score.served ?? 0).toBeLessThan(90);
  expect(report.results.every(({ reason }) => !(reason ?? '').startsWith('The check itself failed'))).toBe(true);
  for (const format of ['html', 'json', 'md', 'junit', 'sarif', 'svg', 'badge'] satisfies ReportFormat[]) {
    const text = renderReport(report, format);
    expect(text).not.toContain(apiKey);
    // In Markdown it is inside fences, where it is text.
    if (format === 'html' || format === 'junit' || format === 'svg') expect(text).not.toMatch(/<script|\0/);
  }
});

test('reports a server that cannot be reached once', async () => {
  const report = await against(servers['refuses every connection'] ?? (() => new Response()));
  expect(report.notes).toEqual([
    expect.stringContaining('The server cannot be reached: There was no response: fetch failed'),
  ]);
  expect(report.counts).toMatchObject({ pass: 0, fail: 0 });
  expect(report.requests).toBe(1);
});

test('reports an endpoint that is not served once, with a score of 0', async () => {
  const report = await against(
    () => Response.json({ error: { message: 'no', type: 'x', param: null, code: null } }, { status: 404 }),
    { only: ['uploads', 'videos.remix'], ...generousTimeouts },
  );
  const failed = report.results.filter(({ outcome }) => outcome === 'fail').map(({ id }) => id);
  expect(failed).toEqual([
    'uploads.create/served',
    'uploads.parts.create/served',
    'uploads.complete/served',
    'uploads.cancel/served',
    'videos.remix/served',
  ]);
  expect(report.score).toEqual({ all: 0, served: null, sure: null });
  expect(report.endpoints.map(({ served, score }) => [served, score])).toEqual(
    Array.from({ length: 5 }, () => [false, 0]),
  );
});

test('an aborted run ends immediately and reports checks without a result as skipped', async () => {
  const controller = new AbortController();
  let requestCount = 0;
  const report = await against(
    () => {
      if (++requestCount === 5) controller.abort();
      return Response.json({});
    },
    { signal: controller.signal, budgetMs: 60_000 },
  );
  expect(report.complete).toBe(false);
  expect(report.notes).toContain('The run was aborted.');
  expect(report.counts.skipped).toBeGreaterThan(1000);
});

test('counts checks without a result against the server when the time budget is exceeded', async () => {
  const report = await against(
    async (path) => (path.endsWith('/models') ? Response.json({ data: [] }) : new Promise<Response>(() => undefined)),
    { budgetMs: 500 },
  );
  expect(report.complete).toBe(false);
  expect(report.counts.error).toBeGreaterThan(1000);
  expect(report.score.all).toBeLessThan(5);
});

test('sends the key to the tested server only, and never shows headers of a gateway', async () => {
  const sentHeaders: (readonly [string, string | null, string | null])[] = [];
  const report = await runConformance({
    baseURL,
    apiKey,
    only: ['models.list'],
    headers: { 'x-gateway-secret': 'open-sesame' },
    fetch: async (input, init) => {
      const { url, headers } = new Request(input, init);
      sentHeaders.push([url, headers.get('authorization'), headers.get('x-gateway-secret')]);
      return Response.json({ error: 'open-sesame' }, { status: 500 });
    },
  });
  expect(sentHeaders[0]).toEqual([`${baseURL}/models`, `Bearer ${apiKey}`, 'open-sesame']);
  expect(JSON.stringify(report)).not.toContain('open-sesame');
  expect(report.counts.fail).toBeGreaterThan(0);
});
