import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { requestLog } from './log.ts';

/** The level and message of the line for a request. */
function lineOf(entry: { readonly status: number; readonly durationMs: number; readonly aborted?: boolean }): object {
  let text = '';
  const stream = new Writable({
    write(piece: Buffer, _, done) {
      text += piece.toString();
      done();
    },
  });
  const logger = pino({ base: null, timestamp: false }, stream);
  requestLog(logger, { slowRequestMs: 1000 })({ requestId: 'req_1', method: 'GET', route: '/v1/models', ...entry });
  const { level, msg } = JSON.parse(text) as { readonly level: number; readonly msg: string };
  return { level: pino.levels.labels[level], msg };
}

test.each([
  [
    { status: 200, durationMs: 999 },
    { level: 'info', msg: 'request' },
  ],
  [
    { status: 200, durationMs: 1000 },
    { level: 'warn', msg: 'slow request' },
  ],
  [
    { status: 404, durationMs: 1 },
    { level: 'info', msg: 'request' },
  ],
  [
    { status: 500, durationMs: 2000 },
    { level: 'error', msg: 'request' },
  ],
  [
    { status: 500, durationMs: 1, aborted: true },
    { level: 'info', msg: 'request' },
  ],
])('%o is logged as %o', (entry, line) => {
  expect(lineOf(entry)).toEqual(line);
});
