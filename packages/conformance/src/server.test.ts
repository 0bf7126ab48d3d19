import { afterAll, beforeAll, expect, test } from 'vitest';
import { runConformance } from './index.ts';
import type { ConformanceReport } from './index.ts';
import { apiKey, baseURL, patient, serve } from './testing/serve.ts';
import type { Served } from './testing/serve.ts';

let served: Served;
let report: ConformanceReport;

beforeAll(async () => {
  served = await serve();
  report = await runConformance({ baseURL, apiKey, fetch: served.fetch, ...patient });
}, 900_000);
afterAll(async () => served.close());

test('the embedded server passes every check', () => {
  expect(report.results.filter(({ outcome }) => outcome === 'fail' || outcome === 'error')).toEqual([]);
  expect(report.score).toEqual({ all: 100, served: 100, sure: 100 });
  expect(report.complete).toBe(true);
});

test('a run leaves nothing behind', () => {
  expect(report.left).toEqual([]);
});
