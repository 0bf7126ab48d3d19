import type { OperationOutcome, Observation } from '@modelwire/ports';
import { isClientDisconnect } from '../is-client-disconnect.ts';
import type { LazyDescription, TracingSpan } from './tracing-span.ts';

/** Starts the span of an operation. Its status is set to error if the operation fails. */
export function startOperation(
  parent: TracingSpan,
  describe: LazyDescription,
): Observation<OperationOutcome> & { readonly span: TracingSpan } {
  const span = parent.startChild(describe);
  return {
    span,
    end({ error }) {
      if (error !== undefined) setError(span, error);
      span.end();
    },
  };
}

/** Sets the status of a span to error, and its error type. Does not record the message, which can contain data of the client. */
export function setError(span: TracingSpan, error: unknown): void {
  if (isClientDisconnect(error)) {
    span.setAttributes({ 'modelwire.aborted': true });
    return;
  }
  span.setAttributes({ 'error.type': errorType(error) });
  span.setFailed();
}

function errorType(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER';
  return 'code' in error && typeof error.code === 'string' && /^\w{1,64}$/.test(error.code) ? error.code : error.name;
}
