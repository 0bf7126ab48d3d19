import { expect, it } from 'vitest';
import { mayOpen, mayWrite } from './permissions.ts';

it('opens usage and keys to administrators only', () => {
  for (const page of ['usage', 'keys'] as const) {
    expect(mayOpen({ role: 'admin' }, page)).toBe(true);
    expect(mayOpen({ role: 'member' }, page)).toBe(false);
    expect(mayOpen({ role: 'read' }, page)).toBe(false);
  }
});

it('lets read-only keys look at lists, and neither generate nor change', () => {
  expect(mayOpen({ role: 'read' }, 'completions')).toBe(true);
  expect(mayOpen({ role: 'read' }, 'playground')).toBe(false);
  expect(mayWrite({ role: 'read' })).toBe(false);
  expect(mayWrite({ role: 'member' })).toBe(true);
});
