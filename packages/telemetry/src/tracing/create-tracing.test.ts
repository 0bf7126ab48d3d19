import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Attributes } from '@opentelemetry/api';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  InMemorySpanExporter,
  ParentBasedSampler,
  SamplingDecision,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Sampler } from '@opentelemetry/sdk-trace';
import { chatRequestDefaults } from '@modelwire/ports';
import { describe, expect, test } from 'vitest';
import { createTracing } from './create-tracing.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
const attempt = {
  upstream: 'vllm',
  model: 'm',
  method: 'POST',
  origin: 'http://gpu:8000',
  path: '/v1/chat',
  number: 2,
};
const generation = {
  operation: 'chat',
  engine: 'upstream',
  isRemote: true,
  model: 'm',
  project: 'default',
  isStreamed: true,
  queuedMs: 0,
} as const;

const outcome = { requestId: 'req_1', status: 200, durationMs: 1 };

function setUp(sampler?: Sampler) {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({
    spanProcessors: [new SimpleSpanProcessor({ exporter })],
    ...(sampler && { sampler }),
  });
  const request = (headers: Readonly<Record<string, string>> = {}) => ({
    method: 'POST',
    url: '/v1/chat/completions?secret=1',
    route: '/v1/chat/completions',
    startedAt: performance.now(),
    header: (name: string) => headers[name] ?? null,
  });
  return {
    ...createTracing({ tracer: provider.getTracer('test') }),
    request,
    spans: () => exporter.getFinishedSpans(),
  };
}

describe('a sampled request', () => {
  test('continues the trace of its client, and propagates its attempt as the parent', () => {
    const { observer, request, spans } = setUp();
    const observed = observer.startRequest(request({ traceparent, tracestate: 'a=1', 'user-agent': 'test' }));
    const observedGeneration = observed.startGeneration(generation);
    const { headers, end } = observedGeneration.startUpstreamAttempt(attempt);
    end({ status: 200 });
    observedGeneration.end({
      usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
      firstTokenAt: performance.now(),
      finishReasons: ['stop'],
      responseId: 'chatcmpl-1',
    });
    observed.end({ ...outcome, model: 'm' });
    const [attemptSpan, generationSpan, serverSpan] = spans();
    expect(observed.traceId).toBe(traceId);
    expect(headers).toEqual({
      traceparent: `00-${traceId}-${attemptSpan?.spanContext().spanId ?? ''}-01`,
      tracestate: 'a=1',
    });
    expect(serverSpan?.parentSpanContext?.spanId).toBe('b7ad6b7169203331');
    expect(generationSpan?.parentSpanContext?.spanId).toBe(serverSpan?.spanContext().spanId);
    expect(attemptSpan?.parentSpanContext?.spanId).toBe(generationSpan?.spanContext().spanId);
    expect(serverSpan).toMatchObject({
      name: 'POST /v1/chat/completions',
      kind: SpanKind.SERVER,
      status: { code: SpanStatusCode.UNSET },
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/v1/chat/completions',
        'url.path': '/v1/chat/completions',
        'http.response.status_code': 200,
        'user_agent.original': 'test',
        'gen_ai.request.model': 'm',
        'modelwire.request.id': 'req_1',
      },
    });
    expect(JSON.stringify(serverSpan?.attributes)).not.toContain('secret');
    expect(generationSpan).toMatchObject({
      name: 'chat m',
      kind: SpanKind.CLIENT,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'upstream',
        'gen_ai.request.model': 'm',
        'gen_ai.request.stream': true,
        'gen_ai.usage.input_tokens': 3,
        'gen_ai.usage.output_tokens': 4,
        'gen_ai.response.finish_reasons': ['stop'],
        'gen_ai.response.id': 'chatcmpl-1',
        'gen_ai.response.time_to_first_chunk': expect.any(Number) as number,
      },
    });
    expect(attemptSpan).toMatchObject({
      name: 'POST vllm',
      kind: SpanKind.CLIENT,
      attributes: {
        'http.request.resend_count': 1,
        'server.address': 'gpu',
        'server.port': 8000,
        'url.full': 'http://gpu:8000/v1/chat',
      },
    });
  });

  test('has child spans for queueing, moderation, tools and storage operations', () => {
    const { observer, storage, request, spans } = setUp();
    const observed = observer.startRequest(request());
    observed.startQueueWait({ engine: 'e' }).end({});
    observed.startModeration({ model: 'omni', target: 'input' }).end({ isFlagged: true });
    observed.startTool({ name: 'web_search' }).end({ error: new TypeError('secret') });
    observed.run?.(() => storage('sqlite').startOperation('write').end({}));
    observed.end(outcome);
    observed.run?.(() => storage('sqlite').startOperation('write').end({}));
    storage('sqlite').startOperation('read').end({});
    const server = spans().at(-1)?.spanContext().spanId;
    expect(spans().map(({ name, parentSpanContext }) => [name, parentSpanContext?.spanId])).toEqual([
      ['queue', server],
      ['moderation omni', server],
      ['execute_tool web_search', server],
      ['sqlite write', server],
      ['POST /v1/chat/completions', undefined],
    ]);
    const [, moderation, tool] = spans();
    expect(moderation?.attributes['modelwire.moderation.flagged']).toBe(true);
    expect(tool).toMatchObject({ status: { code: SpanStatusCode.ERROR }, attributes: { 'error.type': 'TypeError' } });
    expect(JSON.stringify([tool?.attributes, tool?.events, tool?.status])).not.toContain('secret');
  });

  test.each([
    [{ status: 404, error: 'not_found' }, SpanStatusCode.UNSET],
    [{ status: 500, error: 'internal_error' }, SpanStatusCode.ERROR],
    [{ status: 200, streamed: true, error: 'upstream_error' }, SpanStatusCode.ERROR],
    [{ status: 400, streamed: true, error: 'invalid_value' }, SpanStatusCode.UNSET],
    [{ status: 499, error: 'client_disconnected', aborted: true }, SpanStatusCode.UNSET],
  ])('that ends with %o has the status %s', (ended, code) => {
    const { observer, request, spans } = setUp();
    observer.startRequest(request()).end({ ...outcome, ...ended });
    expect(spans()[0]).toMatchObject({ status: { code }, attributes: { 'modelwire.error.code': ended.error } });
  });
});

