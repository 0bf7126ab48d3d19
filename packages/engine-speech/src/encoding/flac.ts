import { registerFlacEncoder } from '@mediabunny/flac-encoder';
import { BufferTarget, FlacOutputFormat } from 'mediabunny';
import { noBytes } from './encoder.ts';
import type { Encoder, EncoderInit } from './encoder.ts';
import { openSampleEncoder } from './sample-encoder.ts';

/** FLAC, mono. Its header holds the number of samples, so all bytes come at the end. */
export async function flacEncoder({ sampleRate }: EncoderInit): Promise<Encoder> {
  registerFlacEncoder();
  const target = new BufferTarget();
  const encoder = await openSampleEncoder({
    ...{ format: new FlacOutputFormat(), target, encoding: { codec: 'flac' }, sampleRate },
  });
  let isEmpty = true;
  return {
    async add(samples) {
      if (samples.length > 0) isEmpty = false;
      await encoder.add(samples);
      return noBytes;
    },
    async end() {
      // mediabunny cannot write a file without samples.
      if (isEmpty) await encoder.add(new Int16Array(1));
      await encoder.end();
      return new Uint8Array(target.buffer ?? new ArrayBuffer(0));
    },
  };
}
