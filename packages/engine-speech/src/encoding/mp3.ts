import { registerMp3Encoder } from '@mediabunny/mp3-encoder';
import { AudioSample, AudioSampleSource, Mp3OutputFormat, Output, StreamTarget } from 'mediabunny';
import { joined } from './encoder.ts';
import type { Encoder, EncoderInit } from './encoder.ts';

/** MPEG layer III, mono, of one bitrate throughout, so that players know its length without a head. Works in a thread of its own. */
export async function mp3Encoder({ sampleRate, bitrate }: EncoderInit): Promise<Encoder> {
  registerMp3Encoder();
  let written: Uint8Array[] = [];
  const target = new StreamTarget(new WritableStream({ write: ({ data }) => void written.push(data.slice()) }));
  const output = new Output({ format: new Mp3OutputFormat({ xingHeader: false }), target });
  const source = new AudioSampleSource({ codec: 'mp3', bitrate });
  output.addAudioTrack(source);
  await output.start();
  let samples = 0;

  function taken(): Uint8Array {
    const bytes = joined(written);
    written = [];
    return bytes;
  }
  return {
    async add(more) {
      if (more.length === 0) return taken();
      const timestamp = samples / sampleRate;
      samples += more.length;
      const sample = new AudioSample({
        ...{ data: more.slice(), format: 's16', numberOfChannels: 1, sampleRate, timestamp },
      });
      await source.add(sample);
      sample.close();
      return taken();
    },
    async end() {
      source.close();
      await output.finalize();
      return taken();
    },
  };
}
