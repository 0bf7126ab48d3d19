import { concatBytes } from '@modelwire/adapter-kit/internal';
import { noBytes } from './encoder.ts';
import type { Encoder, EncoderInit } from './encoder.ts';

/** The samples themselves, low byte first (API: `audio.format`, `pcm16`). */
export function pcm16Encoder(): Encoder {
  return { add: littleEndian, end: () => noBytes };
}

/** One RIFF chunk of format and one of samples. Its head says how long it is, so all of it comes at the end. */
export function wavEncoder({ sampleRate }: EncoderInit): Encoder {
  const pieces: Uint8Array[] = [];
  return {
    add(samples) {
      pieces.push(littleEndian(samples));
      return noBytes;
    },
    end() {
      const bytes = pieces.reduce((sum, { length }) => sum + length, 0);
      return concatBytes([header(bytes, sampleRate), ...pieces]);
    },
  };
}

export function littleEndian(samples: Int16Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(samples.length * 2);
  const view = new DataView(bytes.buffer);
  for (const [index, sample] of samples.entries()) view.setInt16(index * 2, sample, true);
  return bytes;
}

function header(bytes: number, sampleRate: number): Uint8Array {
  const head = new Uint8Array(44);
  const view = new DataView(head.buffer);
  const text = (at: number, word: string): void => head.set(new TextEncoder().encode(word), at);
  text(0, 'RIFF');
  view.setUint32(4, 36 + bytes, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  text(36, 'data');
  view.setUint32(40, bytes, true);
  return head;
}
