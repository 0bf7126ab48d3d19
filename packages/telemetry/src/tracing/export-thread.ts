// The entry point of the worker thread that exports spans.
import type { IncomingMessage } from 'node:http';
import { subscribe } from 'node:diagnostics_channel';
import { parentPort, workerData } from 'node:worker_threads';
import { context, createContextKey } from '@opentelemetry/api';
import { convertLegacyHttpOptions, createOtlpHttpExportDelegate } from '@opentelemetry/otlp-exporter-base/node-http';
import { exportFailureCause } from './export-failure-cause.ts';
import type { ExportRequest, ExportThreadMessage, ExportThreadInit } from './export-messages.ts';

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

/** The status of the last response. All HTTP requests of the thread are exports. */
let lastStatus: number | undefined;
subscribe('http.client.response.finish', (message) => {
  lastStatus = (message as { readonly response: IncomingMessage }).response.statusCode;
});

parentPort?.on('message', (request: ExportRequest) => {
  const end = (error: unknown): void => {
    const failure = error === undefined ? undefined : exportFailureCause(error, lastStatus);
    report({ type: 'exported', id: request.id, failure });
  };
  try {
    context.with(suppressed, () => delegate.export(request, (result) => end(result.error)));
  } catch (error) {
    end(error);
  }
});
report({ type: 'ready' });
