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

export const noBytes = new Uint8Array(0);
