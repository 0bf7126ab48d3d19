import fc from 'fast-check';
import { expect, test } from 'vitest';
import { silentMp3, silentWav } from '@modelwire/ports/testing';
import { readAudioMetadata } from './audio-metadata.ts';

test('the duration of a WAV file is that of its samples', () => {
  expect(readAudioMetadata(silentWav(2.5))).toEqual({ format: 'wav', seconds: 2.5, sampleRate: 8000, channels: 1 });
});

test('takes the duration of a streamed WAV file from its actual length', () => {
  const bytes = silentWav(1);
  bytes.writeUInt32LE(0xffffffff, 40);
  expect(readAudioMetadata(bytes)?.seconds).toBe(1);
});

test('skips other chunks of a WAV file and their padding byte', () => {
  const wav = silentWav(1);
  const list = Buffer.from('LIST\x03\0\0\0abc\0');
  expect(readAudioMetadata(Buffer.concat([wav.subarray(0, 36), list, wav.subarray(36)]))?.seconds).toBe(1);
});

test('the duration of an MP3 file is that of its frames, whatever the tags', () => {
  const frames = silentMp3(50);
  const expected = { format: 'mp3', seconds: expect.closeTo(1.2, 6) as number, sampleRate: 24_000, channels: 1 };
  expect(readAudioMetadata(frames)).toEqual(expected);
  const front = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\x01\x02'), Buffer.alloc(130)]);
  const behind = Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125)]);
  expect(readAudioMetadata(Buffer.concat([front, Buffer.alloc(20), frames, behind]))).toEqual(expected);
});

test.each([
  ['nothing', Buffer.alloc(0)],
  ['a text', Buffer.from('RIFF or not')],
  ['a WAV file without samples', silentWav(0)],
  ['a WAV file without a format', Buffer.from('RIFF\0\0\0\0WAVEdata\x02\0\0\0ab')],
  ['a WAV file without a sample rate', ((wav) => (wav.fill(0, 20, 36), wav))(silentWav(1))],
  ['a frame header followed by other data', Buffer.concat([silentMp3(1), Buffer.from('no frame at all')])],
  ['a tag alone', Buffer.from('ID3\x04\0\0\x7f\x7f\x7f\x7f')],
  ['another kind of file', Buffer.from('OggS'.padEnd(100, '\0'))],
])('%s is not audio', (_what, bytes) => {
  expect(readAudioMetadata(bytes)).toBeUndefined();
});

test('returns a plausible duration or undefined for any bytes', () => {
  const heads = fc.constantFrom<Buffer>(silentWav(0.01), silentMp3(3), Buffer.from('ID3'), Buffer.alloc(0));
  fc.assert(
    fc.property(heads, fc.uint8Array({ maxLength: 300 }), fc.nat(60), (head, tail, cut) => {
      const metadata = readAudioMetadata(Buffer.concat([head.subarray(0, head.length - cut), tail]));
      expect(metadata === undefined || (metadata.seconds > 0 && Number.isFinite(metadata.seconds))).toBe(true);
    }),
  );
});
