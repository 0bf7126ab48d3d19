import { registerMp3Encoder } from '@mediabunny/mp3-encoder';
import { Mp3OutputFormat } from 'mediabunny';
import type { Encoder, EncoderInit } from './encoder.ts';
import { openSampleEncoder } from './sample-encoder.ts';
import { streamOutput } from './stream-output.ts';

/** MPEG layer III, mono, at a constant bitrate, so that players know the duration without a Xing header. */
export async function mp3Encoder({ sampleRate, bitrate }: EncoderInit): Promise<Encoder> {
  registerMp3Encoder();
  const { target, take } = streamOutput();
  const format = new Mp3OutputFormat({ xingHeader: false });
  const encoder = await openSampleEncoder({ format, target, encoding: { codec: 'mp3', bitrate }, sampleRate });
  return {
    async add(samples) {
      await encoder.add(samples);
      return take();
    },
    async end() {
      await encoder.end();
      return take();
    },
  };
}
