import type { RequestLog, RequestLogEntry } from '@modelwire/server';
import { pino } from 'pino';
import type { Logger } from 'pino';
import type { LogDestination } from './log-destination.ts';
import type { Settings } from '../config/settings.ts';

type CompletionUsage = NonNullable<RequestLogEntry['usage']>;

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
      timestamp: createTimestamp(),
      formatters: { level: (level) => ({ level }) },
      serializers: { durationMs: toTenths, firstTokenMs: toTenths, usage: withoutZeros },
    },
    destination,
  );
}

/** The field `time` of a line. Formatting it costs a quarter of the line: lines of the same millisecond share it. */
function createTimestamp(): () => string {
  let formattedAt = NaN;
  let field = '';
  return () => {
    const now = Date.now();
    if (now !== formattedAt) field = `,"time":"${new Date(now).toISOString()}"`;
    formattedAt = now;
    return field;
  };
}

/**
 * Writes one line per request; those of slow requests and of failures that are retried have the level `warn`. The entries of the server contain
 * no keys and no contents, so nothing needs to be redacted.
 */
export function requestLog({ slowRequestMs = Infinity }: Pick<Settings, 'slowRequestMs'>, logger: Logger): RequestLog {
  return (entry) => {
    if (isFailure(entry)) logger[entry.retryInMs === undefined ? 'error' : 'warn'](entry, 'request');
    else if (entry.durationMs >= slowRequestMs) logger.warn(entry, 'slow request');
    else logger.info(entry, 'request');
  };
}

/** Whether the server failed. A stream that failed after its first byte has status 200. One that was refused has its own, such as 400. */
function isFailure({ status, streamed, error, aborted }: RequestLogEntry): boolean {
  if (aborted === true) return false;
  return status >= 500 || (streamed === true && status < 400 && error !== undefined);
}

const toTenths = (ms: number): number => Math.round(ms * 10) / 10;

/** Usage without the details that are zero or absent. */
function withoutZeros({ prompt_tokens_details, completion_tokens_details, ...usage }: CompletionUsage): object {
  return {
    ...usage,
    prompt_tokens_details: nonZero(prompt_tokens_details),
    completion_tokens_details: nonZero(completion_tokens_details),
  };
}

function nonZero(details: object = {}): object | undefined {
  const isCounted = (count: unknown): boolean => count !== undefined && count !== 0;
  if (!Object.values(details).some(isCounted)) return undefined;
  return Object.fromEntries(Object.entries(details).filter(([, count]) => isCounted(count)));
}
