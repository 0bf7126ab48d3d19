import type { DecodedAudio } from '@modelwire/vitest/audio';
import { expect, test } from 'vitest';
import type { EncoderFormat } from '../encoding/formats.ts';
import { encode, expectSweep, sweep, sweepPieces } from './sweep.ts';

/** A format with the names that a decoder has for its codec and container. */
type EncodedFormat = readonly [format: EncoderFormat, codec: string, container: string];

/** Tests that a decoder reads what was encoded. */
export function testEncodings(
  decoder: string,
  decode: (bytes: Uint8Array) => Promise<DecodedAudio>,
  formats: readonly EncodedFormat[],
): void {
  test.each(formats)(`${decoder} decodes %s to the samples that were encoded`, async (format, codec, container) => {
    const decoded = await decode(await encode(format, sweepPieces));
    expect(decoded).toMatchObject({ codec, container });
    expectSweep(decoded, format);
  });

  test(`${decoder} decodes opus to exactly as many samples as were encoded, regardless of the packet size`, async () => {
    const { samples } = await decode(await encode('opus', [sweep.subarray(0, 10_001)]));
    expect(samples.length).toBe(10_001);
  });

  test.each(['wav', 'opus'] as const)(`${decoder} accepts a %s file without samples`, async (format) => {
    expect((await decode(await encode(format, []))).samples.length).toBe(0);
  });
}
