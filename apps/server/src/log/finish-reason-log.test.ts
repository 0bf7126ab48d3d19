import { expect, test } from 'vitest';
import { createFinishReasonLog } from './finish-reason-log.ts';

function logTo() {
  const logged: unknown[] = [];
  return { logged, log: createFinishReasonLog({ warn: (fields: unknown) => void logged.push(fields) }) };
}

test('logs each unknown finish reason of each upstream once', () => {
  const { logged, log } = logTo();
  for (const upstream of ['a', 'b', 'a']) log(upstream, 'banana');
  expect(logged).toEqual([
    { upstream: 'a', finishReason: 'banana' },
    { upstream: 'b', finishReason: 'banana' },
  ]);
});

test('logs a limited number of them', () => {
  const { logged, log } = logTo();
  for (let count = 0; count < 1000; count++) log('a', `word ${count}`);
  expect(logged).toHaveLength(100);
});
