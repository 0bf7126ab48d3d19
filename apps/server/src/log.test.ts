import type { RequestLogEntry } from '@modelwire/server';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { LogBuffer, LogDestination } from './log-destination.ts';
import { createLogger, requestLog } from './log.ts';

type Usage = NonNullable<RequestLogEntry['usage']>;

interface MemoryDestination extends Omit<LogDestination, 'flush'> {
  readonly text: () => string;
  /** Number of calls of `scheduleFlush`. */
  readonly scheduledFlushes: () => number;
}

function memoryDestination(): MemoryDestination {
  const collected: LogBuffer = { bytes: Buffer.alloc(1024 * 1024), length: 0 };
  let flushes = 0;
  const beforeWriteCallbacks: (() => void)[] = [];
  const writePendingLines = (): void => beforeWriteCallbacks.forEach((writePending) => writePending());
  return {
    write(lines) {
      writePendingLines();
      collected.length += collected.bytes.write(lines, collected.length);
    },
    reserve: () => collected,
    onBeforeWrite: (writePending) => void beforeWriteCallbacks.push(writePending),
    scheduleFlush() {
      flushes++;
    },
    scheduledFlushes: () => flushes,
    text() {
      writePendingLines();
      return collected.bytes.toString('utf8', 0, collected.length);
    },
  };
}

/** The log line of a request, and the line that pino writes for the same entry. */
function linesOf(entry: RequestLogEntry, slowRequestMs = 1000): { readonly line: string; readonly pinoLine: string } {
  const destination = memoryDestination();
  let pinoLine = '';
  requestLog({ logLevel: 'info', slowRequestMs }, destination)(entry, performance.now());
  const { durationMs, usage, ...rest } = entry;
  createLogger({ logLevel: 'info' }, { write: (text) => (pinoLine += text) }).info(
    { ...rest, durationMs: Math.round(durationMs * 10) / 10, usage: usage && withoutZeros(usage) },
    'request',
  );
  return { line: destination.text(), pinoLine };
}

/** The usage without details that are zero. */
function withoutZeros({ prompt_tokens_details, completion_tokens_details, ...counts }: Usage): object {
  const nonZero = (details: object = {}): object | undefined => {
    const entries = Object.entries(details).filter(([, count]) => count !== 0);
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  };
  return {
    ...counts,
    prompt_tokens_details: nonZero(prompt_tokens_details),
    completion_tokens_details: nonZero(completion_tokens_details),
  };
}

function withoutTime(line: string): object {
  const { time, ...fields } = JSON.parse(line) as { readonly time: string };
  expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  return fields;
}

/** A request ID in the server's format that contains a number. */
function requestId(number: number): string {
  return `req_${String(number).padStart(24, '0')}`;
}

const short: RequestLogEntry = {
  requestId: requestId(1),
  method: 'GET',
  route: '/v1/models',
  status: 200,
  durationMs: 1,
};

/** Every field. A field that is added to the entry but not here fails the type check. */
const full: Required<RequestLogEntry> = {
  requestId: requestId(1),
  traceId: '0af7651916cd43dd8448eb211c80319c',
  method: 'POST',
  route: '/v1/chat/completions',
  path: '/rerank',
  status: 200,
  durationMs: 12.3456,
  keyId: 'key_1',
  project: 'proj_1',
  model: 'model-1',
  upstream: 'vllm-1',
  upstreamFailure: 'vllm-2: ECONNREFUSED',
  safetyIdentifier: 'user-1',
  batch: 'batch_1',
  response: 'resp_1',
  video: 'video_1',
  retryInMs: 2000,
  flagged: ['violence'],
  unsupportedTools: ['computer_use'],
  budgetWarnings: ['budget_1'],
  streamed: true,
  queuedMs: 5,
  usage: {
    prompt_tokens: 1,
    completion_tokens: 2,
    total_tokens: 3,
    prompt_tokens_details: { cached_tokens: 4, audio_tokens: 5 },
    completion_tokens_details: {
      reasoning_tokens: 6,
      audio_tokens: 7,
      accepted_prediction_tokens: 8,
      rejected_prediction_tokens: 9,
    },
  },
  usageIsEstimated: true,
  error: 'internal_error',
  outage: { dependency: 'database', cause: 'connection refused' },
  aborted: false,
  trace: 'Error\n    at somewhere',
};

