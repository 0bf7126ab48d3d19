import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { utf8Length } from './utf8-length.ts';

test.each([
  ['Node.js', true],
  ['a runtime without Buffer', false],
])('counts the bytes of a text as an encoder does, on %s', (_, hasBuffer) => {
  if (!hasBuffer) vi.stubGlobal('Buffer', undefined);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length);
    }),
  );
  expect(utf8Length('\ud800')).toBe(3);
  expect(utf8Length('\ud800a\udc00')).toBe(7);
  vi.unstubAllGlobals();
});
