import { Counter, Gauge, Registry } from 'prom-client';
import { expect, onTestFinished, test } from 'vitest';
import { createPrimaryMetrics } from './primary-metrics.ts';

function workerWith(id: number, requests: number, { limit = 0 } = {}) {
  const registry = new Registry();
  const registers = [registry];
  new Counter({ name: 'requests_total', help: 'Requests.', registers }).inc(requests);
  new Gauge({ name: 'connections', help: 'Connections.', registers }).set(requests);
  new Gauge({ name: 'limit', help: 'Limit.', aggregator: 'max', registers }).set(limit);
  new Gauge({ name: 'shared', help: 'Of a database.', aggregator: 'first', registers }).set(id);
  return { id, read: () => registry.getMetricsAsJSON() };
}

test('counters are summed; gauges are summed, or merged as they say', async () => {
  const metrics = createPrimaryMetrics();
  onTestFinished(() => metrics.stop());
  const text = await metrics.read([workerWith(1, 2, { limit: 5 }), workerWith(2, 3, { limit: 4 })]);
  for (const line of ['requests_total 5', 'connections 5', 'limit 5', 'shared 1'])
    expect(text).toContain(`\n${line}\n`);
});

test('counters do not decrease when a worker exits; its gauges are removed', async () => {
  const metrics = createPrimaryMetrics();
  onTestFinished(() => metrics.stop());
  expect(await metrics.read([workerWith(1, 2), workerWith(2, 3)])).toContain('\nrequests_total 5\n');
  metrics.remove(1);
  const text = await metrics.read([workerWith(2, 4)]);
  expect(text).toContain('\nrequests_total 6\n');
  expect(text).toContain('\nconnections 4\n');
});

test('a worker that does not respond counts with its previous values', async () => {
  const metrics = createPrimaryMetrics();
  onTestFinished(() => metrics.stop());
  await metrics.read([workerWith(1, 2), workerWith(2, 3)]);
  const stuck = { id: 1, read: () => Promise.reject(new Error('stuck')) };
  expect(await metrics.read([stuck, workerWith(2, 3)])).toContain('\nrequests_total 5\n');
});
