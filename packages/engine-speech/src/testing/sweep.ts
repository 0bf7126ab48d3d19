import { concatBytes } from '@modelwire/adapter-kit/internal';

import type { DecodedAudio } from '@modelwire/vitest/audio';
import { expect } from 'vitest';
import { openEncoder } from '../encoding/formats.ts';
import type { EncoderFormat } from '../encoding/formats.ts';

const sampleRate = 24_000;

/** Two seconds that rise from 200 to 1,400 Hz. */
export const sweep = Int16Array.from({ length: 48_000 }, (_, at) => {
  const time = at / sampleRate;
  return Math.round(9000 * Math.sin(2 * Math.PI * (200 + 300 * time) * time));
});

/** The sweep in three pieces: an encoder must not depend on where its input is divided. */
export const sweepPieces = [sweep.subarray(0, 7000), sweep.subarray(7000, 7001), sweep.subarray(7001)];

/** Encodes the pieces as one file. */
export async function encode(format: EncoderFormat, pieces: readonly Int16Array[]): Promise<Uint8Array> {
  const encoder = await openEncoder(format, { sampleRate, bitrate: format === 'mp3' ? 64_000 : 32_000 });
  const bytes: Uint8Array[] = [];
  for (const piece of pieces) bytes.push(await encoder.add(piece));
  return concatBytes([...bytes, await encoder.end()]);
}

/** Expects one channel with the samples of the sweep, at the sample rate of the format. */
export function expectSweep(
  { sampleRate: rate, channels, duration, samples }: DecodedAudio,
  format: EncoderFormat,
): void {
  expect({ rate, channels }).toEqual({ rate: format === 'opus' ? 48_000 : sampleRate, channels: 1 });
  expect(Math.abs(duration - 2)).toBeLessThan(0.11);
  // MP3 adds a delay.
  expect(correlation(sweep, samples, format === 'mp3' ? 2600 : 0)).toBeGreaterThan(0.95);
}

/** The correlation of two signals at the shift where it is greatest: 1 for equal ones, 0 for unrelated ones. */
function correlation(a: Int16Array, b: Int16Array, maxShift: number): number {
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
  return Math.max(...Array.from({ length: maxShift + 1 }, (_, shift) => at(shift)));
}
