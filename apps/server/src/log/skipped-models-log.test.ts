import { expect, test } from 'vitest';
import { createSkippedModelsLog } from './skipped-models-log.ts';

function logTo() {
  const logged: unknown[] = [];
  return { logged, log: createSkippedModelsLog({ warn: (fields: unknown) => void logged.push(fields) }) };
}

test('logs each skipped entry of each upstream once', () => {
  const { logged, log } = logTo();
  const entry = { entry: 'id: null', cause: 'no ID' };
  for (const upstream of ['a', 'b', 'a']) log(upstream, [entry, entry]);
  expect(logged).toEqual([
    { upstream: 'a', ...entry },
    { upstream: 'b', ...entry },
  ]);
});

test('logs a limited number of them for each upstream', () => {
  const { logged, log } = logTo();
  for (let count = 0; count < 1000; count++) log('a', [{ entry: `id: ${count}`, cause: 'no ID' }]);
  expect(logged).toHaveLength(100);
  log('b', [{ entry: 'id: 1', cause: 'no ID' }]);
  expect(logged).toHaveLength(101);
});
