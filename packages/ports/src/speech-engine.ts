import type { AudioFormat } from '@modelwire/schema/types';

export interface SpeechInit {
  /** One of the engine's voices. */
  readonly voice: string;
  /** One of the engine's formats. */
  readonly format: AudioFormat;
  /** Aborts when the speech is no longer needed. An utterance without an `end()` then frees its resources. */
  readonly signal: AbortSignal;
}

/** One reply that is synthesized sentence by sentence. */
export interface Utterance {
  /**
   * Synthesizes more text, about a sentence. Returns the encoded bytes that are final so far; formats with the length in their header
   * return all bytes at the end.
   */
  say(text: string): Promise<Uint8Array>;
  /** The remaining bytes and the total duration. */
  end(): Promise<{ readonly bytes: Uint8Array; readonly seconds: number }>;
}

/**
 * Synthesizes speech from text. With one, the server gives text-only chat models audio output (API: `modalities`, `audio`). The bytes
 * of an utterance, concatenated, are a complete file of the format; `pcm16` is mono, little-endian, at 24,000 samples per second.
 */
export interface SpeechEngine {
  readonly name: string;
  /** Voices that clients can select: built-in ones by name, others as `{ id }`. */
  readonly voices: readonly string[];
  readonly formats: readonly AudioFormat[];
  begin(init: SpeechInit): Utterance;
  close?(): Promise<void>;
}
