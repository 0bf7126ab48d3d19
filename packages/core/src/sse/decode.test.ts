import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StreamError } from '../errors.ts';
import { createSseDecoder, readSse } from './decode.ts';
import type { SseEvent } from './decode.ts';

const utf8 = new TextEncoder();

function decode(chunks: readonly Uint8Array[]): SseEvent[] {
  const events: SseEvent[] = [];
  const decoder = createSseDecoder({ onEvent: (event) => events.push(event) });
  for (const chunk of chunks) decoder.push(chunk);
  return events;
}

function split(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let at = 0;
  for (const size of sizes) chunks.push(bytes.subarray(at, (at += size)));
  return [...chunks, bytes.subarray(at)];
}

const fragment = fc.oneof(
  fc.constantFrom(
    'data',
    'data:',
    'data: ',
    'event: ',
    'id: ',
    'retry: 1',
    ':',
    ' ',
    '\n',
    '\r',
    '\r\n',
    '\n\n',
    '\r\n\r\n',
  ),
  fc.constantFrom('\uFEFF', 'é', '漢', '😀', '\u2028', '{"a":1}', '[DONE]', '\0'),
  fc.string({ maxLength: 5 }),
);
const stream = fc.oneof(
  fc.array(fragment, { maxLength: 40 }).map((parts) => utf8.encode(parts.join(''))),
  fc.uint8Array({ maxLength: 60 }),
);

test('yields the same events for any split of any stream, also inside characters and line ends', () => {
  fc.assert(
    fc.property(stream, fc.array(fc.nat(7), { maxLength: 60 }), (bytes, sizes) => {
      expect(decode(split(bytes, sizes))).toEqual(decode([bytes]));
    }),
    { numRuns: 2000 },
  );
});

test('decodes characters that are split between the blocks of a long line', () => {
  const long = '漢😀é'.repeat(9000);
  const bytes = utf8.encode(`data: ${long}\n\n`);
  for (const size of [1021, 16_383, 16_385, 40_001]) {
    const chunks = split(bytes, Array<number>(Math.floor(bytes.length / size)).fill(size));
    expect(decode(chunks).map(({ data }) => data === long)).toEqual([true]);
  }
});

test('yields an event at its blank line, even if an LF may still follow a CR', () => {
  const events: string[] = [];
  const decoder = createSseDecoder({ onEvent: ({ data }) => events.push(data) });
  decoder.push(utf8.encode('data: a\r\n\r'));
  expect(events).toEqual(['a']);
  decoder.push(utf8.encode(''));
  decoder.push(utf8.encode('\ndata: b\n\n'));
  expect(events).toEqual(['a', 'b']);
});

test('does not retain a chunk: its source may reuse the memory', () => {
  const events: string[] = [];
  const decoder = createSseDecoder({ onEvent: ({ data }) => events.push(data) });
  const chunk = utf8.encode('data: abc');
  decoder.push(chunk);
  chunk.fill(0);
  decoder.push(utf8.encode('\n\n'));
  expect(events).toEqual(['abc']);
});

test('reports retry fields of digits only', () => {
  const waits: number[] = [];
  const decoder = createSseDecoder({ onEvent: () => undefined, onRetry: (ms) => waits.push(ms) });
  decoder.push(utf8.encode('retry: 1500\nretry: 1s\nretry: -1\nretry:\nretry: 0\n'));
  expect(waits).toEqual([1500, 0]);
});

test('reports the fields that the standard does not define', () => {
  const fields: string[] = [];
  const decoder = createSseDecoder({
    onEvent: () => undefined,
    onUnknownField: (name, value) => void fields.push(name, value),
  });
  decoder.push(utf8.encode('error: {"a":1}\nretry: 1s\nid: 1\ndata: x\n: comment\nalone\n\n'));
  expect(fields).toEqual(['error', '{"a":1}', 'alone', '']);
});

describe('the size limit', () => {
  const endless = {
    'a line that does not end': () => 'x'.repeat(100),
    'a data line that does not end': (n: number) => (n === 0 ? 'data: ' : 'x'.repeat(100)),
    'a comment that does not end': () => ':'.repeat(100),
    'data lines without end': () => `data: ${'x'.repeat(100)}\n`,
    'empty data lines without end': () => 'data\n'.repeat(100),
  };

  test.each(Object.entries(endless))('rejects %s with a typed error', (_, chunk) => {
    const decoder = createSseDecoder({ onEvent: () => expect.unreachable(), maxEventBytes: 1000 });
    const feed = (): void => {
      for (let n = 0; n < 20; n++) decoder.push(utf8.encode(chunk(n)));
    };
    expect(feed).toThrow(StreamError);
    expect(feed).toThrow(expect.objectContaining({ reason: 'too_large' }));
  });

  test('counts one event, not the stream', () => {
    let count = 0;
    const decoder = createSseDecoder({ onEvent: () => count++, maxEventBytes: 20 });
    for (let n = 0; n < 100; n++) decoder.push(utf8.encode(`data: ${'x'.repeat(10)}\n\n`));
    decoder.push(utf8.encode(`data: ${'x'.repeat(10)}\n\n`.repeat(100)));
    expect(count).toBe(200);
  });
});

describe('readSse', () => {
  function bodyOf(chunks: string[], onCancel?: () => void): ReadableStream<Uint8Array> {
    return new ReadableStream({
      pull(controller) {
        const chunk = chunks.shift();
        if (chunk === undefined) controller.close();
        else controller.enqueue(utf8.encode(chunk));
      },
      cancel: onCancel,
    });
  }

  test('yields the events of each read together', async () => {
    const batches: string[][] = [];
    for await (const batch of readSse(bodyOf(['data: a\n\ndata: b\n\nda', 'ta: c', '\n\n', 'data: lost']))) {
      batches.push(batch.map(({ data }) => data));
    }
    expect(batches).toEqual([['a', 'b'], ['c']]);
  });

  test('cancels the body when the loop is left', async () => {
    let cancelled = false;
    const body = bodyOf(['data: a\n\n', 'data: b\n\n', 'data: c\n\n'], () => (cancelled = true));
    for await (const batch of readSse(body)) {
      expect(batch).toHaveLength(1);
      break;
    }
    expect(cancelled).toBe(true);
  });

  test('yields the events before one that is too large, then throws', async () => {
    const seen: string[] = [];
    const reading = async (): Promise<void> => {
      for await (const batch of readSse(bodyOf([`data: a\n\ndata: ${'x'.repeat(50)}\n\n`]), { maxEventBytes: 20 })) {
        seen.push(...batch.map(({ data }) => data));
      }
    };
    await expect(reading()).rejects.toMatchObject({ name: 'StreamError', reason: 'too_large' });
    expect(seen).toEqual(['a']);
  });

  test('throws what a failed body throws', async () => {
    const broken = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error('reset')) });
    await expect(readSse(broken).next()).rejects.toThrow('reset');
  });
});
