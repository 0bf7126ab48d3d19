import type { AudioFormat } from '@modelwire/schema/types';
import type { Encoder, EncoderInit } from './encoder.ts';
import { pcm16Encoder, wavEncoder } from './pcm.ts';

/** All formats but AAC, which has no encoder among the packages. */
export type EncoderFormat = Exclude<AudioFormat, 'aac'>;

/** The packages that a format needs. */
export const packagesOf: Readonly<Record<EncoderFormat, readonly string[]>> = {
  wav: [],
  pcm16: [],
  flac: ['mediabunny', '@mediabunny/flac-encoder'],
  opus: ['mediabunny', 'libopus-wasm'],
  mp3: ['mediabunny', '@mediabunny/mp3-encoder'],
};

export async function openEncoder(format: EncoderFormat, init: EncoderInit): Promise<Encoder> {
  switch (format) {
    case 'wav':
      return wavEncoder(init);
    case 'pcm16':
      return pcm16Encoder();
    case 'flac': {
      const { flacEncoder } = await import('./flac.ts');
      return flacEncoder(init);
    }
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
