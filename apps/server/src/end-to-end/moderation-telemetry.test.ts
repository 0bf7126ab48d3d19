import { expect, test } from 'vitest';
import { startObservedServer, startRecordingUpstream } from '../testing/observed-server.ts';
import { receiveSpans } from '../testing/receive-spans.ts';

const categories = [
  ...['sexual', 'hate', 'harassment', 'self-harm', 'sexual/minors', 'hate/threatening', 'violence/graphic'],
  ...['self-harm/intent', 'self-harm/instructions', 'harassment/threatening', 'violence', 'illicit'],
  'illicit/violent',
];
const ofAllCategories = <Value>(value: Value) => Object.fromEntries(categories.map((name) => [name, value]));

test('a moderation by a judge is observed: its generation, tokens, attempts and trace', async () => {
  const spans = await receiveSpans();
  const upstream = await startRecordingUpstream(() => JSON.stringify(ofAllCategories(0)));
  const server = await startObservedServer({
    simulator: false,
    upstreams: [{ name: 'behind', baseURL: `${upstream.url}/v1` }],
    models: { talker: {} },
    moderation: { judge: { model: 'talker' } },
  });
  await server.client.moderations.create({ input: 'Hi' });
  expect(await server.metricLines('modelwire_generations_total')).toContain(
    'modelwire_generations_total{model="talker",operation="chat",outcome="completed"} 1',
  );
  expect(await server.metricLines('type="output"')).toEqual(['modelwire_tokens_total{model="talker",type="output"} 2']);
  expect(await server.metricLines('modelwire_upstream_attempts_total')).toContain(
    'modelwire_upstream_attempts_total{upstream="behind",outcome="succeeded"} 1',
  );
  await server.stop();
  const request = spans.find(({ name }) => name === 'POST /v1/moderations');
  const generation = spans.find(({ name }) => name === 'chat talker');
  const attempt = spans.find(({ name }) => name === 'POST behind');
  expect(generation?.parentSpanId).toBe(request?.spanId);
  expect(attempt?.parentSpanId).toBe(generation?.spanId);
  expect(upstream.requests).toEqual([
    { path: '/v1/chat/completions', traceparent: `00-${request?.traceId}-${attempt?.spanId}-01` },
  ]);
});

test('the attempts of a moderation upstream are observed, also those of chat requests', async () => {
  const spans = await receiveSpans();
  const result = { flagged: false, categories: ofAllCategories(false), category_scores: ofAllCategories(0) };
  const upstream = await startRecordingUpstream(() => [200, { id: 'modr-1', model: 'm', results: [result] }]);
  const server = await startObservedServer({
    moderation: { upstream: { baseURL: `${upstream.url}/v1` } },
    moderate: { of: 'input', flaggedInput: 'flag' },
  });
  await server.client.moderations.create({ input: 'Hi' });
  await server.client.chat.completions.create({ model: 'simulator', messages: [{ role: 'user', content: 'Hi' }] });
  expect(await server.metricLines('modelwire_upstream_attempts_total')).toContain(
    'modelwire_upstream_attempts_total{upstream="upstream",outcome="succeeded"} 2',
  );
  await server.stop();
  const traceparents = ['POST /v1/moderations', 'POST /v1/chat/completions'].map((name) => {
    const request = spans.find((span) => span.name === name);
    const attempt = spans.find((span) => span.name === 'POST upstream' && span.parentSpanId === request?.spanId);
    return `00-${request?.traceId}-${attempt?.spanId}-01`;
  });
  expect(upstream.requests.map(({ traceparent }) => traceparent)).toEqual(traceparents);
});
