import { context, createContextKey } from '@opentelemetry/api';
import { convertLegacyHttpOptions, createOtlpHttpExportDelegate } from '@opentelemetry/otlp-exporter-base/node-http';
import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { ISerializer } from '@opentelemetry/otlp-transformer';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { SpanSerializer } from './serialize-spans.ts';
import type { TracingSettings } from './settings.ts';
import { SpanQueue } from './span-queue.ts';
import type { SpanBatch, SpanEncoder } from './span-queue.ts';

export interface OtlpExporter {
  /** Receives each span when it has ended. */
  add(span: ReadableSpan): void;
  /** Exports the remaining spans. Never rejects. */
  close(): Promise<void>;
}

/**
 * Exports spans over HTTP. Endpoint, headers, timeout, compression and certificates are those of the OpenTelemetry variables.
 *
 * @param onExportFailure Called when spans cannot be exported, and not again before an export has succeeded.
 */
export function createOtlpExporter(
  { protocol, batches }: Pick<TracingSettings, 'protocol' | 'batches'>,
  onExportFailure: (error: unknown) => void,
): OtlpExporter {
  const options = { limits: batches, onExportFailure };
  if (protocol === 'http/json') {
    return exporterOf(new SpanList(), {
      ...options,
      contentType: 'application/json',
      component: 'otlp_http_json_span_exporter',
      serializer: {
        serializeRequest: ({ content }) => JsonTraceSerializer.serializeRequest(content),
        deserializeResponse: (bytes) => JsonTraceSerializer.deserializeResponse(bytes),
      },
    });
  }
  return exporterOf(new SpanSerializer(), {
    ...options,
    contentType: 'application/x-protobuf',
    component: 'otlp_http_span_exporter',
    serializer: {
      serializeRequest: ({ content }) => content,
      deserializeResponse: (bytes) => ProtobufTraceSerializer.deserializeResponse(bytes),
    },
  });
}

/** JSON has no encoder that takes spans one by one. */
class SpanList implements SpanEncoder<ReadableSpan[]> {
  #spans: ReadableSpan[] = [];

  add(span: ReadableSpan): void {
    this.#spans.push(span);
  }

  take(): ReadableSpan[] {
    const spans = this.#spans;
    this.#spans = [];
    return spans;
  }
}

interface ExporterInit<Content> {
  readonly contentType: string;
  /** The type of the exporter in the conventions. */
  readonly component: string;
  readonly serializer: ISerializer<SpanBatch<Content>, object>;
  readonly limits: TracingSettings['batches'];
  readonly onExportFailure: (error: unknown) => void;
}

/** Instrumentations of HTTP clients do not trace what runs with this key of the SDK. */
const suppressTracing = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING');

function exporterOf<Content>(
  encoder: SpanEncoder<Content>,
  { contentType, component, serializer, limits, onExportFailure }: ExporterInit<Content>,
): OtlpExporter {
  const delegate = createOtlpHttpExportDelegate(
    convertLegacyHttpOptions({}, 'TRACES', 'v1/traces', { 'Content-Type': contentType }),
    serializer,
    component,
    { name: 'span', countItems: ({ spans }: SpanBatch<Content>) => spans },
    undefined,
  );
  let hasFailed = false;
  const report = (error: unknown): void => {
    if (error !== undefined && !hasFailed) onExportFailure(error);
    hasFailed = error !== undefined;
  };
  const suppressed = context.active().setValue(suppressTracing, true);
  const exportBatch = (batch: SpanBatch<Content>): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, limits.exportTimeoutMillis);
      const end = (error: unknown): void => {
        clearTimeout(timer);
        report(error);
        resolve();
      };
      try {
        context.with(suppressed, () => delegate.export(batch, (result) => end(result.error)));
      } catch (error) {
        end(error);
      }
    });
  const queue = new SpanQueue({ encoder, limits, exportBatch });
  return {
    add: (span) => queue.add(span),
    async close() {
      await queue.close();
      await delegate.shutdown().catch(report);
    },
  };
}
