import { collect } from '@modelwire/core/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readJsonLines } from './index.ts';

/** A stream of the bytes, split at these positions. */
function splitStream(bytes: Uint8Array, positions: readonly number[]): ReadableStream<Uint8Array> {
  const ends = [...positions.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      const end = ends.shift();
      if (end === undefined) controller.close();
      else controller.enqueue(bytes.subarray(at, (at = end)));
    },
  });
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('readJsonLines()', () => {
  test('yields every value, wherever the bytes are split', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 8 }),
        fc.array(fc.nat(), { maxLength: 12 }),
        fc.constantFrom('\n', '\r\n', '\n\n'),
        fc.boolean(),
        async (values, positions, end, last) => {
          const text = values.map((value) => JSON.stringify(value)).join(end) + (last ? end : '');
          const read = await collect(readJsonLines(splitStream(utf8(text), positions)));
          expect(JSON.stringify(read)).toBe(JSON.stringify(values));
        },
      ),
    );
  });

  test('yields every value when bytes arrive one by one, also of four-byte characters', async () => {
    const bytes = utf8('\ufeff{"a":"🚣 é"}\r\n\n  \n[1]');
    expect(await collect(readJsonLines(splitStream(bytes, [...bytes.keys()])))).toEqual([{ a: '🚣 é' }, [1]]);
  });

  test('yields a value as soon as its line is complete, and cancels the stream when the loop is left', async () => {
    let cancelled = false;
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(utf8('1\n2')),
      cancel: () => void (cancelled = true),
    });
    for await (const value of readJsonLines(stream)) {
      expect(value).toBe(1);
      break;
    }
    expect(cancelled).toBe(true);
  });

  test('reports the number of a line that is not JSON', async () => {
    const seen: unknown[] = [];
    const read = async (): Promise<void> => {
      for await (const value of readJsonLines(splitStream(utf8('1\n\n{oops\n4'), [3]))) seen.push(value);
    };
    await expect(read()).rejects.toMatchObject({ name: 'DecodeError', message: 'Line 3 is not JSON.', body: '{oops' });
    expect(seen).toEqual([1]);
  });

  test('rejects a line above the limit before it is complete', async () => {
    const endless = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(new Uint8Array(100)) });
    await expect(collect(readJsonLines(endless, 1000))).rejects.toThrow('Line 1 is longer than 1000 bytes.');
    expect(await collect(readJsonLines(splitStream(utf8('"abc"\n"abcd"'), []), 6))).toEqual(['abc', 'abcd']);
  });

  test('takes linear time for a line in many chunks', async () => {
    const text = JSON.stringify('x'.repeat(300_000));
    const bytes = utf8(text);
    expect(
      await collect(
        readJsonLines(
          splitStream(
            bytes,
            Array.from({ length: 30_000 }, (_, index) => index * 10),
          ),
        ),
      ),
    ).toHaveLength(1);
  });
});
