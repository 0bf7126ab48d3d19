import type { RequestLogEntry } from '@modelwire/server';
import { describe, expect, test } from 'vitest';
import { createLogger, requestLog } from './log.ts';
import type { Settings } from '../config/settings.ts';

/** What the log contains after one request. */
function logOf(entry: RequestLogEntry, logLevel: Settings['logLevel'] = 'info', worker?: number): string {
  let text = '';
  const logger = createLogger({ logLevel }, { write: (line) => (text += line) }, worker);
  requestLog({ slowRequestMs: 1000 }, logger)(entry);
  return text;
}

function lineOf(entry: RequestLogEntry): object {
  return JSON.parse(logOf(entry)) as object;
}

const short: RequestLogEntry = {
  requestId: 'req_1',
  method: 'GET',
  route: '/v1/models',
  status: 200,
  durationMs: 1,
};

/** Every field. A field that is added to the entry but not here fails the type check. */
const full: Required<RequestLogEntry> = {
  requestId: 'req_1',
  traceId: '0af7651916cd43dd8448eb211c80319c',
  method: 'POST',
  route: '/v1/chat/completions',
  path: '/rerank',
  status: 200,
  durationMs: 12.3456,
  firstTokenMs: 6.789,
  keyId: 'key_1',
  project: 'proj_1',
  model: 'model-1',
  upstream: 'vllm-1',
  upstreamFailure: 'vllm-2: ECONNREFUSED',
  safetyIdentifier: 'user-1',
  batch: 'batch_1',
  completion: 'chatcmpl-1',
  response: 'resp_1',
  video: 'video_1',
  retryInMs: 2000,
  flagged: ['violence'],
  unsupportedTools: ['computer_use'],
  budgetWarnings: ['budget_1'],
  streamed: true,
  outputAttempts: 2,
  outputSteps: ['cleaned', 'continued'],
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
    [{ status: 500, durationMs: 1000, aborted: true }, 'warn', 'slow request'],
    [{ status: 200, durationMs: 1, streamed: true, error: 'upstream_error' }, 'error', 'request'],
    [{ status: 400, durationMs: 1, streamed: true, error: 'invalid_request' }, 'info', 'request'],
    [{ status: 503, durationMs: 1, error: 'overloaded', retryInMs: 2000 }, 'warn', 'request'],
  ])('%o: %s, %s', (entry, level, msg) => {
    expect(lineOf({ ...short, ...entry })).toMatchObject({ level, msg });
  });

  test.each(['warn', 'error', 'silent'] as const)('and is not written where logLevel is %s', (logLevel) => {
    expect(logOf(short, logLevel)).toBe('');
  });
});

describe('the line of a request', () => {
  test('has every field of its entry, the time and the level, and durations with one decimal place', () => {
    expect(lineOf(full)).toEqual({
      ...full,
      level: 'warn',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      msg: 'request',
      durationMs: 12.3,
      firstTokenMs: 6.8,
    });
  });

  test('leaves out fields without a value', () => {
    expect(Object.keys(lineOf({ ...short, model: undefined, usage: undefined }))).toEqual([
      'level',
      'time',
      'requestId',
      'method',
      'route',
      'status',
      'durationMs',
      'msg',
    ]);
  });

  test('names the worker process', () => {
    expect(JSON.parse(logOf(short, 'info', 2))).toMatchObject({ worker: 2, requestId: 'req_1' });
  });

  test('leaves out details of the usage that are zero', () => {
    const usage = {
      prompt_tokens: 0,
      completion_tokens: 2,
      total_tokens: 2,
      prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 2, audio_tokens: 0 },
    };
    expect(lineOf({ ...short, usage })).toHaveProperty('usage', {
      prompt_tokens: 0,
      completion_tokens: 2,
      total_tokens: 2,
      completion_tokens_details: { reasoning_tokens: 2 },
    });
  });

  test.each(['a\nb', 'a\r\n{"level":"error"}', '"', '\\', '\u0000\u001B[31m', '\u007F', '\u2028', 'ü😀', '\uD800'])(
    'is one line of JSON with hostile text: %j',
    (text) => {
      const fields = { method: text, model: text, project: text, safetyIdentifier: text, upstreamFailure: text };
      const log = logOf({ ...short, ...fields });
      expect(log.trimEnd().split('\n')).toHaveLength(1);
      expect(JSON.parse(log)).toMatchObject(fields);
    },
  );
});
