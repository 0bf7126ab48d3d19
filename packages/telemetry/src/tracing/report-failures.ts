import type { SpanExporter } from '@opentelemetry/sdk-trace';

/** Wraps an exporter so that a failure is reported, but only once until an export has succeeded again. */
export function reportFailures(exporter: SpanExporter, onFailure: (cause: string) => void): SpanExporter {
  let hasFailed = false;
  return {
    export(spans, onResult) {
      exporter.export(spans, (result) => {
        const failed = result.error !== undefined;
        if (failed && !hasFailed) onFailure(causeOf(result.error));
        hasFailed = failed;
        onResult(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush && { forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve() }),
  };
}

/** Returns why an export failed, such as `status 401`, `timeout` or `ECONNREFUSED`: never an address, a header or text of the receiver. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const code = 'code' in error ? error.code : undefined;
  if (typeof code === 'number') return `status ${code}`;
  if (typeof code === 'string') return code;
  if (error.message === 'Request timed out') return 'timeout';
  // The SDK retries after these statuses, and does not say which of them it was.
  if (error.message === 'Export failed with retryable status') return 'status 429, 502, 503 or 504';
  return error.name;
}
