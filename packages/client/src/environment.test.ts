import { expect, test } from 'vitest';
import { fromEnvironment } from './environment.ts';

/** What `run` gives where `process` is this. */
function where<T>(process: unknown, run: () => T): T {
  const own = Object.getOwnPropertyDescriptor(globalThis, 'process');
  Object.defineProperty(globalThis, 'process', { value: process, configurable: true });
  try {
    return run();
  } finally {
    if (own !== undefined) Object.defineProperty(globalThis, 'process', own);
  }
}

const read = (): string | undefined => fromEnvironment('MODELWIRE_API_KEY');

test('A variable is trimmed, and an empty one is none', () => {
  expect(where({ env: { MODELWIRE_API_KEY: ' key\n' } }, read)).toBe('key');
  expect(where({ env: { MODELWIRE_API_KEY: ' ' } }, read)).toBeUndefined();
  expect(where({ env: {} }, read)).toBeUndefined();
});

test('There is none where there is no environment, or none that may be read', () => {
  expect(where(undefined, read)).toBeUndefined();
  expect(where({}, read)).toBeUndefined();
  const guarded = {
    get env(): never {
      throw new Error('Requires env access');
    },
  };
  expect(where(guarded, read)).toBeUndefined();
});
