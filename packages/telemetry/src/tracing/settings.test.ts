import { expect, test } from 'vitest';
import { readTracingSettings } from './settings.ts';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };

test.each([
  {},
  { OTEL_EXPORTER_OTLP_ENDPOINT: ' ' },
  { ...endpoint, OTEL_SDK_DISABLED: 'true' },
  { ...endpoint, OTEL_TRACES_EXPORTER: 'none' },
])('tracing is disabled: %o', (env) => {
  expect(readTracingSettings(env)).toBeUndefined();
});

test('has the defaults of the specification', () => {
  expect(readTracingSettings(endpoint)).toEqual({
    protocol: 'http/protobuf',
    sampler: 'parentbased_always_on',
    ratio: 1,
    capturesContent: false,
    batches: { scheduledDelayMillis: 5000, maxQueueSize: 2048, maxExportBatchSize: 512, exportTimeoutMillis: 30_000 },
    spanLimits: { attributeCountLimit: 128, attributeValueLengthLimit: Infinity },
  });
});

test.each([
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }, { protocol: 'http/json' }],
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json' }, { protocol: 'http/json' }],
  [
    { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' },
    { sampler: 'parentbased_traceidratio', ratio: 0.1 },
  ],
  [
    { OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT: '100', OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT: '20' },
    { spanLimits: { attributeCountLimit: 20, attributeValueLengthLimit: 100 } },
  ],
  [{ OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true' }, { capturesContent: true }],
  [{ OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'SPAN_ONLY' }, { capturesContent: true }],
  [{ OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'NO_CONTENT' }, { capturesContent: false }],
])('reads %o as %o', (env, settings) => {
  expect(readTracingSettings({ ...endpoint, ...env })).toMatchObject(settings);
});

test.each([
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /OTEL_EXPORTER_OTLP_PROTOCOL: expected http\/protobuf or http\/json/],
  [{ OTEL_TRACES_SAMPLER: 'jaeger_remote' }, /OTEL_TRACES_SAMPLER: expected always_on/],
  [{ OTEL_TRACES_SAMPLER_ARG: '10%' }, /OTEL_TRACES_SAMPLER_ARG: expected a number from 0 to 1/],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' }, /expected an http or https URL/],
  [{ OTEL_BSP_MAX_QUEUE_SIZE: 'many' }, /OTEL_BSP_MAX_QUEUE_SIZE: expected an integer/],
  [{ OTEL_TRACES_EXPORTER: 'console' }, /OTEL_TRACES_EXPORTER: expected otlp or none/],
])('rejects %o', (env, message) => {
  expect(() => readTracingSettings({ ...endpoint, ...env })).toThrow(message);
});
