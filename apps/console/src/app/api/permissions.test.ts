import { expect, it } from 'vitest';
import { mayOpen } from './permissions.ts';

it('allows usage and keys only for keys with the permission to administer', () => {
  for (const page of ['usage', 'keys'] as const) {
    expect(mayOpen({ permissions: ['read', 'infer', 'write', 'operate'] }, page)).toBe(true);
    expect(mayOpen({ permissions: ['read', 'infer', 'write'] }, page)).toBe(false);
  }
});

it('allows lists but not the playground for keys that may only read', () => {
  expect(mayOpen({ permissions: ['read'] }, 'completions')).toBe(true);
  expect(mayOpen({ permissions: ['read'] }, 'playground')).toBe(false);
});

it('allows the playground but no lists for keys that may only run models', () => {
  expect(mayOpen({ permissions: ['infer'] }, 'playground')).toBe(true);
  expect(mayOpen({ permissions: ['infer'] }, 'files')).toBe(false);
});

it('allows the models for every key', () => {
  expect(mayOpen({ permissions: [] }, 'models')).toBe(true);
});
