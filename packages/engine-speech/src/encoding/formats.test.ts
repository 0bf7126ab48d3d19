import type { AudioFormat } from '@modelwire/schema/types';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decoded, samplesOf } from '../testing/ffmpeg.ts';
import { joined } from './encoder.ts';
import { openEncoder } from './formats.ts';
import { littleEndian } from './pcm.ts';

const sampleRate = 24_000;
/** Two seconds that rise from 200 to 1,400 Hz. */
const sweep = Int16Array.from({ length: 48_000 }, (_, at) => {
  const time = at / sampleRate;
  return Math.round(9000 * Math.sin(2 * Math.PI * (200 + 300 * time) * time));
});

async function encoded(format: AudioFormat, pieces: readonly Int16Array[]): Promise<Uint8Array> {
  const encoder = await openEncoder(format, { sampleRate, bitrate: format === 'mp3' ? 64_000 : 32_000 });
  const bytes: Uint8Array[] = [];
  for (const piece of pieces) bytes.push(await encoder.add(piece));
  return joined([...bytes, await encoder.end()]);
}

/** How alike two sounds are, at the shift where they are most: 1 is equal, 0 has nothing in common. */
function likeness(a: Int16Array, b: Int16Array, mostShift: number): number {
  const at = (shift: number): number => {
    let [ab, aa, bb] = [0, 0, 0];
    for (let index = 0; index < a.length; index += 3) {
      const [x, y] = [a[index] ?? 0, b[index + shift] ?? 0];
      ab += x * y;
      aa += x * x;
      bb += y * y;
    }
    return ab / Math.sqrt(aa * bb || 1);
  };
  return Math.max(...Array.from({ length: mostShift + 1 }, (_, shift) => at(shift)));
}

test.each([
  ['wav', 'pcm_s16le', 'wav', 24_000, 0],
  ['flac', 'flac', 'flac', 24_000, 0],
  ['opus', 'opus', 'ogg', 48_000, 0],
  ['mp3', 'mp3', 'mp3', 24_000, 2600],
] as const)(
  '%s is what ffmpeg takes for it, as long as the samples and like them',
  async (format, codec, container, rate, shift) => {
    const bytes = await encoded(format, [sweep.subarray(0, 7000), sweep.subarray(7000, 7001), sweep.subarray(7001)]);
    const { duration, samples, ...facts } = await decoded(bytes);
    expect(facts).toEqual({ codec, container, sampleRate: rate, channels: 1 });
    expect(Math.abs(duration - 2)).toBeLessThan(0.11);
    expect(likeness(sweep, samples, shift)).toBeGreaterThan(0.95);
  },
);

test('opus is as long as its samples to the sample, whatever its packets hold', async () => {
  const { samples } = await decoded(await encoded('opus', [sweep.subarray(0, 10_001)]));
  expect(samples.length).toBe(10_001);
});

test('pcm16 is the samples, low byte first', async () => {
  expect(await encoded('pcm16', [Int16Array.of(1, -2), Int16Array.of(258)])).toEqual(
    Uint8Array.of(1, 0, 254, 255, 2, 1),
  );
});

test('nothing said is a file all the same, where the format has a head', async () => {
  for (const format of ['wav', 'opus'] as const) {
    expect((await decoded(await encoded(format, []))).samples.length).toBe(0);
  }
  expect((await encoded('flac', [])).length).toBe(42);
});

test('flac gives back every sample, whatever they are', async () => {
  const sample = fc.oneof(fc.integer({ min: -32_768, max: 32_767 }), fc.integer({ min: -3, max: 3 }));
  const runs = fc.array(fc.tuple(sample, fc.integer({ min: 1, max: 900 }), fc.boolean()), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(runs, async (parts) => {
      const all = Int16Array.from(
        parts.flatMap(([value, count, noisy], part) =>
          Array.from({ length: count }, (_, at) => (noisy ? (value * (at + 1) * (part + 7)) % 32_768 : value)),
        ),
      );
      const { samples } = await decoded(await encoded('flac', [all]));
      expect(Buffer.from(littleEndian(samples)).equals(Buffer.from(littleEndian(all)))).toBe(true);
    }),
    { numRuns: 12 },
  );
});

test('flac is about half of what its samples take', async () => {
  expect((await encoded('flac', [sweep])).length).toBeLessThan(sweep.length * 1.4);
});

test('bytes of samples are read back as they were written', () => {
  expect(samplesOf(littleEndian(Int16Array.of(5, -5)))).toEqual(Int16Array.of(5, -5));
});
