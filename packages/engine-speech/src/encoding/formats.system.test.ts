import { expect, test } from 'vitest';
import { decodeWithFfmpeg } from '../testing/ffmpeg.ts';
import { correlation, encode, sweep, sweepPieces } from '../testing/sweep.ts';

test.each([
  ['wav', 'pcm_s16le', 'wav', 24_000, 0],
  ['flac', 'flac', 'flac', 24_000, 0],
  ['opus', 'opus', 'ogg', 48_000, 0],
  ['mp3', 'mp3', 'mp3', 24_000, 2600],
] as const)(
  'ffmpeg decodes %s without a warning to the samples that were encoded',
  async (format, codec, container, rate, shift) => {
    const { duration, samples, ...facts } = await decodeWithFfmpeg(await encode(format, sweepPieces));
    expect(facts).toEqual({ codec, container, sampleRate: rate, channels: 1 });
    expect(Math.abs(duration - 2)).toBeLessThan(0.11);
    expect(correlation(sweep, samples, shift)).toBeGreaterThan(0.95);
  },
);

test('ffmpeg decodes opus to exactly as many samples as were encoded', async () => {
  const { samples } = await decodeWithFfmpeg(await encode('opus', [sweep.subarray(0, 10_001)]));
  expect(samples.length).toBe(10_001);
});

test('ffmpeg accepts wav and opus files without samples', async () => {
  for (const format of ['wav', 'opus'] as const) {
    expect((await decodeWithFfmpeg(await encode(format, []))).samples.length).toBe(0);
  }
});
