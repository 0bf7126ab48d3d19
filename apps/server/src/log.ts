import type { RequestLog } from '@modelwire/server';
import { destination, pino } from 'pino';
import type { Logger } from 'pino';
import type { Settings } from './settings.ts';

/** Structured logs go to stderr; stdout has the output for people. */
export function createLogger({ logLevel }: Pick<Settings, 'logLevel'>): Logger {
  return pino(
    {
      level: logLevel,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
    },
    destination({ fd: 2, sync: false }),
  );
}

/** Writes one line per request; those of slow requests have the level `warn`. The entries of the server kit contain no keys and no contents, so nothing needs to be redacted. */
export function requestLog(
  logger: Logger,
  { slowRequestMs = Infinity }: Pick<Settings, 'slowRequestMs'> = {},
): RequestLog {
  // Skip building lines that the level discards.
  if (!logger.isLevelEnabled('error')) return () => undefined;
  return ({ requestId, durationMs, trace, ...entry }) => {
    const line = {
      requestId,
      ...entry,
      durationMs: Math.round(durationMs * 10) / 10,
      ...(trace !== undefined && { trace }),
    };
    // A stream that failed after its first byte has status 200.
    const failed = entry.status >= 500 || (entry.streamed === true && entry.error !== undefined);
    if (failed && entry.aborted !== true) logger.error(line, 'request');
    else if (durationMs >= slowRequestMs) logger.warn(line, 'slow request');
    else logger.info(line, 'request');
  };
}
