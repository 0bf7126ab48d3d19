// The entry point of the worker thread that exports spans.
import { parentPort, workerData } from 'node:worker_threads';
import { context, createContextKey } from '@opentelemetry/api';
import { convertLegacyHttpOptions, createOtlpHttpExportDelegate } from '@opentelemetry/otlp-exporter-base/node-http';
import type { ExportError, ExportRequest, ExportThreadMessage, ExportThreadInit } from './export-messages.ts';

const { contentType, component } = workerData as ExportThreadInit;
const delegate = createOtlpHttpExportDelegate(
  convertLegacyHttpOptions({}, 'TRACES', 'v1/traces', { 'Content-Type': contentType }),
  {
    serializeRequest: ({ content }: ExportRequest) => content,
    // The SDK reads a response only to log warnings, and the thread has no diagnostic logger.
    deserializeResponse: () => ({}),
  },
  component,
  { name: 'span', countItems: ({ spans }) => spans },
  undefined,
);

/** A context in which instrumentations of HTTP clients do not create spans. */
const suppressed = context.active().setValue(createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING'), true);

const report = (message: ExportThreadMessage): void => parentPort?.postMessage(message);

parentPort?.on('message', (request: ExportRequest) => {
  const end = (error: unknown): void =>
    report({ type: 'exported', id: request.id, error: error === undefined ? undefined : serializeError(error) });
  try {
    context.with(suppressed, () => delegate.export(request, (result) => end(result.error)));
  } catch (error) {
    end(error);
  }
});
report({ type: 'ready' });

function serializeError(error: unknown): ExportError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return { name: error.name, message: error.message, code };
}
