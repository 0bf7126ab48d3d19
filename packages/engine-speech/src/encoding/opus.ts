import { createEncoder } from 'libopus-wasm';
import type { SampleRate } from 'libopus-wasm';
import { EncodedAudioPacketSource, EncodedPacket, OggOutputFormat, Output } from 'mediabunny';
import type { Encoder, EncoderInit } from './encoder.ts';
import { streamOutput } from './stream-output.ts';

/** The clock rate of Opus in Ogg, for any sample rate of the input (RFC 7845). */
const clockRate = 48_000;
const packetsPerSecond = 50;
/** Short pages, so that a listener hears each sentence when it is done. */
const maximumPageDuration = 0.5;

/** Opus in Ogg (RFC 7845), mono. */
export async function opusEncoder({ sampleRate, bitrate }: EncoderInit): Promise<Encoder> {
  const frameSize = sampleRate / packetsPerSecond;
  const encoder = await createEncoder({ sampleRate: supportedRate(sampleRate), channels: 1, frameSize, bitrate });
  const lookahead = encoder.getLookahead();
  const { target, take } = streamOutput();
  const output = new Output({ format: new OggOutputFormat({ maximumPageDuration }), target });
  const source = new EncodedAudioPacketSource('opus');
  output.addAudioTrack(source);
  await output.start();
  const description = opusHead((lookahead * clockRate) / sampleRate, sampleRate);
  const metadata = { decoderConfig: { codec: 'opus', numberOfChannels: 1, sampleRate: clockRate, description } };

  let pending = new Int16Array(0);
  let sampleCount = 0;
  let packetCount = 0;

  async function encodeFrame(frame: Int16Array, durationInSamples: number): Promise<void> {
    const timestamp = packetCount++ / packetsPerSecond;
    const duration = durationInSamples / sampleRate;
    await source.add(new EncodedPacket(encoder.encode(frame).slice(), 'key', timestamp, duration), metadata);
  }
  async function encodeFrames(samples: Int16Array): Promise<void> {
    const all = new Int16Array(pending.length + samples.length);
    all.set(pending);
    all.set(samples, pending.length);
    let at = 0;
    // The last frame waits for `end`, which trims its duration.
    for (; all.length - at > frameSize; at += frameSize) await encodeFrame(all.subarray(at, at + frameSize), frameSize);
    pending = all.slice(at);
  }
  return {
    async add(samples) {
      sampleCount += samples.length;
      await encodeFrames(samples);
      return take();
    },
    async end() {
      // The encoder's output is delayed by its lookahead: silence of that length flushes it.
      await encodeFrames(new Int16Array(lookahead));
      const last = new Int16Array(frameSize);
      last.set(pending);
      await encodeFrame(last, lookahead + sampleCount - packetCount * frameSize);
      encoder.free();
      source.close();
      await output.finalize();
      return take();
    },
  };
}

function supportedRate(rate: number): SampleRate {
  if (rate === 8000 || rate === 12_000 || rate === 16_000 || rate === 24_000 || rate === 48_000) return rate;
  throw new TypeError(`Opus does not support a sample rate of ${rate}`);
}

/** The identification header (RFC 7845, section 5.1). */
function opusHead(preSkip: number, sampleRate: number): Uint8Array {
  const head = new Uint8Array(19);
  const view = new DataView(head.buffer);
  head.set(new TextEncoder().encode('OpusHead'));
  view.setUint8(8, 1);
  view.setUint8(9, 1);
  view.setUint16(10, preSkip, true);
  view.setUint32(12, sampleRate, true);
  return head;
}
