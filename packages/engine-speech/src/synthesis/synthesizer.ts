import { readFileSync } from 'node:fs';
import { File, OpenFile, PreopenDirectory, WASI } from '@bjorn3/browser_wasi_shim';
import type { VoicePreset } from '../voices.ts';
import { programPath, sampleRate } from './program.ts';
import { resample } from './resample.ts';
import { toSpeakableText } from './speakable.ts';
import { compile, instantiate } from './wasm.ts';
import type { WasiModule } from './wasm.ts';

/** Seconds of silence after each sentence. */
const pause = 0.15;
/** Bytes of the header before the samples that the synthesiser writes. */
const headerBytes = 44;

/** Synthesizes a text as mono samples at `sampleRate`. */
export type Synthesizer = (text: string, voice: VoicePreset) => Int16Array<ArrayBuffer>;

/** Reads and compiles the program: 30 ms. */
export function openSynthesizer(): Synthesizer {
  const program = compile(readFileSync(programPath()));
  return (text, { speaker, pitch, pace, size }) => {
    const said = toSpeakableText(text);
    const silence = Math.round(pause * sampleRate);
    if (said === '') return new Int16Array(silence);
    // Faster playback makes the head smaller and the pitch higher: the requested pitch and pace compensate for both.
    const set = [`int_f0_target_mean=${(pitch / size).toFixed(1)}`, `duration_stretch=${(pace * size).toFixed(3)}`];
    const options = set.flatMap((one) => ['--setf', one]);
    const written = runFlite(program, ['-voice', speaker, ...options, '-t', said]);
    if (written.length <= headerBytes) throw new Error('The synthesizer wrote no audio.');
    const { samples, rate } = readSamples(written);
    const speech = resample(samples, rate * size, sampleRate);
    const all = new Int16Array(speech.length + silence);
    all.set(speech);
    return all;
  };
}

/** Runs the program with files in memory, so that it cannot reach the machine, and returns the WAV file that it writes. */
function runFlite(program: WasiModule, args: readonly string[]): Uint8Array {
  const audio = new File([]);
  const standardStreams = Array.from({ length: 3 }, () => new OpenFile(new File([])));
  const root = new PreopenDirectory('/', new Map([['speech.wav', audio]]));
  const wasi = new WASI(['flite', ...args, '-o', '/speech.wav'], [], [...standardStreams, root], { debug: false });
  wasi.start(instantiate(program, { wasi_snapshot_preview1: wasi.wasiImport }));
  return audio.data;
}

/** What the synthesiser writes: one header of fixed size, then samples of 16 bits to the end. */
function readSamples(wav: Uint8Array): { readonly samples: Int16Array; readonly rate: number } {
  const view = new DataView(wav.buffer, wav.byteOffset, wav.byteLength);
  const samples = new Int16Array(Math.floor((wav.length - headerBytes) / 2));
  for (let index = 0; index < samples.length; index++) samples[index] = view.getInt16(headerBytes + 2 * index, true);
  return { samples, rate: view.getUint32(24, true) };
}