describe('a request that is not sampled', () => {
  test.each([traceparent, undefined])('records nothing, and upstreams do not sample it: traceparent %s', (given) => {
    const { observer, request, spans } = setUp(new AlwaysOffSampler());
    const observed = observer.startRequest(request(given === undefined ? {} : { traceparent: given }));
    const { headers } = observed.startGeneration(generation).startUpstreamAttempt(attempt);
    observed.end(outcome);
    expect(observed.run).toBeUndefined();
    expect(spans()).toEqual([]);
    const expected = given === undefined ? /^00-[\da-f]{32}-[\da-f]{16}-00$/ : new RegExp(`^00-${traceId}-.{16}-00$`);
    expect(headers['traceparent']).toMatch(expected);
  });
});

test('the spans of batch lines link to the span of their batch', () => {
  const { observer, request, spans } = setUp();
  const batch = observer.startBatch?.({ batch: 'batch_1', lines: 2 });
  const line = { ...request(), batchLine: { batch: 'batch_1', customId: 'a' } };
  observer.startRequest(line).end(outcome);
  batch?.lineEnded('completed');
  batch?.end();
  const [lineSpan, batchSpan] = spans();
  expect(lineSpan).toMatchObject({ kind: SpanKind.INTERNAL, attributes: { 'modelwire.batch.id': 'batch_1' } });
  expect(lineSpan?.links.map(({ context }) => context.spanId)).toEqual([batchSpan?.spanContext().spanId]);
  expect(lineSpan?.spanContext().traceId).not.toBe(batchSpan?.spanContext().traceId);
  expect(batchSpan).toMatchObject({
    name: 'batch',
    attributes: { 'modelwire.batch.lines': 2, 'modelwire.batch.lines.completed': 1 },
  });
});

test.each([
  ['a background response', { backgroundResponse: 'resp_1' }, { 'modelwire.response.id': 'resp_1' }],
  ['a video', { videoId: 'video_1' }, { 'modelwire.video.id': 'video_1' }],
])('the span of %s is a child of the span of its request', (_, job, attributes) => {
  const { observer, request, spans } = setUp();
  const created = observer.startRequest(request({ traceparent, tracestate: 'a=1' }));
  const headers = created.traceHeaders?.() ?? {};
  created.end(outcome);
  observer.startRequest({ ...request(headers), ...job }).end(outcome);
  const [createdSpan, runSpan] = spans();
  expect(headers).toEqual({
    traceparent: `00-${traceId}-${createdSpan?.spanContext().spanId ?? ''}-01`,
    tracestate: 'a=1',
  });
  expect(runSpan).toMatchObject({ kind: SpanKind.INTERNAL, attributes });
  expect(runSpan?.spanContext().traceId).toBe(traceId);
  expect(runSpan?.parentSpanContext?.spanId).toBe(createdSpan?.spanContext().spanId);
});

