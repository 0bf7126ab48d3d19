import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isBase64 } from './base64.ts';
import { isFileData, isImageUrl } from './inline-data.ts';

test('accepts the output of an encoder, with or without padding', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1 }), (bytes) => {
      const encoded = Buffer.from(bytes).toString('base64');
      expect(isBase64(encoded)).toBe(true);
      expect(isBase64(encoded.replace(/=+$/, ''))).toBe(true);
      expect(isFileData(`data:application/pdf;base64,${encoded}`)).toBe(true);
      expect(isImageUrl(`data:image/png;base64,${encoded}`)).toBe(true);
    }),
  );
});

test.each(['', '=', '==', 'A', 'AAAAA', 'A=', 'AA=', 'AAA==', 'AA=A', 'AA AA', 'AAAA\n', 'AA-_', 'AAAA====', 'é'])(
  'is not base64: %j',
  (text) => expect(isBase64(text)).toBe(false),
);

test('checks megabytes of valid and of invalid text', () => {
  const large = 'A'.repeat(40_000_000);
  expect(isBase64(large)).toBe(true);
  expect(isBase64(`${large}!`)).toBe(false);
  expect(isBase64('='.repeat(1_000_000))).toBe(false);
});

test.each([
  ['https://example.com/a.png', true],
  ['HTTP://example.com', true],
  ['data:image/svg+xml;charset=utf-8;base64,AAAA', true],
  ['DATA:image/png;base64,AAAA', true],
  ['data:text/plain;base64,AAAA', false],
  ['data:image/png,AAAA', true],
  ['data:image/png;base64,', false],
  ['https://', false],
  ['ftp://example.com/a.png', false],
  ['javascript:alert(1)', false],
  ['file:///etc/passwd', false],
  ['AAAA', false],
  ['', false],
])('as an image URL, %j is %j', (url, right) => expect(isImageUrl(url)).toBe(right));
