import { expect, test } from 'vitest';
import { decodeWithFfmpeg } from '../testing/ffmpeg.ts';
import { encode, expectSweep, sweep, sweepPieces } from '../testing/sweep.ts';

test.each([
  ['wav', 'pcm_s16le', 'wav'],
  ['flac', 'flac', 'flac'],
  ['opus', 'opus', 'ogg'],
  ['mp3', 'mp3', 'mp3'],
] as const)(
  'ffmpeg decodes %s without a warning to the samples that were encoded',
  async (format, codec, container) => {
    const decoded = await decodeWithFfmpeg(await encode(format, sweepPieces));
    expect(decoded).toMatchObject({ codec, container });
    expectSweep(decoded, format);
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