describe('the line of a request has the level', () => {
  test.each([
    [{ status: 200, durationMs: 999 }, 'info', 'request'],
    [{ status: 200, durationMs: 1000 }, 'warn', 'slow request'],
    [{ status: 404, durationMs: 1 }, 'info', 'request'],
    [{ status: 500, durationMs: 2000 }, 'error', 'request'],
    [{ status: 500, durationMs: 1, aborted: true }, 'info', 'request'],
    [{ status: 200, durationMs: 1, streamed: true, error: 'upstream_error' }, 'error', 'request'],
    [{ status: 400, durationMs: 1, streamed: true, error: 'invalid_request' }, 'info', 'request'],
    [{ status: 503, durationMs: 1, error: 'overloaded', retryInMs: 2000 }, 'warn', 'request'],
  ])('%o: %s, %s', (entry, level, msg) => {
    expect(JSON.parse(linesOf({ ...short, ...entry }).line)).toMatchObject({ level, msg });
  });

  test.each(['warn', 'error', 'silent'] as const)('and is not written where logLevel is %s', (logLevel) => {
    const destination = memoryDestination();
    requestLog({ logLevel }, destination)(short, 0);
    expect(destination.text()).toBe('');
  });
});

describe('lines of several requests', () => {
  afterEach(() => void vi.useRealTimers());

  test('are written at once if a client sends long text, and are not kept', () => {
    const destination = memoryDestination();
    const log = requestLog({ logLevel: 'info' }, destination);
    const model = 'm'.repeat(10_000);
    for (const entry of [
      { ...short, model },
      { ...short, safetyIdentifier: model },
    ]) {
      log(entry, performance.now());
      expect(destination.scheduledFlushes()).toBe(0);
      expect(destination.text()).toContain(model);
    }
  });

  test('schedule a flush when the first line becomes pending', () => {
    const destination = memoryDestination();
    const log = requestLog({ logLevel: 'info' }, destination);
    log(short, 0);
    expect(destination.scheduledFlushes()).toBe(1);
    destination.text();
    log(short, 0);
    expect(destination.scheduledFlushes()).toBe(2);
  });

  test('have the times at which the requests ended', () => {
    vi.useFakeTimers({ now: Date.parse('2026-01-01T00:00:59.990Z'), toFake: ['Date', 'performance'] });
    const destination = memoryDestination();
    const log = requestLog({ logLevel: 'info' }, destination);
    for (let number = 0; number < 4; number++) {
      log({ ...short, requestId: requestId(number), ...(number === 2 && { error: 'rare' }) }, performance.now());
      vi.advanceTimersByTime(7);
    }
    const lines = destination.text().trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { requestId: requestId(0), time: '2026-01-01T00:00:59.990Z' },
      { requestId: requestId(1), time: '2026-01-01T00:00:59.997Z' },
      { requestId: requestId(2), time: '2026-01-01T00:01:00.004Z' },
      { requestId: requestId(3), time: '2026-01-01T00:01:00.011Z' },
    ]);
  });

  test('have times that follow changes of the system clock', () => {
    vi.useFakeTimers({ now: Date.parse('2026-01-01T12:00:00Z'), toFake: ['Date', 'performance'] });
    const destination = memoryDestination();
    const log = requestLog({ logLevel: 'info' }, destination);
    for (const time of ['2026-01-01T12:00:00.000Z', '2026-01-01T11:00:00.000Z', '2026-01-01T13:00:00.000Z']) {
      vi.setSystemTime(time);
      log(short, performance.now());
      expect(JSON.parse(destination.text().trimEnd().split('\n').at(-1) ?? '')).toHaveProperty('time', time);
    }
  });

  test('are all written in order if there are more than one batch holds, with different models, statuses and errors', () => {
    const destination = memoryDestination();
    const log = requestLog({ logLevel: 'info' }, destination);
    const entries = Array.from({ length: 500 }, (_, number) => ({
      ...short,
      requestId: requestId(number),
      model: `model-${number % 150}`,
      status: number % 7 === 0 ? 404 : 200,
      ...(number % 11 === 0 && { error: 'rare' }),
    }));
    for (const entry of entries) log(entry, performance.now());
    const lines = destination.text().trimEnd().split('\n');
    expect(lines.map(withoutTime)).toEqual(entries.map((entry) => withoutTime(linesOf(entry).pinoLine)));
  });

  test('have the fields of each request if requests are similar', () => {
    const { usage } = full;
    const entries: readonly RequestLogEntry[] = [
      short,
      { ...short, route: undefined },
      { ...short, method: 'HEAD' },
      { ...short, status: 404 },
      { ...short, keyId: 'key_1' },
      { ...short, keyId: 'key_2', project: 'proj_1' },
      { ...short, project: 'proj_1' },
      { ...short, model: 'key_1' },
      { ...short, streamed: true },
      { ...short, streamed: false },
      { ...short, usage },
      { ...short, usage: { ...usage, prompt_tokens: 100 } },
      { ...short, usage: { ...usage, prompt_tokens_details: { cached_tokens: 5, audio_tokens: 5 } } },
      { ...short, usage: { ...usage, prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 } } },
      {
        ...short,
        usage: { prompt_tokens: 1, completion_tokens: 0, total_tokens: 1, prompt_tokens_details: { cached_tokens: 7 } },
      },
      { ...short, usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } },
      { ...short, usage: { ...usage, prompt_tokens_details: {}, completion_tokens_details: {} } },
      { ...short, usage: { ...usage, completion_tokens_details: { reasoning_tokens: 7 } } },
      short,
    ];
    const all = [...entries, ...entries.toReversed()];
    const destination = memoryDestination();
    const log = requestLog({ logLevel: 'info' }, destination);
    for (const entry of all) log(entry, performance.now());
    const lines = destination.text().trimEnd().split('\n');
    expect(lines.map(withoutTime)).toEqual(all.map((entry) => withoutTime(linesOf(entry).pinoLine)));
  });
});

