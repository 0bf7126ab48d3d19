import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRedactor } from './redact.ts';

test('A secret is redacted wherever the chunks are split, and other text is unchanged', () => {
  const word = fc.constantFrom('sk-', 'sk-secret-1', 'secret', '-', 's', 'sk', 'other-key', ' ', 'x');
  fc.assert(
    fc.property(fc.array(word), fc.array(fc.nat(6)), (words, cuts) => {
      const text = words.join('');
      const redactor = createRedactor(['sk-secret-1', 'other-key']);
      let out = '';
      let at = 0;
      for (const cut of [...cuts, text.length]) {
        out += redactor.push(text.slice(at, at + cut));
        at += cut;
        expect(out).not.toMatch(/sk-secret-1|other-key/);
      }
      expect(out + redactor.end()).toBe(text.replaceAll('sk-secret-1', '[key]').replaceAll('other-key', '[key]'));
    }),
  );
});

test('Text that cannot be part of a secret is not buffered', () => {
  const redactor = createRedactor(['sk-secret-1']);
  expect([redactor.push('Hello s'), redactor.push('k-o'), redactor.push('n')]).toEqual(['Hello ', 'sk-o', 'n']);
  expect([redactor.push('sk-'), redactor.end(), redactor.end()]).toEqual(['', 'sk-', '']);
});
