import { testOverrides } from './test-overrides.ts';

/** Unix milliseconds, for values that clients see. */
export function now(): number {
  return testOverrides()?.now() ?? Date.now();
}

export function nowInSeconds(): number {
  return Math.floor(now() / 1000);
}
