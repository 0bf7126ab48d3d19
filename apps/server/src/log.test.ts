import type { RequestLogEntry } from '@modelwire/server';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { LogBuffer, LogDestination } from './log-destination.ts';
import { createLogger, requestLog } from './log.ts';

function memoryDestination(): Pick<LogDestination, 'reserve'> & { readonly text: () => string } {
  const collected: LogBuffer = { bytes: Buffer.alloc(1024 * 1024), length: 0 };
  return { reserve: () => collected, text: () => collected.bytes.toString('utf8', 0, collected.length) };
}

/** The log line of a request, and the line that pino writes for the same entry. */
function linesOf(entry: RequestLogEntry, slowRequestMs = 1000): { readonly line: string; readonly pinoLine: string } {
  const destination = memoryDestination();
  let pinoLine = '';
  requestLog({ logLevel: 'info', slowRequestMs }, destination)(entry);
  const { durationMs, ...rest } = entry;
  createLogger({ logLevel: 'info' }, { write: (text) => (pinoLine += text) }).info(
    { ...rest, durationMs: Math.round(durationMs * 10) / 10 },
    'request',
  );
  return { line: destination.text(), pinoLine };
}

function withoutTime(line: string): object {
  const { time, ...fields } = JSON.parse(line) as { readonly time: string };
  expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  return fields;
}

const short: RequestLogEntry = { requestId: 'req_1', method: 'GET', route: '/v1/models', status: 200, durationMs: 1 };

/** Every field. A field that is added to the entry but not here fails the type check. */
const full: Required<RequestLogEntry> = {
  requestId: 'req_1',
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
  ])('%o: %s, %s', (entry, level, msg) => {
    expect(JSON.parse(linesOf({ ...short, ...entry }).line)).toMatchObject({ level, msg });
  });

  test.each(['warn', 'error', 'silent'] as const)('and is not written where logLevel is %s', (logLevel) => {
    const destination = memoryDestination();
    requestLog({ logLevel }, destination)(short);
    expect(destination.text()).toBe('');
  });
});

describe('lines of several requests', () => {
  afterEach(() => void vi.useRealTimers());

  test('have the times at which the requests ended', () => {
    vi.useFakeTimers({ now: Date.parse('2026-01-01T00:00:59.990Z') });
    const destination = memoryDestination();
    const log = requestLog({ logLevel: 'info' }, destination);
    for (let number = 0; number < 3; number++) {
      log({ ...short, requestId: `req_${number}` });
      vi.advanceTimersByTime(7);
    }
    const lines = destination.text().trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { requestId: 'req_0', time: '2026-01-01T00:00:59.990Z' },
      { requestId: 'req_1', time: '2026-01-01T00:00:59.997Z' },
      { requestId: 'req_2', time: '2026-01-01T00:01:00.004Z' },
    ]);
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
      { ...short, usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } },
      { ...short, usage: { ...usage, prompt_tokens_details: {}, completion_tokens_details: {} } },
      { ...short, usage: { ...usage, completion_tokens_details: { reasoning_tokens: 7 } } },
      short,
    ];
    const all = [...entries, ...entries.toReversed()];
    const destination = memoryDestination();
    const log = requestLog({ logLevel: 'info' }, destination);
    for (const entry of all) log(entry);
    const lines = destination.text().trimEnd().split('\n');
    expect(lines.map(withoutTime)).toEqual(all.map((entry) => withoutTime(linesOf(entry).pinoLine)));
  });
});

describe('the line of a request is the one that pino writes', () => {
  test('byte for byte where the fields are in the same order', () => {
    const entry = { ...short, durationMs: 12.3456, keyId: 'key_1', project: 'default', model: 'm' };
    const time = /"time":"[^"]*"/;
    const { line, pinoLine } = linesOf({ ...entry, usage: full.usage });
    const inOrder = pinoLine
      .replace(/,"durationMs":12.3/, '')
      .replace(/"status":200/, '"status":200,"durationMs":12.3');
    expect(line.replace(time, '')).toBe(inOrder.replace(time, ''));
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
      const entry = { ...short, model: text, safetyIdentifier: text, upstreamFailure: text, error: text, keyId: text };
      const { line, pinoLine } = linesOf(entry);
      expect(line.split('\n')).toHaveLength(2);
      expect(withoutTime(line)).toEqual(withoutTime(pinoLine));
    },
  );

  test.each([0, 9, 10, 99, 100, 12_345, 999_999_999, 1e9, Number.MAX_SAFE_INTEGER, 1e300, -1, 0.5, NaN, Infinity])(
    'with the count %d',
    (count) => {
      const usage = { ...full.usage, prompt_tokens: count, completion_tokens: count, total_tokens: count };
      const { line, pinoLine } = linesOf({ ...short, usage });
      expect(withoutTime(line)).toEqual(withoutTime(pinoLine));
    },
  );
});
