import type { RequestError } from '../errors.ts';
import type { Entry } from './call.ts';

/** What the log says of an error: its code, and where an internal one came from. */
export function logFailure(entry: Entry, error: RequestError): void {
  entry.error = error.code ?? error.type;
  if (error.status >= 500) entry.trace = traceOf(error.cause);
}

/** Name and frames of what broke, without its message, which may quote the caller. */
function traceOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const frames = thrown.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
  return [thrown.name, ...frames].join('\n');
}
