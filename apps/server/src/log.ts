import type { RequestLog, RequestLogEntry } from '@modelwire/server';
import { pino } from 'pino';
import type { Logger } from 'pino';
import type { LogDestination } from './log-destination.ts';
import { RequestLogWriter } from './request-log-writer.ts';
import type { RequestLogLevel } from './request-log-writer.ts';
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
 * Writes one line per request, in the format of the logger; those of slow requests and of failures that are retried have the level `warn`. The entries of the server
 * contain no keys and no contents, so nothing needs to be redacted.
 */
export function requestLog(
  { logLevel, slowRequestMs = Infinity }: Pick<Settings, 'logLevel' | 'slowRequestMs'>,
  destination: Omit<LogDestination, 'flush'>,
  worker?: number,
): RequestLog {
  const lowest = pino.levels.values[logLevel] ?? Infinity;
  const isWritten = (level: RequestLogLevel): boolean => (pino.levels.values[level] ?? 0) >= lowest;
  const written = { info: isWritten('info'), warn: isWritten('warn'), error: isWritten('error') };
  const writer = new RequestLogWriter(destination, worker);
  return (entry, endedAt) => {
    const level = levelOf(entry, slowRequestMs);
    if (written[level]) writer.write(level, entry, endedAt);
  };
}

function levelOf(
  { status, streamed, error, aborted, durationMs, retryInMs }: RequestLogEntry,
  slowRequestMs: number,
): RequestLogLevel {
  // A stream that failed after its first byte has status 200. One that was refused has its own, such as 400.
  const failed = status >= 500 || (streamed === true && status < 400 && error !== undefined);
  if (failed && aborted !== true) return retryInMs === undefined ? 'error' : 'warn';
  return durationMs >= slowRequestMs ? 'warn' : 'info';
}
