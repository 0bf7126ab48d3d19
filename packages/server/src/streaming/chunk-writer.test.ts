import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeChunk, writeUsage } from './chunk-writer.ts';
import type { ChunkOptions } from './chunk-writer.ts';

const metadata = { id: 'chatcmpl-1', created: 1, model: 'möbius', service_tier: 'default' } as const;
const padded = { obfuscate: true, includeUsage: false, topLogprobs: undefined };

function sinkOf() {
  let text = '';
  return {
    sink: { write: (...pieces: readonly string[]) => void (text += pieces.join('')) },
    data: () =>
      text
        .split('\n\n')
        .filter(Boolean)
        .map((event) => event.slice('data: '.length)),
  };
}

/** The data of the event of each delta on the wire. */
function written(deltas: readonly object[], options: Partial<ChunkOptions> = {}, fields: object = {}): string[] {
  const { sink, data } = sinkOf();
  for (const delta of deltas) {
    const choice = { index: 0, delta, logprobs: null, finish_reason: null };
    writeChunk(sink, { ...fields }, metadata, [choice], { ...padded, ...options });
  }
  return data();
}

const bytes = (text: string) => new TextEncoder().encode(text).length;

test('deltas of up to 64 bytes, empty ones included, are equally long on the wire', () => {
  const texts = ['', 'a', '日本語', '"\n"', 'x'.repeat(64)].map((content) => ({ content }));
  const events = written([...texts, {}], { includeUsage: true }, { system_fingerprint: 'fp' });
  expect(events).toHaveLength(6);
  expect(new Set(events.map(bytes)).size).toBe(1);
});

test('longer deltas have sizes in steps of 64 bytes', () => {
  const size = (length: number) => bytes(written([{ content: 'x'.repeat(length) }])[0] ?? '');
  expect(size(65)).toBe(size(1) + 64);
  expect(size(65)).toBe(size(128));
});

test('events stay valid JSON with the same text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const [event = ''] = written([{ content: text }]);
      const chunk = JSON.parse(event) as { choices: [{ delta: unknown }]; obfuscation: string };
      expect(chunk.choices[0].delta).toEqual({ content: text });
      expect(chunk.obfuscation).toMatch(/^[A-Za-z0-9]*$/);
    }),
  );
});

test('without obfuscation there is no such field', () => {
  expect(written([{ content: 'a' }, {}], { obfuscate: false }).join()).not.toContain('obfuscation');
});

test('the fields of the server replace those of an upstream, whose other fields and tier are kept', () => {
  const [event = ''] = written([{}], {}, { id: 'theirs', model: 'inner', service_tier: 'flex', timings: { ms: 4 } });
  expect(JSON.parse(event)).toMatchObject({ ...metadata, service_tier: 'flex', timings: { ms: 4 } });
});

test('the chunk with the usage has no choices', () => {
  const { sink, data } = sinkOf();
  const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
  writeUsage(sink, {}, metadata, usage);
  expect(JSON.parse(data()[0] ?? '')).toEqual({ ...metadata, object: 'chat.completion.chunk', choices: [], usage });
});
