import type { InputAudioFormat } from '@modelwire/schema/types';

/** Properties of an audio file. */
export interface AudioMetadata {
  readonly format: InputAudioFormat;
  readonly seconds: number;
  /** Samples per second. */
  readonly sampleRate: number;
  readonly channels: number;
}

/** Reads the properties of a WAV or MP3 file from its headers, without decoding it. Undefined for other formats and for files without audio. */
export function readAudioMetadata(bytes: Uint8Array): AudioMetadata | undefined {
  const facts = wav(bytes) ?? mp3(bytes);
  return facts && facts.seconds > 0 ? facts : undefined;
}

function wav(bytes: Uint8Array): AudioMetadata | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 12 || view.getUint32(0) !== 0x52494646 || view.getUint32(8) !== 0x57415645) return undefined;
  let format: { readonly channels: number; readonly sampleRate: number; readonly bytesPerSecond: number } | undefined;
  for (let at = 12; at + 8 <= bytes.length;) {
    const name = view.getUint32(at);
    const size = view.getUint32(at + 4, true);
    const start = at + 8;
    if (name === 0x666d7420 && size >= 16 && start + 16 <= bytes.length) {
      format = {
        channels: view.getUint16(start + 2, true),
        sampleRate: view.getUint32(start + 4, true),
        bytesPerSecond: view.getUint32(start + 8, true),
      };
    }
    if (name === 0x64617461) {
      if (!format || format.bytesPerSecond === 0 || format.channels === 0 || format.sampleRate === 0) return undefined;
      // A file that was streamed declares a greater length than it has.
      const length = Math.min(size, bytes.length - start);
      const { channels, sampleRate, bytesPerSecond } = format;
      return { format: 'wav', seconds: length / bytesPerSecond, sampleRate, channels };
    }
    at = start + size + (size % 2);
  }
  return undefined;
}

// MPEG 1, 2 and 2.5 (ISO 11172-3, 13818-3): kilobits and samples per second by their index in the header.
const bitrates1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const bitrates2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const sampleRates = [44_100, 48_000, 32_000];

interface Frame {
  readonly bytes: number;
  readonly samples: number;
  readonly sampleRate: number;
  readonly channels: number;
}

/** Parses the frame of layer III that starts at this position. */
function frameAt(bytes: Uint8Array, at: number): Frame | undefined {
  const [first = 0, second = 0, third = 0, fourth = 0] = bytes.subarray(at, at + 4);
  if (first !== 0xff || (second & 0xe0) !== 0xe0 || (second & 0x06) !== 0x02) return undefined;
  const version = (second >> 3) & 3;
  if (version === 1) return undefined;
  const isFirst = version === 3;
  const kilobits = (isFirst ? bitrates1 : bitrates2)[third >> 4] ?? 0;
  const base = sampleRates[(third >> 2) & 3];
  if (kilobits === 0 || base === undefined) return undefined;
  const sampleRate = isFirst ? base : version === 2 ? base / 2 : base / 4;
  const samples = isFirst ? 1152 : 576;
  const length = Math.floor((samples * kilobits * 125) / sampleRate) + ((third >> 1) & 1);
  return { bytes: length, samples, sampleRate, channels: fourth >> 6 === 3 ? 1 : 2 };
}

/** Consecutive frames: at least two, unless the file has only one. */
function mp3(bytes: Uint8Array): AudioMetadata | undefined {
  let at = afterTags(bytes);
  const first = frameAt(bytes, at);
  if (!first) return undefined;
  let seconds = 0;
  let frames = 0;
  while (at + 4 <= bytes.length) {
    const frame = frameAt(bytes, at);
    // The last frame is followed by another kind of tag.
    if (!frame || at + frame.bytes > bytes.length) break;
    seconds += frame.samples / frame.sampleRate;
    frames++;
    at += frame.bytes;
  }
  if (frames < 2 && at < bytes.length) return undefined;
  return { format: 'mp3', seconds, sampleRate: first.sampleRate, channels: first.channels };
}

/** The end of a leading ID3v2 tag. Its length has seven bits in each of four bytes. */
function afterTags(bytes: Uint8Array): number {
  let at = 0;
  while (bytes[at] === 0x49 && bytes[at + 1] === 0x44 && bytes[at + 2] === 0x33) {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(at + 6, at + 10);
    const footer = ((bytes[at + 5] ?? 0) & 0x10) === 0 ? 0 : 10;
    at += 10 + ((a << 21) | (b << 14) | (c << 7) | d) + footer;
  }
  // Some encoders write zeros between the tag and the first frame.
  for (let zeros = 0; zeros < 4096 && bytes[at] === 0; zeros++) at++;
  return at;
}