describe('the line of a request is the one that pino writes, without details of usage that are zero,', () => {
  test.each([
    { prompt_tokens: 1, completion_tokens: 20, total_tokens: 21 },
    { prompt_tokens: 1, completion_tokens: 20, total_tokens: 21, prompt_tokens_details: { cached_tokens: 300 } },
    full.usage,
  ])('byte for byte with the usage %j', (usage) => {
    const time = /"time":"[^"]*"/;
    const entry = { ...short, durationMs: 12.3456, keyId: 'key_1', project: 'default', model: 'm', usage };
    const { line, pinoLine } = linesOf(entry);
    expect(line.replace(time, '')).toBe(pinoLine.replace(time, ''));
  });

  test.each(Object.keys(full))('with the field %s', (name) => {
    const { line, pinoLine } = linesOf({ ...short, [name]: full[name as keyof RequestLogEntry] });
    expect(withoutTime(line)).toEqual(withoutTime(pinoLine));
  });

  test('with all fields', () => {
    const { line, pinoLine } = linesOf({ ...full, streamed: false });
    expect(withoutTime(line)).toEqual(withoutTime(pinoLine));
  });

  test.each([0, 0.04, 0.05, 1, 9.96, 10.25, 99.96, 1e6, 123_456.78, 1e9])('with the duration %d', (durationMs) => {
    const { line, pinoLine } = linesOf({ ...short, durationMs }, Infinity);
    expect(withoutTime(line)).toEqual(withoutTime(pinoLine));
  });

  test.each(['a\nb', 'a\r\n{"level":"error"}', '"', '\\', '\u0000\u001B[31m', '\u007F', '\u2028', 'ü😀', '\uD800'])(
    'with hostile text: %j',
    (text) => {
      const common = { ...short, method: text, model: text, keyId: text, project: text, upstream: text };
      for (const entry of [common, { ...common, safetyIdentifier: text, upstreamFailure: text, error: text }]) {
        const { line, pinoLine } = linesOf(entry);
        expect(line.split('\n')).toHaveLength(2);
        expect(withoutTime(line)).toEqual(withoutTime(pinoLine));
      }
    },
  );

  test.each([0, 9, 10, 99, 100, 12_345, 999_999_999, 1e9, Number.MAX_SAFE_INTEGER, 1e300, -1, 0.5, NaN, Infinity])(
    'with the count %d',
    (count) => {
      const counts = { prompt_tokens: count, completion_tokens: count, total_tokens: count };
      const details = { prompt_tokens_details: { cached_tokens: count } };
      for (const usage of [counts, { ...counts, ...details }, { ...full.usage, ...counts }]) {
        const { line, pinoLine } = linesOf({ ...short, usage });
        expect(withoutTime(line)).toEqual(withoutTime(pinoLine));
      }
    },
  );
});
