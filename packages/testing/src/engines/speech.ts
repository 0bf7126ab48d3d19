import type { AudioFormat } from '@modelwire/schema/types';
import type { SpeechEngine } from '@modelwire/ports';

/** The voices of the API. */
const voices = [
  'alloy',
  'ash',
  'ballad',
  'cedar',
  'coral',
  'echo',
  'fable',
  'marin',
  'nova',
  'onyx',
  'sage',
  'shimmer',
  'verse',
];
const formats = ['wav', 'mp3', 'pcm16'] as const;
const sampleRate = 24_000;
const secondsPerCharacter = 0.01;

/** A speech engine that generates silence, 10 ms per character: small deterministic files that players can open. */
export function silentSpeech(): SpeechEngine {
  return {
    name: 'silent-speech',
    voices,
    formats,
    begin({ format }) {
      let characters = 0;
      return {
        say(text) {
          characters += text.length;
          return Promise.resolve(new Uint8Array(0));
        },
        end() {
          const seconds = characters * secondsPerCharacter;
          return Promise.resolve({ bytes: silence(format, Math.round(seconds * sampleRate)), seconds });
        },
      };
    },
  };
}

function silence(format: AudioFormat, samples: number): Uint8Array {
  if (format === 'mp3') return mp3(samples);
  const pcm = new Uint8Array(2 * samples);
  return format === 'wav' ? wav(pcm) : pcm;
}

function wav(pcm: Uint8Array): Uint8Array {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + pcm.length, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  // Integers, one channel.
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(sampleRate, 24);
  head.writeUInt32LE(2 * sampleRate, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(pcm.length, 40);
  return Buffer.concat([head, pcm]);
}

/** MPEG-2 Layer III without checksum, 32 kbit/s, 24 kHz, mono: a frame of zeros is silence. */
const frameHead = [0xff, 0xf3, 0x44, 0xc4];
const frameBytes = 96;
const frameSamples = 576;

function mp3(samples: number): Uint8Array {
  const frames = Math.max(1, Math.ceil(samples / frameSamples));
  const bytes = new Uint8Array(frames * frameBytes);
  for (let at = 0; at < bytes.length; at += frameBytes) bytes.set(frameHead, at);
  return bytes;
}
