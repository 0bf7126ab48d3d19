import { OTLPExporterBase } from '@opentelemetry/otlp-exporter-base';
import { convertLegacyHttpOptions, createOtlpHttpExportDelegate } from '@opentelemetry/otlp-exporter-base/node-http';
import {
  JsonTraceSerializer,
  ProtobufTraceSerializer,
  TraceExporterMetricsHelper,
} from '@opentelemetry/otlp-transformer';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { SpanSerializer } from './serialize-spans.ts';
import type { TracingSettings } from './settings.ts';

/** Exports spans over HTTP. Endpoint, headers, timeout, compression and certificates are those of the OpenTelemetry variables. */
export function createOtlpExporter(protocol: TracingSettings['protocol']): SpanExporter {
  const isJson = protocol === 'http/json';
  const headers = { 'Content-Type': isJson ? 'application/json' : 'application/x-protobuf' };
  return new OTLPExporterBase(
    createOtlpHttpExportDelegate(
      convertLegacyHttpOptions({}, 'TRACES', 'v1/traces', headers),
      isJson ? JsonTraceSerializer : protobufSerializer(),
      isJson ? 'otlp_http_json_span_exporter' : 'otlp_http_span_exporter',
      TraceExporterMetricsHelper,
      undefined,
    ),
  );
}

function protobufSerializer(): typeof ProtobufTraceSerializer {
  const serializer = new SpanSerializer();
  return {
    serializeRequest: (spans: ReadableSpan[]) => serializer.serialize(spans),
    deserializeResponse: (bytes) => ProtobufTraceSerializer.deserializeResponse(bytes),
  };
}
