import { expect, it } from 'vitest';
import { safeLink } from './safe-link.ts';

it.each(['https://example.com/a', 'http://example.com/', 'mailto:a@example.com'])('accepts %s', (href) => {
  expect(safeLink(href)).toBe(href);
});

it.each([
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  '/v1/files',
  '',
])('refuses %j', (href) => {
  expect(safeLink(href)).toBeUndefined();
});
