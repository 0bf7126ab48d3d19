import { expect, test } from 'vitest';
import { syntaxCheck } from '../testing/syntax-check.ts';

test.each(['zsh', 'fish'] as const)('the completion script of %s has no syntax errors', (shell) => {
  expect(syntaxCheck(shell)).toEqual([0, '']);
});
