import { expect, it } from 'vitest';
import { mayOpen } from './permissions.ts';

it('opens usage and keys only to keys that may administer', () => {
  for (const page of ['usage', 'keys'] as const) {
    expect(mayOpen({ permissions: ['read', 'infer', 'write', 'operate'] }, page)).toBe(true);
    expect(mayOpen({ permissions: ['read', 'infer', 'write'] }, page)).toBe(false);
  }
});

it('opens lists but not the playground to keys that may only read', () => {
  expect(mayOpen({ permissions: ['read'] }, 'completions')).toBe(true);
  expect(mayOpen({ permissions: ['read'] }, 'playground')).toBe(false);
});

it('opens the playground but no lists to keys that may only run models', () => {
  expect(mayOpen({ permissions: ['infer'] }, 'playground')).toBe(true);
  expect(mayOpen({ permissions: ['infer'] }, 'files')).toBe(false);
});

it('opens the models to every key', () => {
  expect(mayOpen({ permissions: [] }, 'models')).toBe(true);
});
