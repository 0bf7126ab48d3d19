import type { RequestLog } from '@modelwire/server';
import { pino } from 'pino';
import type { Logger } from 'pino';
import type { LogDestination } from './log-destination.ts';
import { requestLine } from './request-line.ts';
import type { Settings } from './settings.ts';

/** Structured logs. They go to stderr; stdout has the output for people. */
export function createLogger(
  { logLevel }: Pick<Settings, 'logLevel'>,
  destination: Pick<LogDestination, 'write'>,
): Logger {
  return pino(
    {
      level: logLevel,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
    },
    destination,
  );
}

/**
 * Writes one line per request, in the format of the logger; those of slow requests have the level `warn`. The entries of the server
 * contain no keys and no contents, so nothing needs to be redacted.
 */
export function requestLog(
  { logLevel, slowRequestMs = Infinity }: Pick<Settings, 'logLevel' | 'slowRequestMs'>,
  destination: Pick<LogDestination, 'write'>,
): RequestLog {
  const { values } = pino.levels;
  const lowest = values[logLevel] ?? Infinity;
  const [info, warn, error] = [values['info'] ?? 0, values['warn'] ?? 0, values['error'] ?? 0].map(
    (level) => level >= lowest,
  );
  return (entry) => {
    // A stream that failed after its first byte has status 200.
    const failed = entry.status >= 500 || (entry.streamed === true && entry.error !== undefined);
    if (failed && entry.aborted !== true) {
      if (error) destination.write(requestLine('error', entry, 'request'));
    } else if (entry.durationMs >= slowRequestMs) {
      if (warn) destination.write(requestLine('warn', entry, 'slow request'));
    } else if (info) destination.write(requestLine('info', entry, 'request'));
  };
}
