import { decodeAudio, samplesOf } from '@modelwire/vitest/audio';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { testEncodings } from '../testing/encodings.ts';
import { encode, sweep } from '../testing/sweep.ts';
import { littleEndian } from './pcm.ts';

testEncodings('a decoder in JavaScript', decodeAudio, [
  ['wav', 'pcm-s16', 'WAVE'],
  ['flac', 'flac', 'FLAC'],
  ['opus', 'opus', 'Ogg'],
  ['mp3', 'mp3', 'MP3'],
]);

test('pcm16 is the samples, low byte first', async () => {
  expect(await encode('pcm16', [Int16Array.of(1, -2), Int16Array.of(258)])).toEqual(
    Uint8Array.of(1, 0, 254, 255, 2, 1),
  );
});

test('writes a flac file of one sample when there are no samples', async () => {
  const bytes = await encode('flac', []);
  expect(new TextDecoder().decode(bytes.subarray(0, 4))).toBe('fLaC');
  // STREAMINFO (RFC 9639, section 8.2): the total number of samples.
  expect(new DataView(bytes.buffer).getUint32(22)).toBe(1);
});

test('flac decodes to the same samples, for any samples', async () => {
  const sample = fc.oneof(fc.integer({ min: -32_768, max: 32_767 }), fc.integer({ min: -3, max: 3 }));
  const runs = fc.array(fc.tuple(sample, fc.integer({ min: 1, max: 900 }), fc.boolean()), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(runs, async (parts) => {
      const all = Int16Array.from(
        parts.flatMap(([value, count, noisy], part) =>
          Array.from({ length: count }, (_, at) => (noisy ? (value * (at + 1) * (part + 7)) % 32_768 : value)),
        ),
      );
      const { samples } = await decodeAudio(await encode('flac', [all]));
      expect(Buffer.from(littleEndian(samples)).equals(Buffer.from(littleEndian(all)))).toBe(true);
    }),
    { numRuns: 12, examples: [[[[-1, 505, false]]]] },
  );
});

test('flac is about half of what its samples take', async () => {
  expect((await encode('flac', [sweep])).length).toBeLessThan(sweep.length * 1.4);
});

test('bytes of samples are read back as they were written', () => {
  expect(samplesOf(littleEndian(Int16Array.of(5, -5)))).toEqual(Int16Array.of(5, -5));
});
