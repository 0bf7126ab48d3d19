import { AudioSample, AudioSampleSource, Output } from 'mediabunny';
import type { AudioEncodingConfig, OutputFormat, Target } from 'mediabunny';

/** Encodes mono samples of 16 bits into a file that mediabunny writes to `target`. */
export interface SampleEncoder {
  add(samples: Int16Array): Promise<void>;
  /** Writes what the encoder still holds and completes the file. */
  end(): Promise<void>;
}

export interface SampleEncoderInit {
  readonly format: OutputFormat;
  readonly target: Target;
  readonly encoding: AudioEncodingConfig;
  /** Samples per second. */
  readonly sampleRate: number;
}

export async function openSampleEncoder(init: SampleEncoderInit): Promise<SampleEncoder> {
  const { format, target, encoding, sampleRate } = init;
  const output = new Output({ format, target });
  const source = new AudioSampleSource(encoding);
  output.addAudioTrack(source);
  await output.start();
  let sampleCount = 0;
  return {
    async add(samples) {
      if (samples.length === 0) return;
      const timestamp = sampleCount / sampleRate;
      sampleCount += samples.length;
      const sample = new AudioSample({
        ...{ data: samples.slice(), format: 's16', numberOfChannels: 1, sampleRate, timestamp },
      });
      await source.add(sample);
      sample.close();
    },
    async end() {
      source.close();
      await output.finalize();
    },
  };
}
