import { Decoder as FlacDecoder } from 'libflacjs/lib/decoder.js';
import flac from 'libflacjs/dist/libflac.js';
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny';
import type { InputAudioTrack } from 'mediabunny';
import { MPEGDecoder } from 'mpg123-decoder';
import { OpusDecoder } from 'opus-decoder';

/** An audio file, read by parsers and decoders from npm that share no code with the encoders under test. */
export interface DecodedAudio {
  readonly codec: string;
  readonly container: string;
  readonly sampleRate: number;
  readonly channels: number;
  /** Seconds, as the container states it. */
  readonly duration: number;
  /** The first channel, at 24,000 samples per second. */
  readonly samples: Int16Array;
}

const outputRate = 24_000;

/** Decodes a wav, mp3, flac or opus file. @throws Error where the file or any part of it is malformed. */
export async function decodeAudio(bytes: Uint8Array): Promise<DecodedAudio> {
  using input = new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) });
  const track = await input.getPrimaryAudioTrack();
  if (!track) throw new Error('The file has no audio track.');
  const { name: container } = await input.getFormat();
  const codec = (await track.getCodec()) ?? 'unknown';
  const sampleRate = await track.getSampleRate();
  const channels = await track.getNumberOfChannels();
  const samples = await decodeTrack(codec, track, bytes);
  const duration = codec === 'flac' ? flacDuration(bytes) : await track.computeDuration();
  return { codec, container, sampleRate, channels, duration, samples };
}

/**
 * Seconds, from STREAMINFO (RFC 9639, section 8.2): 20 bits of sample rate, and after 8 other bits 36 of samples. mediabunny
 * 1.61.0 looks for the last frame instead, and does not end where a file has no frame of 16 bytes or more.
 */
function flacDuration(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const sampleCount = (view.getUint8(21) & 0x0f) * 2 ** 32 + view.getUint32(22);
  return sampleCount / (view.getUint32(18) >>> 12);
}

async function decodeTrack(codec: string, track: InputAudioTrack, bytes: Uint8Array): Promise<Int16Array> {
  switch (codec) {
    case 'pcm-s16':
      return samplesOf(Buffer.concat(await packetsOf(track)));
    case 'mp3':
      return decodeMp3(bytes);
    case 'flac':
      return decodeFlac(bytes);
    case 'opus':
      return decodeOpus(await packetsOf(track), bytes);
    default:
      throw new Error(`There is no decoder for ${codec}.`);
  }
}

async function packetsOf(track: InputAudioTrack): Promise<Uint8Array[]> {
  const packets: Uint8Array[] = [];
  for await (const { data } of new EncodedPacketSink(track).packets()) packets.push(data);
  return packets;
}

async function decodeMp3(bytes: Uint8Array): Promise<Int16Array> {
  const decoder = new MPEGDecoder();
  await decoder.ready;
  try {
    return toSamples(decoder.decode(bytes));
  } finally {
    decoder.free();
  }
}

/** libFLAC, which also verifies the MD5 sum of the samples. */
function decodeFlac(bytes: Uint8Array): Int16Array {
  const decoder = new FlacDecoder(flac, { verify: true });
  try {
    if (!decoder.decode(Uint8Array.from(bytes))) throw new Error(`libFLAC: decoder state ${decoder.getState()}`);
    return samplesOf(decoder.getSamples(true));
  } finally {
    decoder.destroy();
  }
}

/** RFC 7845, 4.3: the header's pre-skip is removed at the start, and the granule position of the last page ends the samples. */
async function decodeOpus(packets: readonly Uint8Array[], bytes: Uint8Array): Promise<Int16Array> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const preSkip = view.getUint16(text.indexOf('OpusHead') + 10, true);
  const end = Number(view.getBigInt64(text.lastIndexOf('OggS') + 6, true));
  const decoder = new OpusDecoder({ channels: 1, preSkip: 0 });
  await decoder.ready;
  try {
    const { channelData, errors, sampleRate } = decoder.decodeFrames([...packets]);
    const channel = (channelData[0] ?? new Float32Array()).subarray(preSkip, end);
    return toSamples({ channelData: [channel], errors, sampleRate });
  } finally {
    decoder.free();
  }
}

interface Output {
  readonly channelData: readonly Float32Array[];
  readonly sampleRate: number;
  readonly errors: readonly { readonly message: string }[];
}

/** Speech is far below the Nyquist frequency of the output rate, so that leaving samples out needs no filter. */
function toSamples({ channelData, errors, sampleRate }: Output): Int16Array {
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('; '));
  const channel = channelData[0] ?? new Float32Array();
  const step = sampleRate / outputRate;
  return Int16Array.from({ length: Math.ceil(channel.length / step) }, (_, index) =>
    Math.max(-32_768, Math.min(32_767, Math.round((channel[index * step] ?? 0) * 32_768))),
  );
}

/** Samples of 16-bit little-endian PCM. */
export function samplesOf(bytes: Uint8Array): Int16Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Int16Array.from({ length: Math.floor(bytes.length / 2) }, (_, index) => view.getInt16(index * 2, true));
}
