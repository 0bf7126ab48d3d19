import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contractedCodes, errorCodes } from './error-codes.ts';

const page = readFileSync(new URL('../errors.md', import.meta.url), 'utf8');
const rows = [...page.matchAll(/^\| `(\w+)` +\| ([^|]*)\|/gm)];
const listed = new Set(rows.map(([, code]) => code));
const written = errorCodes();
const contracted = contractedCodes();

test('The page lists every code in the sources', () => {
  expect(written.size).toBeGreaterThan(60);
  const missing = [...written].filter(([code]) => !listed.has(code)).map(([code, files]) => [code, ...files]);
  expect(missing).toEqual([]);
});

test('The page lists every code of the contract', () => {
  expect([...contracted.keys()].filter((code) => !listed.has(code))).toEqual([]);
});

test('The page lists only codes that exist in the sources', () => {
  const known = new Set([...written.keys(), ...contracted.keys()]);
  expect([...listed].filter((code) => code !== undefined && !known.has(code))).toEqual([]);
});

test('The statuses on the page match the contract', () => {
  const wrong = rows.flatMap(([, code = '', second = '']) => {
    const status = Number(second.trim());
    const expected = contracted.get(code);
    return Number.isInteger(status) && status > 0 && expected !== undefined && expected !== status
      ? [[code, status, expected]]
      : [];
  });
  expect(wrong).toEqual([]);
});
