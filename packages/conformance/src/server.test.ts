import { afterAll, beforeAll, expect, test } from 'vitest';
import { runConformance } from './index.ts';
import type { ConformanceReport } from './index.ts';
import { apiKey, baseURL, generousTimeouts, serve } from './testing/serve.ts';
import type { ConformanceTestServer } from './testing/serve.ts';

let served: ConformanceTestServer;
let report: ConformanceReport;

beforeAll(async () => {
  served = await serve();
  report = await runConformance({ baseURL, apiKey, fetch: served.fetch, ...generousTimeouts });
}, 900_000);
afterAll(async () => served.close());

test('the embedded server passes every check', () => {
  expect(report.results.filter(({ outcome }) => outcome === 'fail' || outcome === 'error')).toEqual([]);
  expect(report.score).toEqual({ all: 100, served: 100, sure: 100 });
  expect(report.complete).toBe(true);
});

test('a run deletes everything that it created', () => {
  expect(report.notDeleted).toEqual([]);
});

test('an aborted run deletes what a request in flight creates', async () => {
  const aborted = new AbortController();
  const list = () => served.fetch(`${baseURL}/files`, { headers: { authorization: `Bearer ${apiKey}` } });
  const before = await (await list()).text();
  const { complete, notDeleted } = await runConformance({
    ...{ baseURL, apiKey, ...generousTimeouts, only: ['files'], signal: aborted.signal },
    async fetch(input, init) {
      const response = await served.fetch(input, init);
      // The file exists, and the run has not read the response.
      if (init?.method === 'POST' && response.status === 200) aborted.abort();
      return response;
    },
  });
  expect(aborted.signal.aborted).toBe(true);
  expect([complete, notDeleted]).toEqual([false, []]);
  expect(await (await list()).text()).toBe(before);
});
