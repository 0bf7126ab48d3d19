import type { RequestLog, RequestLogEntry } from '@modelwire/server';
import { pino } from 'pino';
import type { Logger } from 'pino';
import type { LogDestination } from './log-destination.ts';
import { requestLine } from './request-line.ts';
import type { RequestLineLevel } from './request-line.ts';
import type { Settings } from './settings.ts';

/**
 * Structured logs. They go to stderr; stdout has the output for people.
 *
 * @param worker The number of the worker process, which each line contains. Default: the server is a single process.
 */
export function createLogger(
  { logLevel }: Pick<Settings, 'logLevel'>,
  destination: Pick<LogDestination, 'write'>,
  worker?: number,
): Logger {
  return pino(
    {
      level: logLevel,
      base: worker === undefined ? null : { worker },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
    },
    destination,
  );
}

/**
 * Lines of so many requests are formatted together: when the code has just run it takes a fraction of the time that it takes between the
 * parts of requests. More would be alive at a collection of garbage.
 */
const batchSize = 64;

/**
 * Writes one line per request, in the format of the logger; those of slow requests have the level `warn`. The entries of the server
 * contain no keys and no contents, so nothing needs to be redacted.
 */
export function requestLog(
  { logLevel, slowRequestMs = Infinity }: Pick<Settings, 'logLevel' | 'slowRequestMs'>,
  destination: Pick<LogDestination, 'write' | 'defer'>,
  worker?: number,
): RequestLog {
  const lowest = pino.levels.values[logLevel] ?? Infinity;
  const isWritten = (level: RequestLineLevel): boolean => (pino.levels.values[level] ?? 0) >= lowest;
  const written = { info: isWritten('info'), warn: isWritten('warn'), error: isWritten('error') };
  const waiting: { readonly level: RequestLineLevel; readonly time: number; readonly entry: RequestLogEntry }[] = [];

  function format(): string {
    let lines = '';
    for (const { level, time, entry } of waiting) {
      lines += requestLine(level, time, entry, level === 'warn' ? 'slow request' : 'request', worker);
    }
    waiting.length = 0;
    return lines;
  }
  return (entry) => {
    const level = levelOf(entry, slowRequestMs);
    if (!written[level]) return;
    const count = waiting.push({ level, time: Date.now(), entry });
    if (count === 1) destination.defer(format);
    else if (count === batchSize) destination.write(format());
  };
}

function levelOf(
  { status, streamed, error, aborted, durationMs }: RequestLogEntry,
  slowRequestMs: number,
): RequestLineLevel {
  // A stream that failed after its first byte has status 200.
  const failed = status >= 500 || (streamed === true && error !== undefined);
  if (failed && aborted !== true) return 'error';
  return durationMs >= slowRequestMs ? 'warn' : 'info';
}
