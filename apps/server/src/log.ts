import type { RequestLog } from '@modelwire/server';
import { destination, pino } from 'pino';
import type { Logger } from 'pino';
import type { Settings } from './settings.ts';

/** Structured logs on stderr, so that stdout is what people read. */
export function createLogger({ logLevel }: Pick<Settings, 'logLevel'>): Logger {
  return pino(
    { level: logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    destination({ fd: 2, sync: false }),
  );
}

/** One line for each request. The kit gives no keys and no contents, so there are none to hide. */
export function requestLog(logger: Logger): RequestLog {
  // Nothing is put together that nobody will read.
  if (!logger.isLevelEnabled('error')) return () => undefined;
  return ({ requestId, durationMs, trace, ...entry }) => {
    const line = {
      requestId,
      ...entry,
      durationMs: Math.round(durationMs * 10) / 10,
      ...(trace !== undefined && { trace }),
    };
    // A stream that broke off has its status 200 already.
    const failed = entry.status >= 500 || (entry.streamed === true && entry.error !== undefined);
    if (failed && entry.aborted !== true) logger.error(line, 'request');
    else logger.info(line, 'request');
  };
}
