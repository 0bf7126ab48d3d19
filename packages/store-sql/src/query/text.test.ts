import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromStored, toStored } from './text.ts';

/** Every UTF-16 code unit, special ones often. */
const anyText = fc
  .array(fc.oneof(fc.constantFrom('\0', '\u0001', '\ud800', '\udfff', '😀', '0', 'd'), fc.string({ unit: 'binary' })))
  .map((parts) => parts.join(''));

test('any text is unchanged when it is read back', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const kept = toStored(text);
      expect(fromStored(kept)).toBe(text);
      expect(kept).not.toContain('\0');
      expect(kept.isWellFormed()).toBe(true);
    }),
  );
});

test('two different texts stay different', () => {
  fc.assert(fc.property(anyText, anyText, (a, b) => (toStored(a) === toStored(b)) === (a === b)));
  expect(toStored('\0')).not.toBe(toStored('\u00010000'));
});

test('plain text is stored unchanged', () => {
  expect(toStored("Tschüß 😀 100% \\ '; drop")).toBe("Tschüß 😀 100% \\ '; drop");
});
