import { expect, test } from 'vitest';
import { resolveScalarOptions } from './resolve-scalar.ts';
import type { ScalarOptions } from './scalar.ts';

test('applies defaults and keeps the values that are set', () => {
  const resolved = resolveScalarOptions({ maxQueuedRequests: 0, unknownFields: 'keep' });
  expect(resolved).toMatchObject({
    maxQueuedRequests: 0,
    unknownFields: 'keep',
    batchConcurrency: 'auto',
    version: '1',
  });
  expect(resolved.completionRetentionDays).toBeUndefined();
});

test('ignores other options', () => {
  const options: ScalarOptions & { readonly engines: readonly unknown[] } = { engines: [] };
  expect(resolveScalarOptions(options)).not.toHaveProperty('engines');
});

test.each<[ScalarOptions, string]>([
  [{ batchConcurrency: 0 }, "batchConcurrency must be an integer of at least 1 or 'auto', not 0"],
  [{ maxQueuedRequests: -1 }, 'maxQueuedRequests must be an integer of at least 0, not -1'],
  [{ queueTimeoutMs: 1.5 }, 'queueTimeoutMs must be an integer of at least 1, not 1.5'],
  [{ unknownFields: 'drop' as 'keep' }, 'unknownFields must be one of refuse, keep, not drop'],
  [{ defaultModel: '' }, 'defaultModel must be a non-empty string, not '],
  [{ unversionedPaths: 1 as unknown as boolean }, 'unversionedPaths must be true or false, not 1'],
])('rejects %j and names the option', (options, message) => {
  expect(() => resolveScalarOptions(options)).toThrow(message);
});
