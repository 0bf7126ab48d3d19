import type { RequestLogEntry } from '@modelwire/server';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createLogger, requestLog } from './log.ts';

/** What is written for a request, and what pino writes for the same entry. */
function linesOf(entry: RequestLogEntry, slowRequestMs = 1000): { readonly line: string; readonly pinoLine: string } {
  let line = '';
  let pinoLine = '';
  requestLog({ logLevel: 'info', slowRequestMs }, { write: vi.fn(), defer: (format) => (line += format()) })(entry);
  const { durationMs, ...rest } = entry;
  createLogger({ logLevel: 'info' }, { write: (text) => (pinoLine += text) }).info(
    { ...rest, durationMs: Math.round(durationMs * 10) / 10 },
    'request',
  );
  return { line, pinoLine };
}

function withoutTime(line: string): object {
  const { time, ...fields } = JSON.parse(line) as { readonly time: string };
  expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  return fields;
}

const short: RequestLogEntry = { requestId: 'req_1', method: 'GET', route: '/v1/models', status: 200, durationMs: 1 };

/** Every field: a field that is added to the entry is missing here, and then in the line. */
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
  ])('%o: %s, %s', (entry, level, msg) => {
    expect(JSON.parse(linesOf({ ...short, ...entry }).line)).toMatchObject({ level, msg });
  });

  test.each(['warn', 'error', 'silent'] as const)('and is not written where logLevel is %s', (logLevel) => {
    let written = '';
    requestLog({ logLevel }, { write: vi.fn(), defer: (format) => (written += format()) })(short);
    expect(written).toBe('');
  });
});

describe('lines of several requests', () => {
  afterEach(() => void vi.useRealTimers());

  function logOf(count: number): {
    readonly ids: readonly string[];
    readonly times: readonly string[];
    readonly written: number;
  } {
    vi.useFakeTimers({ now: Date.parse('2026-01-01T00:00:59.990Z') });
    let lines = '';
    let format = (): string => '';
    const write = vi.fn((text: string) => void (lines += text));
    const log = requestLog({ logLevel: 'info' }, { write, defer: (deferred) => (format = deferred) });
    for (let number = 0; number < count; number++) {
      log({ ...short, requestId: `req_${number}` });
      vi.advanceTimersByTime(7);
    }
    lines += format();
    const parsed = lines.trimEnd().split('\n');
    const entries = parsed.map((line) => JSON.parse(line) as { readonly requestId: string; readonly time: string });
    return {
      ids: entries.map(({ requestId }) => requestId),
      times: entries.map(({ time }) => time),
      written: write.mock.calls.length,
    };
  }

  test('are formatted together, with the times at which the requests ended', () => {
    expect(logOf(3)).toEqual({
      ids: ['req_0', 'req_1', 'req_2'],
      times: ['2026-01-01T00:00:59.990Z', '2026-01-01T00:00:59.997Z', '2026-01-01T00:01:00.004Z'],
      written: 0,
    });
  });

  test('are formatted in batches of a limited size, once each and in order', () => {
    const { ids, written } = logOf(1000);
    expect(ids).toEqual(Array.from({ length: 1000 }, (_, number) => `req_${number}`));
    expect(written).toBeGreaterThan(10);
  });
});

test('fields that are alike in successive requests are those of each request', () => {
  const usage = full.usage;
  const entries: readonly RequestLogEntry[] = [
    short,
    { ...short, route: undefined },
    { ...short, method: 'HEAD' },
    { ...short, status: 404 },
    { ...short, keyId: 'key_1' },
    { ...short, keyId: 'key_2', project: 'proj_1' },
    { ...short, project: 'proj_1' },
    { ...short, model: 'key_1' },
    { ...short, usage },
    { ...short, usage: { ...usage, prompt_tokens: 100 } },
    { ...short, usage: { ...usage, prompt_tokens_details: { cached_tokens: 5, audio_tokens: 5 } } },
    { ...short, usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } },
    { ...short, usage: { ...usage, prompt_tokens_details: {}, completion_tokens_details: {} } },
    { ...short, usage: { ...usage, completion_tokens_details: { reasoning_tokens: 7 } } },
    short,
  ];
  for (const entry of [...entries, ...entries.toReversed()]) {
    const { line, pinoLine } = linesOf(entry);
    expect(withoutTime(line)).toEqual(withoutTime(pinoLine));
  }
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

  test.each([0, 0.04, 0.05, 1, 9.96, 10.25, 1e6, 123_456.78])('with the duration %d', (durationMs) => {
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

  test('with counts that an engine gave as something else', () => {
    const usage = { ...full.usage, prompt_tokens: NaN } as const;
    expect(withoutTime(linesOf({ ...short, usage }).line)).toMatchObject({ usage: { prompt_tokens: null } });
  });
});
