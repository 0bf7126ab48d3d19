import { expect, test } from 'vitest';
import { filterCumulative, mergeSnapshots, renderSnapshots } from './metric-snapshot.ts';
import { createRegistry } from './registry.ts';

function processWith({ requests, limit, shared }: { requests: number; limit: number; shared: number }) {
  const registry = createRegistry();
  const counter = registry.counter({ name: 'requests_total', help: 'Requests.', labels: ['route'] });
  counter.series('/a').add(requests);
  registry.gauge({ name: 'connections', help: 'Connections.' }).series().set(requests);
  registry.gauge({ name: 'limit', help: 'Limit.', merge: 'max' }).series().set(limit);
  registry
    .gauge({ name: 'jobs', help: 'Jobs.', labels: ['kind'], merge: 'first' })
    .series('batch')
    .set(shared);
  const histogram = registry.histogram({ name: 'duration_seconds', help: 'Duration.', buckets: [0.1, 1] });
  for (let index = 0; index < requests; index++) histogram.series().record(index);
  return { registry, counter };
}

test('counters and histograms of processes are summed; gauges are merged as configured', async () => {
  const first = processWith({ requests: 2, limit: 5, shared: 7 });
  const second = processWith({ requests: 3, limit: 4, shared: 6 });
  second.counter.series('/b').add(10);
  const merged = mergeSnapshots([await first.registry.snapshot(), await second.registry.snapshot()]);
  expect(renderSnapshots(merged)).toBe(`# HELP requests_total Requests.
# TYPE requests_total counter
requests_total{route="/a"} 5
requests_total{route="/b"} 10
# HELP connections Connections.
# TYPE connections gauge
connections 5
# HELP limit Limit.
# TYPE limit gauge
limit 5
# HELP jobs Jobs.
# TYPE jobs gauge
jobs{kind="batch"} 7
# HELP duration_seconds Duration.
# TYPE duration_seconds histogram
duration_seconds_bucket{le="0.1"} 2
duration_seconds_bucket{le="1"} 4
duration_seconds_bucket{le="+Inf"} 5
duration_seconds_sum 4
duration_seconds_count 5
`);
});

test('the counters and histograms of a process that has exited are kept, its gauges are not', async () => {
  const { registry } = processWith({ requests: 1, limit: 1, shared: 1 });
  const names = filterCumulative(await registry.snapshot()).map(({ name }) => name);
  expect(names).toEqual(['requests_total', 'duration_seconds']);
});

test('snapshots can be sent as JSON', async () => {
  const snapshot = await processWith({ requests: 2, limit: 5, shared: 7 }).registry.snapshot();
  expect(renderSnapshots(JSON.parse(JSON.stringify(snapshot)) as typeof snapshot)).toBe(renderSnapshots(snapshot));
});
