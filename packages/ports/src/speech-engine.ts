import type { AudioFormat } from '@modelwire/schema/types';

export interface SpeechInit {
  /** One of the engine's voices. */
  readonly voice: string;
  /** One of the engine's formats. */
  readonly format: AudioFormat;
  /** Aborted when nobody listens any more: an utterance that does not come to its end gives back what it holds then. */
  readonly signal: AbortSignal;
}

/** One reply that is being spoken, sentence by sentence. */
export interface Utterance {
  /** Says some more: a sentence or so. Gives what of the encoded whole is certain by then; formats whose head says how long they are give all at the end. */
  say(text: string): Promise<Uint8Array>;
  /** The rest of the bytes, and how long all of it is. */
  end(): Promise<{ readonly bytes: Uint8Array; readonly seconds: number }>;
}

/**
 * Synthesizes speech from text. With one, the server gives text-only chat models audio output (interface: `modalities`, `audio`). The bytes
 * of an utterance, concatenated, are a complete file of the format; `pcm16` is mono, little-endian, at 24,000 samples per second.
 */
export interface SpeechEngine {
  readonly name: string;
  /** What clients may name: built-in voices by their name, others as `{ id }`. */
  readonly voices: readonly string[];
  readonly formats: readonly AudioFormat[];
  begin(init: SpeechInit): Utterance;
  close?(): Promise<void>;
}
