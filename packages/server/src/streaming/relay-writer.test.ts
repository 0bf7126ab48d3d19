import { expect, test, vi } from 'vitest';
import { relayWriter } from './relay-writer.ts';

const metadata = { id: 'chatcmpl-1', created: 7, model: 'public', service_tier: 'default' } as const;

/** Relays chunks of an upstream with one choice each. Returns the output and the number of chunks that were not parsed. */
function relayed(
  texts: readonly string[],
  options: { readonly obfuscate?: boolean; readonly includeUsage?: boolean } = {},
) {
  let written = '';
  let repeated = 0;
  const writer = relayWriter(
    metadata,
    { obfuscate: false, includeUsage: false, topLogprobs: undefined, ...options },
    { write: (...pieces) => (written += pieces.join('')) },
  );
  for (const text of texts) {
    if (writer.repeat(text)) {
      repeated += 1;
      continue;
    }
    const chunk = JSON.parse(text) as { choices: [{ finish_reason?: string | null }] };
    writer.write({ text, chunk, changed: false, isDelta: typeof chunk.choices[0].finish_reason !== 'string' });
  }
  const frames = written.split('\n\n').slice(0, -1);
  return { repeated, frames, chunks: frames.map((frame) => JSON.parse(frame.replace(/^data: /, '')) as object) };
}

function expected(text: string, more: object = {}): object {
  return { ...(JSON.parse(text) as object), ...metadata, object: 'chat.completion.chunk', ...more };
}

const words = ['Hello', ' "wor\\ld"', '\n\t\u0001', ' 日本 \u{1F600}', '],"usage":null}', ''];

test.each([
  [
    'with the choices last',
    (delta: object) => ({ id: 'a', created: 1, choices: [{ index: 0, delta, finish_reason: null }] }),
  ],
  [
    'with the choices first',
    (delta: object) => ({
      choices: [{ finish_reason: null, index: 0, delta }],
      created: 1,
      id: 'a',
      model: 'm',
      system_fingerprint: 'f',
    }),
  ],
])('relays chunks %s, and parses those that differ only in their text only once', (_, chunkOf) => {
  const texts = words.map((content) => JSON.stringify(chunkOf({ content })));
  const { chunks, repeated } = relayed(texts);
  expect(chunks).toEqual(texts.map((text) => expected(text)));
  // The first chunk gives the fields before the choices, the second the template.
  expect(repeated).toBe(words.length - 2);
});

test('relays chunks of two choices in turn, with reasoning before the text', () => {
  const chunk = (index: number, delta: object, finish_reason: string | null = null) =>
    JSON.stringify({ id: 'a', choices: [{ index, delta, logprobs: null, finish_reason }], usage: null });
  const texts = [
    ...[0, 1].map((index) => chunk(index, { role: 'assistant', content: '' })),
    ...words.flatMap((text) => [0, 1].map((index) => chunk(index, { reasoning_content: text }))),
    ...words.flatMap((text) => [0, 1].map((index) => chunk(index, { content: text }))),
    ...[0, 1].map((index) => chunk(index, {}, 'stop')),
  ];
  const { chunks, repeated } = relayed(texts, { includeUsage: true });
  expect(chunks).toEqual(texts.map((text) => expected(text)));
  expect(repeated).toBe(4 * (words.length - 1));
});

test('pads chunks that differ only in their text to the same lengths as others', () => {
  const texts = words.map((content) =>
    JSON.stringify({
      id: 'a',
      choices: [{ index: 0, delta: { content }, finish_reason: null }],
      obfuscation: 'theirs'.slice(content.length),
    }),
  );
  const { frames, repeated, chunks } = relayed(texts, { obfuscate: true });
  expect(repeated).toBe(words.length - 2);
  expect(new Set(frames.map((frame) => Buffer.byteLength(frame))).size).toBe(1);
  expect(chunks).toEqual(texts.map((text) => expected(text, { obfuscation: expect.any(String) as string })));
  expect(frames.join()).not.toContain('theirs');
});

test('stops making templates for a stream whose chunks all differ', () => {
  const parse = vi.spyOn(JSON, 'parse');
  const texts = Array.from({ length: 100 }, (_, id) =>
    JSON.stringify({ id, choices: [{ index: 0, delta: { content: 'a' } }] }),
  );
  relayed(texts);
  const calls = parse.mock.calls.length;
  parse.mockRestore();
  // Each chunk and each frame once here, and templates.
  expect(calls).toBeLessThan(230);
});
