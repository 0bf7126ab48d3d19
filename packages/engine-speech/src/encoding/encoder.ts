/** Writes mono samples of 16 bits in one format, as they come. */
export interface Encoder {
  /** Bytes that are certain by now. */
  add(samples: Int16Array): Uint8Array | Promise<Uint8Array>;
  /** All others. */
  end(): Uint8Array | Promise<Uint8Array>;
}

export interface EncoderInit {
  /** Samples per second. */
  readonly sampleRate: number;
  /** Bits per second, where the format has a choice. */
  readonly bitrate: number;
}

export function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

export const nothing = new Uint8Array(0);
