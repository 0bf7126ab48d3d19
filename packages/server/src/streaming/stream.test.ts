import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chunks, utf8Length } from './stream.ts';
import type { ChunkOptions, Chunks } from './stream.ts';

const metadata = { id: 'chatcmpl-1', created: 1, model: 'möbius', service_tier: 'default' } as const;
/** The data of each event of a completion on the wire. */
function written(
  options: Partial<ChunkOptions>,
  fingerprint: string | undefined,
  say: (write: Chunks) => void,
): string[] {
  let text = '';
  const sink = { write: (...pieces: readonly string[]) => void (text += pieces.join('')) };
  say(
    chunks(metadata, fingerprint, { obfuscate: true, includeUsage: false, topLogprobs: undefined, ...options }, sink),
  );
  return text
    .split('\n\n')
    .filter(Boolean)
    .map((event) => event.slice('data: '.length));
}

const bytes = (text: string) => new TextEncoder().encode(text).length;

test('deltas of up to 64 bytes, empty and last ones included, are equally long on the wire', () => {
  const events = written({ includeUsage: true }, 'fp', (write) => {
    for (const text of ['', 'a', '日本語', '"\n"', 'x'.repeat(64)]) write.text(0, text, undefined);
    write.delta(0, {}, { finishReason: 'stop' });
  });
  expect(events).toHaveLength(7);
  expect(new Set(events.map(bytes)).size).toBe(1);
});

test('longer deltas have sizes in steps of 64 bytes', () => {
  const size = (length: number) =>
    bytes(written({}, undefined, (write) => write.text(0, 'x'.repeat(length), undefined))[1] ?? '');
  expect(size(65)).toBe(size(1) + 64);
  expect(size(65)).toBe(size(128));
});

test('events stay valid JSON with the same text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const [, event = ''] = written({}, undefined, (write) => write.text(0, text, undefined));
      const chunk = JSON.parse(event) as { choices: [{ delta: unknown }]; obfuscation: string };
      expect(chunk.choices[0].delta).toEqual({ content: text });
      expect(chunk.obfuscation).toMatch(/^[A-Za-z0-9]*$/);
    }),
  );
});

test('without obfuscation there is no such field', () => {
  const events = written({ obfuscate: false }, undefined, (write) => {
    write.text(0, 'a', undefined);
    write.delta(0, {}, { finishReason: 'stop' });
  });
  expect(events.join()).not.toContain('obfuscation');
  expect(events.map((event) => JSON.parse(event) as object)).toHaveLength(3);
});

test('counts UTF-8 bytes as an encoder does', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => utf8Length(text) === bytes(text)));
  expect(utf8Length('\ud800')).toBe(3);
  expect(utf8Length('\ud800a\udc00')).toBe(7);
});
