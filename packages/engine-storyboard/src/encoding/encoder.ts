/** Turns frames into an MP4 file, one after the other: it never holds more than one. */
export interface Encoder {
  /** Red, green, blue and alpha of each pixel; the alpha is not looked at. */
  add(pixels: Uint8Array): Promise<void>;
  /** The file, ready to be played while it loads. */
  finish(): Promise<Uint8Array>;
}

export interface Format {
  readonly width: number;
  readonly height: number;
  readonly framesPerSecond: number;
}
