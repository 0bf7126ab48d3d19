import fc from 'fast-check';
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny';
import { expect, test } from 'vitest';
import { boxes, readTrack, writeMp4 } from './mp4.ts';
import type { Track } from './mp4.ts';

const unit = (type: number, length: number) => {
  const bytes = new Uint8Array(4 + length).fill(7);
  new DataView(bytes.buffer).setUint32(0, length);
  bytes[4] = type;
  return bytes;
};
const track: Track = {
  setup: Uint8Array.of(1, 66, 0, 31, 255, 225, 0, 4, 103, 66, 0, 31, 1, 0, 4, 104, 206, 11, 200),
  samples: [unit(5, 40), unit(1, 9), unit(1, 11), unit(5, 33)],
  keys: [0, 3],
};
const format = { width: 144, height: 256, framesPerSecond: 24 };

test('a written file has its index before its frames, and no date', () => {
  const file = writeMp4(track, format);
  expect([...boxes(file)].map(({ type }) => type)).toEqual(['ftyp', 'moov', 'mdat']);
  expect(writeMp4(track, format)).toEqual(file);
});

test('a written file is read back as it was', () => {
  const read = readTrack(writeMp4(track, format));
  expect(read).toEqual(track);
});

test('another reader finds every frame, its time, and which stand alone', async () => {
  const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(writeMp4(track, format)) });
  const video = await input.getPrimaryVideoTrack();
  const packets = await Array.fromAsync(new EncodedPacketSink(video!).packets());
  expect(packets.map(({ data }) => data)).toEqual(track.samples);
  expect(packets.map(({ timestamp }) => Math.round(timestamp * 24))).toEqual([0, 1, 2, 3]);
  expect(packets.map(({ type }) => type)).toEqual(['key', 'delta', 'delta', 'key']);
  expect(await video!.computeDuration()).toBeCloseTo(4 / 24, 5);
});

test('a file that is cut off or damaged ends in an error or in boxes, and never hangs', () => {
  const file = writeMp4(track, format);
  fc.assert(
    fc.property(fc.nat(file.length - 1), fc.nat(255), fc.nat(file.length), (at, byte, length) => {
      const damaged = file.slice(0, length);
      if (at < length) damaged[at] = byte;
      try {
        expect(readTrack(damaged).samples.length).toBeLessThan(file.length);
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
      }
    }),
  );
});
