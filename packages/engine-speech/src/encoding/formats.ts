import type { AudioFormat } from '@modelwire/schema/types';
import type { Encoder, EncoderInit } from './encoder.ts';
import { flacEncoder } from './flac.ts';
import { pcm16Encoder, wavEncoder } from './pcm.ts';

/** Packages that a format cannot do without. The others are written here. */
export const packagesOf: Readonly<Record<AudioFormat, readonly string[]>> = {
  wav: [],
  pcm16: [],
  flac: [],
  opus: ['libopus-wasm'],
  mp3: ['mediabunny', '@mediabunny/mp3-encoder'],
};

export async function openEncoder(format: AudioFormat, init: EncoderInit): Promise<Encoder> {
  switch (format) {
    case 'wav':
      return wavEncoder(init);
    case 'pcm16':
      return pcm16Encoder();
    case 'flac':
      return flacEncoder(init);
    case 'opus': {
      const { opusEncoder } = await import('./opus.ts');
      return opusEncoder(init);
    }
    case 'mp3': {
      const { mp3Encoder } = await import('./mp3.ts');
      return mp3Encoder(init);
    }
  }
}
