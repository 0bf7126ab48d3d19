import { expect, test } from 'vitest';
import { environmentVariable } from './environment.ts';

/** The result of `run` with this value of `process`. */
function where<T>(process: unknown, run: () => T): T {
  const own = Object.getOwnPropertyDescriptor(globalThis, 'process');
  Object.defineProperty(globalThis, 'process', { value: process, configurable: true });
  try {
    return run();
  } finally {
    if (own !== undefined) Object.defineProperty(globalThis, 'process', own);
  }
}

const read = (): string | undefined => environmentVariable('MODELWIRE_API_KEY');

test('a variable is trimmed, and an empty one is undefined', () => {
  expect(where({ env: { MODELWIRE_API_KEY: ' key\n' } }, read)).toBe('key');
  expect(where({ env: { MODELWIRE_API_KEY: ' ' } }, read)).toBeUndefined();
  expect(where({ env: {} }, read)).toBeUndefined();
});

test('is undefined where there is no environment or no permission to read it', () => {
  expect(where(undefined, read)).toBeUndefined();
  expect(where({}, read)).toBeUndefined();
  const guarded = {
    get env(): never {
      throw new Error('Requires env access');
    },
  };
  expect(where(guarded, read)).toBeUndefined();
});
