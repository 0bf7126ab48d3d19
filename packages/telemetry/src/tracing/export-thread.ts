// The program of the thread that exports spans.
import { parentPort, workerData } from 'node:worker_threads';
import { context, createContextKey } from '@opentelemetry/api';
import { convertLegacyHttpOptions, createOtlpHttpExportDelegate } from '@opentelemetry/otlp-exporter-base/node-http';
import type { ExportError, ExportOrder, ExportReport, ExportThreadInit } from './export-protocol.ts';

const { contentType, component } = workerData as ExportThreadInit;
const delegate = createOtlpHttpExportDelegate(
  convertLegacyHttpOptions({}, 'TRACES', 'v1/traces', { 'Content-Type': contentType }),
  {
    serializeRequest: ({ content }: ExportOrder) => content,
    // A response is only read for warnings to the diagnostic logger of the SDK, which the thread does not have.
    deserializeResponse: () => ({}),
  },
  component,
  { name: 'span', countItems: ({ spans }) => spans },
  undefined,
);

/** Instrumentations of HTTP clients do not trace what runs with this key of the SDK. */
const suppressed = context.active().setValue(createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING'), true);

const report = (message: ExportReport): void => parentPort?.postMessage(message);

parentPort?.on('message', (order: ExportOrder) => {
  const end = (error: unknown): void =>
    report({ type: 'exported', id: order.id, error: error === undefined ? undefined : fieldsOf(error) });
  try {
    context.with(suppressed, () => delegate.export(order, (result) => end(result.error)));
  } catch (error) {
    end(error);
  }
});
report({ type: 'ready' });

function fieldsOf(error: unknown): ExportError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return { name: error.name, message: error.message, code };
}