test('a background response whose request was not sampled is not sampled either', () => {
  const { observer } = setUp(new AlwaysOffSampler());
  const { observer: sampling, request, spans } = setUp(new ParentBasedSampler({ root: new AlwaysOnSampler() }));
  const headers = observer.startRequest(request()).traceHeaders?.() ?? {};
  expect(headers['traceparent']).toMatch(/-00$/);
  const run = sampling.startRequest({ ...request(headers), backgroundResponse: 'resp_1' });
  const [, sameTrace = ''] = headers['traceparent']?.split('-') ?? [];
  expect(run.startUpstreamAttempt(attempt).headers['traceparent']).toMatch(new RegExp(`^00-${sameTrace}-.{16}-00$`));
  run.end(outcome);
  expect(spans()).toEqual([]);
});

test('a span does not change after it has ended', () => {
  const { observer, request, spans } = setUp();
  const observed = observer.startRequest(request());
  observed.end(outcome);
  observed.end({ ...outcome, status: 500 });
  expect(spans()).toHaveLength(1);
  expect(spans()[0]?.attributes['http.response.status_code']).toBe(200);
});

test('a span does not change when the objects that it was created from are modified', () => {
  const { observer, request, spans } = setUp();
  const observed = observer.startRequest(request());
  const parameters = { ...chatRequestDefaults, model: 'm', messages: [], temperature: 0.5 };
  const observedGeneration = observed.startGeneration({ ...generation, request: parameters });
  parameters.temperature = 2;
  const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };
  const finishReasons = ['stop'];
  observedGeneration.end({ usage, firstTokenAt: undefined, finishReasons });
  usage.prompt_tokens = 30;
  finishReasons.push('length');
  const mutable = { ...outcome, model: 'm' };
  observed.end(mutable);
  mutable.status = 500;
  mutable.model = 'other';
  const [generationSpan, serverSpan] = spans();
  expect(generationSpan?.attributes).toMatchObject({
    'gen_ai.request.temperature': 0.5,
    'gen_ai.usage.input_tokens': 3,
    'gen_ai.response.finish_reasons': ['stop'],
  });
  expect(serverSpan?.attributes).toMatchObject({ 'http.response.status_code': 200, 'gen_ai.request.model': 'm' });
});

test('spans have times of the system clock, and children are within their parents', () => {
  const { observer, request, spans } = setUp();
  const before = Date.now();
  const startedAt = performance.now();
  const observed = observer.startRequest({ ...request(), startedAt });
  observed.startTool({ name: 'web_search' }).end({});
  observed.end(outcome);
  const ms = ([seconds, nanoseconds]: readonly [number, number]) => seconds * 1000 + nanoseconds / 1e6;
  const [tool, server] = spans();
  if (!tool || !server) throw new Error('spans are missing');
  const times = [
    before - 2,
    ms(server.startTime),
    ms(tool.startTime) + 1,
    ms(tool.endTime) + 1,
    ms(server.endTime) + 2,
  ];
  expect(times).toEqual([...times].sort((left, right) => left - right));
  expect(ms(server.endTime)).toBeLessThanOrEqual(Date.now() + 2);
});

test('samplers of the SDK see the attributes that a request has from its start', () => {
  const seen: Attributes[] = [];
  const provider = new TracerProvider({
    sampler: {
      shouldSample(_context, _traceId, _name, _kind, attributes) {
        seen.push(attributes);
        return { decision: SamplingDecision.NOT_RECORD };
      },
      toString: () => 'test',
    },
  });
  const { observer } = createTracing({ tracer: provider.getTracer('test') });
  observer.startRequest({
    method: 'POST',
    url: '/v1/chat/completions',
    route: '/v1/chat/completions',
    startedAt: performance.now(),
    header: (name) => (name === 'user-agent' ? 'kube-probe/1.34' : null),
    batchLine: { batch: 'batch_1', customId: 'c' },
  });
  expect(seen).toEqual([
    {
      'http.request.method': 'POST',
      'url.path': '/v1/chat/completions',
      'url.scheme': 'http',
      'http.route': '/v1/chat/completions',
      'user_agent.original': 'kube-probe/1.34',
      'modelwire.batch.id': 'batch_1',
    },
  ]);
});

test('without a tracer provider, upstreams receive the trace context of the client, or none', () => {
  const { observer } = createTracing({ tracer: trace.getTracer('test') });
  const headersFor = (given: string | null) => {
    const request = { method: 'POST', url: '/', route: '/', startedAt: performance.now() };
    const observed = observer.startRequest({ ...request, header: (name) => (name === 'traceparent' ? given : null) });
    return observed.startGeneration(generation).startUpstreamAttempt(attempt).headers;
  };
  expect(headersFor(null)).toEqual({});
  expect(headersFor(traceparent)).toEqual({ traceparent: `00-${traceId}-b7ad6b7169203331-00` });
});
