import { expect, test } from 'vitest';
import { createRegistry } from './registry.ts';

test('renders counters, gauges and histograms in the Prometheus text format', async () => {
  const registry = createRegistry();
  const requests = registry.counter({ name: 'requests_total', help: 'Requests.', labels: ['route', 'code'] });
  const duration = registry.histogram({ name: 'duration_seconds', help: 'Duration.', buckets: [0.1, 1] });
  const open = registry.gauge({ name: 'open_connections', help: 'Connections.' });
  registry.onScrape(() => open.series().set(3));
  requests.series('/v1/models', '').add(2);
  requests.series('a "quoted"\n\\path', 'x').add();
  for (const value of [0.05, 0.1, 0.5, 7]) duration.series().record(value);
  expect(await registry.text()).toBe(`# HELP requests_total Requests.
# TYPE requests_total counter
requests_total{route="/v1/models",code=""} 2
requests_total{route="a \\"quoted\\"\\n\\\\path",code="x"} 1
# HELP duration_seconds Duration.
# TYPE duration_seconds histogram
duration_seconds_bucket{le="0.1"} 2
duration_seconds_bucket{le="1"} 3
duration_seconds_bucket{le="+Inf"} 4
duration_seconds_sum 7.65
duration_seconds_count 4
# HELP open_connections Connections.
# TYPE open_connections gauge
open_connections 3
`);
});

test('a metric has at most 5,000 series: further label values are counted as other', async () => {
  const registry = createRegistry();
  const counter = registry.counter({ name: 'requests_total', help: 'Requests.', labels: ['model'] });
  for (let index = 0; index < 6000; index++) counter.series(`model-${index}`).add();
  const lines = (await registry.text()).split('\n').filter((line) => line.startsWith('requests_total{'));
  expect(lines).toHaveLength(5001);
  expect(lines.at(-1)).toBe('requests_total{model="other"} 1000');
});
