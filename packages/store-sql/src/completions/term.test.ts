import { expect, test } from 'vitest';
import { finishTerm, firstPairTerm, keyTerm, modelTerm, pairTerms, projectTerm } from './term.ts';

test('a term is short, whatever its text', () => {
  const [term] = pairTerms('p', { ['k'.repeat(64)]: '😀'.repeat(512) });
  expect(term).toMatch(/^p[\w-]{22}$/);
});

test('terms differ by project, key, value and where one of them ends', () => {
  const terms = [
    ...pairTerms('a', { b: 'c', bc: '', '': 'bc', 'b\0': 'c', b2: 'c\0', '\ud800': 'x', '\ufffd': 'x' }),
    ...pairTerms('ab', { '': 'c', c: '' }),
    modelTerm('a', 'b'),
    modelTerm('ab', ''),
    projectTerm('a'),
    projectTerm('ab'),
  ];
  expect(new Set(terms).size).toBe(terms.length);
});

test('terms of metadata sort after the others', () => {
  for (const other of [modelTerm('a', 'b'), projectTerm('a'), keyTerm('a', 'b'), finishTerm('a', 'b')])
    expect(other < firstPairTerm).toBe(true);
  expect(pairTerms('a', { b: 'c' })[0]! > firstPairTerm).toBe(true);
});
