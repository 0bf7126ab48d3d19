import { createTraceState, SpanKind } from '@opentelemetry/api';
import type { Attributes } from '@opentelemetry/api';
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { expect, test } from 'vitest';
import { recordedSpanStarter } from './recorded-span.ts';
import { createSampler } from './sampler.ts';
import { SpanSerializer } from './serialize-spans.ts';
import type { RootSpanInit } from './tracing-span.ts';

const resource = resourceFromAttributes({ 'service.name': 'modelwire', 'service.version': '1.2.3', 'process.pid': 42 });

function record(build: (startRoot: ReturnType<typeof recordedSpanStarter>) => void, version?: string): ReadableSpan[] {
  const spans: ReadableSpan[] = [];
  build(
    recordedSpanStarter({
      resource,
      instrumentationScope: { name: 'test', ...(version !== undefined && { version }) },
      idGenerator: createSampler('always_on', 1).idGenerator,
      onEnd: (span) => void spans.push(span),
    }),
  );
  return spans;
}

const spansWith = (init: RootSpanInit): ReadableSpan[] =>
  record((startRoot) => startRoot('GET /v1/models', init).end());

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

function serialize(spans: readonly ReadableSpan[], serializer: SpanSerializer): Uint8Array {
  for (const span of spans) serializer.add(span);
  return serializer.take();
}

/** Compares the bytes with those of the OpenTelemetry serializer. */
function expectSameBytes(spans: ReadableSpan[], serializer = new SpanSerializer()): void {
  expect(Buffer.from(serialize(spans, serializer))).toEqual(
    Buffer.from(ProtobufTraceSerializer.serializeRequest(spans) ?? []),
  );
}

const attributes: Attributes = {
  text: 'text',
  empty: '',
  accents: 'é漢😀\ud800',
  long: 'x'.repeat(127),
  longer: 'x'.repeat(128),
  longest: 'é'.repeat(20_000),
  zero: 0,
  count: 127,
  larger: 300,
  bit31: 2 ** 31,
  bit32: 2 ** 32,
  safe: Number.MAX_SAFE_INTEGER,
  negative: -1,
  double: 0.25,
  infinite: Infinity,
  huge: 1e300,
  yes: true,
  no: false,
  list: ['stop', 'length'],
  none: [],
};

test.each(Object.keys(attributes))('serializes an attribute as OpenTelemetry does: %s', (name) => {
  expectSameBytes(spansWith({ attributes: { [name]: attributes[name] } }));
});

test.each<[string, RootSpanInit]>([
  ['a server span', { kind: SpanKind.SERVER, attributes }],
  ['a span of a remote parent', { parent: { traceId, spanId, isSampled: true, traceState: undefined } }],
  [
    'a span of a remote parent that is not sampled',
    { parent: { traceId, spanId, isSampled: false, traceState: 'a=1' } },
  ],
  ['a span with a link', { link: { traceId, spanId, traceFlags: 1 } }],
  [
    'a span with a link with a trace state',
    { link: { traceId, spanId, traceFlags: 1, traceState: createTraceState('b=2') } },
  ],
])('serializes as OpenTelemetry does: %s', (_, init) => {
  expectSameBytes(spansWith(init));
});

test('serializes spans with children, errors and a tracer version as OpenTelemetry does', () => {
  const spans = record((startRoot) => {
    const root = startRoot('POST /v1/chat/completions', { attributes: { a: 1 } });
    const child = root.startChild('chat 模型', { kind: SpanKind.CLIENT });
    child.setFailed();
    child.end();
    root.setAttributes({ b: 'two' });
    root.end();
  }, '1.2.3');
  expect(spans).toHaveLength(2);
  expectSameBytes(spans);
});

test('serializes recurring, new and many values in later batches as OpenTelemetry does', () => {
  const serializer = new SpanSerializer();
  for (let round = 0; round < 3; round++) {
    const spans = record((startRoot) => {
      for (let index = 0; index < 300; index++) {
        startRoot('GET', { attributes: { same: 'value', model: `model-${index}`, index, round } }).end();
      }
    });
    expectSameBytes(spans, serializer);
  }
});

test('the bytes of a batch do not change when the next batch is serialized', () => {
  const serializer = new SpanSerializer();
  const first = serialize(spansWith({ attributes: { a: 'first' } }), serializer);
  const copy = Buffer.from(first);
  serialize(spansWith({ attributes: { a: 'second' } }), serializer);
  expect(Buffer.from(first)).toEqual(copy);
});
