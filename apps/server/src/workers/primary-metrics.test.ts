import { createRegistry } from '@modelwire/telemetry';
import { expect, onTestFinished, test } from 'vitest';
import { createPrimaryMetrics } from './primary-metrics.ts';

function workerWith(id: number, requests: number) {
  const registry = createRegistry();
  registry.counter({ name: 'requests_total', help: 'Requests.' }).series().add(requests);
  registry.gauge({ name: 'connections', help: 'Connections.' }).series().set(requests);
  return { id, read: () => registry.snapshot() };
}

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
