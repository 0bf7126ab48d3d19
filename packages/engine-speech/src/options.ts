import type { EncoderFormat } from './encoding/formats.ts';
import { builtInVoices } from './voices.ts';
import type { VoicePreset } from './voices.ts';

/** What `createSpeech` takes. */
export interface SpeechOptions {
  /** Voices of your own by ID, for `audio.voice: { id }`; one with the name of a built-in voice takes its place. */
  readonly voices?: Readonly<Record<string, Partial<VoicePreset>>>;
  /** What `mp3` and `opus` take, in kilobits per second. Default 64 and 32. */
  readonly bitrates?: { readonly mp3?: number; readonly opus?: number };
  /** Sentences that may wait for the thread; further ones get a 503. Default 256. */
  readonly queueLength?: number;
  /** Milliseconds a sentence may take before the thread is given up. Default 30,000. */
  readonly timeoutMs?: number;
}

/** Options with nothing left open. */
export interface FullOptions {
  readonly voices: ReadonlyMap<string, VoicePreset>;
  /** Bits per second. */
  readonly bitrates: Readonly<Record<'mp3' | 'opus', number>>;
  readonly queueLength: number;
  readonly timeoutMs: number;
}

/** All that can be written where every optional package is installed. */
export const allFormats: readonly EncoderFormat[] = ['wav', 'mp3', 'flac', 'opus', 'pcm16'];

const neutral: VoicePreset = { speaker: 'slt', pitch: 190, pace: 1, size: 1 };
const mp3Rates: readonly number[] = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160];

/** Validates the options and applies the defaults. @throws TypeError that names the invalid option. */
export function fullOptions(options: SpeechOptions): FullOptions {
  const { voices = {}, bitrates = {}, queueLength = 256, timeoutMs = 30_000 } = options;
  const { mp3 = 64, opus = 32 } = bitrates;
  const all = new Map<string, VoicePreset>(Object.entries(builtInVoices));
  for (const [id, own] of Object.entries(voices)) {
    all.set(id, checkedVoice(`voices['${id}']`, { ...(all.get(id) ?? neutral), ...own }));
  }
  check(mp3Rates.includes(mp3), `bitrates.mp3 must be one of ${mp3Rates.join(', ')}`);
  check(inRange(opus, 6, 256), 'bitrates.opus must be from 6 to 256');
  check(Number.isSafeInteger(queueLength) && queueLength >= 1, 'queueLength must be an integer of at least 1');
  check(Number.isSafeInteger(timeoutMs) && timeoutMs >= 1, 'timeoutMs must be an integer of at least 1');
  return Object.freeze({
    voices: all,
    bitrates: { mp3: mp3 * 1000, opus: opus * 1000 },
    queueLength,
    timeoutMs,
  });
}

function checkedVoice(at: string, voice: VoicePreset): VoicePreset {
  check(['slt', 'rms', 'awb', 'kal16'].includes(voice.speaker), `${at}.speaker must be slt, rms, awb or kal16`);
  check(inRange(voice.pitch, 50, 400), `${at}.pitch must be from 50 to 400`);
  check(inRange(voice.pace, 0.5, 2), `${at}.pace must be from 0.5 to 2`);
  check(inRange(voice.size, 0.75, 1.35), `${at}.size must be from 0.75 to 1.35`);
  return Object.freeze(voice);
}

function inRange(value: number, least: number, most: number): boolean {
  return typeof value === 'number' && value >= least && value <= most;
}

function check(holds: boolean, message: string): void {
  if (!holds) throw new TypeError(`createSpeech: ${message}`);
}
