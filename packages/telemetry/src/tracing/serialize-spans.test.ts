import { createTraceState, SpanKind } from '@opentelemetry/api';
import type { Attributes } from '@opentelemetry/api';
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { expect, test } from 'vitest';
import { recordedSpanStarter } from './recorded-span.ts';
import type { RecordedSpan } from './recorded-span.ts';
import { createSampler } from './sampler.ts';
import { SpanSerializer } from './serialize-spans.ts';
import { SharedAttributes, SpanDescription } from './span-description.ts';
import type { RootSpanInit } from './tracing-span.ts';

const resource = resourceFromAttributes({ 'service.name': 'modelwire', 'service.version': '1.2.3', 'process.pid': 42 });

function record(build: (startRoot: ReturnType<typeof recordedSpanStarter>) => void, version?: string): RecordedSpan[] {
  const spans: RecordedSpan[] = [];
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

const spanWith = (attributes: Attributes): RecordedSpan[] =>
  record((startRoot) => startRoot(() => new SpanDescription('GET /v1/models', attributes), {}).end());

function createSerializer(): SpanSerializer {
  return new SpanSerializer((error) => {
    throw error;
  });
}

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

function serialize(spans: readonly RecordedSpan[], serializer: SpanSerializer): Uint8Array {
  for (const span of spans) serializer.add(span);
  return serializer.take();
}

/** Compares the bytes with those of the OpenTelemetry serializer. */
function expectSameBytes(spans: RecordedSpan[], serializer = createSerializer()): void {
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
  unsafe: 2 ** 60,
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
  expectSameBytes(spanWith({ [name]: attributes[name] }));
});

test.each<[string, RootSpanInit]>([
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
  const description = new SpanDescription('GET /v1/models', attributes, SpanKind.SERVER);
  const serializer = createSerializer();
  for (let round = 0; round < 3; round++) {
    expectSameBytes(
      record((startRoot) => startRoot(() => description, init).end()),
      serializer,
    );
  }
});

test('serializes spans with the same description, but different outcomes and parents, as OpenTelemetry does', () => {
  const description = new SpanDescription('POST /v1/chat/completions', { a: 1 }, SpanKind.SERVER);
  const outcomes = Array.from({ length: 40 }, (_, status) => new SharedAttributes({ status }));
  const client = new SharedAttributes({ client: 'é' });
  const serializer = createSerializer();
  for (let round = 0; round < 3; round++) {
    const spans = record((startRoot) => {
      for (const outcome of outcomes) {
        for (const parent of [undefined, { traceId, spanId, isSampled: true, traceState: undefined }]) {
          const span = startRoot(() => description, { parent });
          const child = span.startChild(() => description);
          span.setAttributes({ round });
          span.setAttributes(() => outcome);
          if (round === 1) span.setFailed();
          child.setAttributes(() => client);
          child.setAttributes(() => outcome);
          child.setAttributes({ long: 'x'.repeat(20_000 * round) });
          child.end();
          span.end();
        }
      }
    });
    expect(new Set(spans.map((span) => span.spanContext().spanId)).size).toBe(160);
    expectSameBytes(spans, serializer);
  }
});

test('serializes spans with children, errors and a scope version as OpenTelemetry does', () => {
  const spans = record((startRoot) => {
    const root = startRoot(() => new SpanDescription('POST /v1/chat/completions', { a: 1 }), {});
    const child = root.startChild(() => new SpanDescription('chat 模型', {}, SpanKind.CLIENT));
    child.setFailed();
    child.end();
    root.setAttributes({ b: 'two' });
    root.end();
  }, '1.2.3');
  expect(spans).toHaveLength(2);
  expectSameBytes(spans);
});

test('serializes recurring, new and many values in later batches as OpenTelemetry does', () => {
  const serializer = createSerializer();
  for (let round = 0; round < 3; round++) {
    const spans = record((startRoot) => {
      for (let index = 0; index < 300; index++) {
        const attributes = { same: 'value', model: `model-${index}`, index, round };
        startRoot(() => new SpanDescription('GET', attributes), {}).end();
      }
    });
    expectSameBytes(spans, serializer);
  }
});

test('the bytes of a batch do not change when the next batch is serialized', () => {
  const serializer = createSerializer();
  const first = serialize(spanWith({ a: 'first' }), serializer);
  const copy = Buffer.from(first);
  serialize(spanWith({ a: 'second' }), serializer);
  expect(Buffer.from(first)).toEqual(copy);
});

test('messages at the end of the buffer are kept when it grows', () => {
  for (let remaining = 80; remaining < 160; remaining++) {
    const spans = spanWith({ padding: 'x'.repeat(65_536 - remaining), yes: true, list: ['stop'], method: 'GET' });
    expectSameBytes(spans);
  }
});

test('a span that cannot be described is reported, and does not affect the others', () => {
  const errors: unknown[] = [];
  const serializer = new SpanSerializer((error) => errors.push(error));
  const failing = record((startRoot) => {
    startRoot(() => {
      throw new Error('no description');
    }, {}).end();
  });
  const spans = record((startRoot) => {
    for (let index = 0; index < 200; index++) startRoot(() => new SpanDescription('GET', { index }), {}).end();
  });
  const bytes = serialize([...spans.slice(0, 3), ...failing, ...spans.slice(3)], serializer);
  expect(errors).toEqual([new Error('no description')]);
  expect(Buffer.from(bytes)).toEqual(Buffer.from(ProtobufTraceSerializer.serializeRequest(spans) ?? []));
});
