import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chunks } from './chunks.ts';
import { utf8Length } from './obfuscation.ts';

const head = { id: 'chatcmpl-1', created: 1, model: 'möbius', service_tier: 'default' } as const;
const bytes = (text: string) => new TextEncoder().encode(text).length;

test('deltas of up to 64 bytes, empty and last ones included, are equally long on the wire', () => {
  const write = chunks(head, 'fp', { obfuscate: true, includeUsage: true, topLogprobs: undefined });
  const sizes = [
    write.role(0, ''),
    write.text(0, '', undefined),
    write.text(0, 'a', undefined),
    write.text(0, '日本語', undefined),
    write.text(0, '"\n"', undefined),
    write.text(0, 'x'.repeat(64), undefined),
    write.finish(0, 'stop'),
  ].map(bytes);
  expect(new Set(sizes).size).toBe(1);
});

test('longer deltas come out in steps of 64 bytes', () => {
  const write = chunks(head, undefined, { obfuscate: true, includeUsage: false, topLogprobs: undefined });
  const size = (length: number) => bytes(write.text(0, 'x'.repeat(length), undefined));
  expect(size(65)).toBe(size(1) + 64);
  expect(size(65)).toBe(size(128));
});

test('events stay valid JSON with the text that was said', () => {
  const write = chunks(head, undefined, { obfuscate: true, includeUsage: false, topLogprobs: undefined });
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const chunk = JSON.parse(write.text(0, text, undefined)) as {
        choices: [{ delta: unknown }];
        obfuscation: string;
      };
      expect(chunk.choices[0].delta).toEqual({ content: text });
      expect(chunk.obfuscation).toMatch(/^[A-Za-z0-9]*$/);
    }),
  );
});

test('without obfuscation there is no such field', () => {
  const write = chunks(head, undefined, { obfuscate: false, includeUsage: false, topLogprobs: undefined });
  expect(write.text(0, 'a', undefined)).not.toContain('obfuscation');
});

test('counts UTF-8 bytes as an encoder does', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => utf8Length(text) === bytes(text)));
  expect(utf8Length('\ud800')).toBe(3);
  expect(utf8Length('\ud800a\udc00')).toBe(7);
});
