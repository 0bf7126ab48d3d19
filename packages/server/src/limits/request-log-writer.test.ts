import type { RequestRecord } from '@modelwire/ports';
import { expect, test, vi } from 'vitest';
import { createRequestLogWriter } from './request-log-writer.ts';

const ended = {
  ...{ endpoint: '/v1/chat/completions', keyId: 'key_1', project: 'default', model: 'simulator' },
  ...{ at: 1000, isError: false, cost: undefined },
};
const recordOf = (requestId: string) => ({
  requestId,
  method: 'POST',
  route: undefined,
  status: 200,
  durationMs: 2500,
});

test('writes requests together, with the time at which they were received', async () => {
  const append = vi.fn(async (_records: readonly RequestRecord[]) => undefined);
  const writer = createRequestLogWriter({ store: { append }, currency: 'eur', report: () => undefined });
  writer.add(recordOf('req_1'), ended);
  writer.add({ ...recordOf('req_2'), aborted: true }, { ...ended, isError: true });
  await writer.flush();
  expect(append.mock.calls.map(([records]) => records)).toMatchObject([
    [
      { id: 'req_1', created: 997, outcome: 'succeeded', durationMs: 2500, inputTokens: null },
      { id: 'req_2', outcome: 'aborted' },
    ],
  ]);
});

test('keeps at most 10,000 requests while the store is unavailable, and reports how many are missing', async () => {
  let isAvailable = false;
  const written: string[] = [];
  const report = vi.fn((_what: string, _error: unknown) => undefined);
  const append = async (records: readonly RequestRecord[]) => {
    if (!isAvailable) throw new Error('unavailable');
    written.push(...records.map(({ id }) => id));
  };
  const writer = createRequestLogWriter({ store: { append }, currency: 'eur', report });
  for (let count = 0; count < 10_005; count++) writer.add(recordOf(`req_${count}`), ended);
  await writer.flush();
  writer.add(recordOf('req_late'), ended);
  isAvailable = true;
  await writer.flush();
  expect(written).toHaveLength(10_000);
  expect(report.mock.calls.map(([what]) => what)).toEqual([
    'the request log was not written',
    '6 requests are missing from the request log',
  ]);
  writer.add(recordOf('req_new'), ended);
  await writer.flush();
  expect(written.at(-1)).toBe('req_new');
});
