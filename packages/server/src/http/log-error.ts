import type { RequestError } from '../errors.ts';
import { isStorageUnavailable } from '@modelwire/ports';
import type { LogRecord } from '../call.ts';

/** Logs the error's code, the storage that failed and why, and the stack of an internal error. */
export function logError(logRecord: LogRecord, error: RequestError): void {
  logRecord.error = error.code;
  if (isStorageUnavailable(error.cause)) {
    logRecord.outage = error.cause.outage;
    return;
  }
  if (error.status >= 500) logRecord.trace = stackTraceOf(error.cause);
}

/** Name and stack frames of an error, without its message, which may contain client data. */
function stackTraceOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const frames = thrown.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
  return [thrown.name, ...frames].join('\n');
}
