import { createRequire } from 'node:module';
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny';

/** The luma of a decoded frame, one byte per pixel. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly luma: Uint8Array;
}

export interface Decoded {
  readonly mediaType: string;
  readonly seconds: number;
  readonly frames: readonly Frame[];
  /** Times of the key frames in seconds. */
  readonly keys: readonly number[];
  readonly colours: unknown;
}

interface Decoder {
  decode(unit: Uint8Array): void;
  release(): void;
}
type OnFrame = (output: Uint8Array, width: number, height: number) => void;

/** Reads the file with a parser and a decoder that are independent of the encoder. */
export async function decodeVideo(file: Uint8Array): Promise<Decoded> {
  // The decoder expects the globals of a web worker.
  Object.defineProperty(globalThis, 'self', { value: { location: { href: '' } }, configurable: true, writable: true });
  const require = createRequire(import.meta.url);
  const { default: load } = require('tinyh264/lib/TinyH264.js') as { default: () => Promise<unknown> };
  const { default: TinyDecoder } = require('tinyh264/lib/TinyH264Decoder.js') as {
    default: new (module: unknown, onFrame: OnFrame) => Decoder;
  };
  const frames: Frame[] = [];
  const decoder = new TinyDecoder(await load(), (output, width, height) =>
    frames.push({ width, height, luma: output.slice(0, width * height) }),
  );

  const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(file) });
  const track = await input.getPrimaryVideoTrack();
  const config = await track?.getDecoderConfig();
  if (!track || !(config?.description instanceof Uint8Array)) throw new Error('no H.264 track');
  for (const unit of parameterSets(config.description)) decoder.decode(unit);
  const keys: number[] = [];
  for await (const packet of new EncodedPacketSink(track).packets()) {
    if (packet.type === 'key') keys.push(packet.timestamp);
    for (const unit of unitsOf(packet.data)) decoder.decode(unit);
  }
  decoder.release();
  const seconds = await track.computeDuration();
  return { mediaType: await input.getMimeType(), seconds, frames, keys, colours: config.colorSpace };
}

const startCode = [0, 0, 0, 1];

function* unitsOf(data: Uint8Array): Generator<Uint8Array> {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  for (let at = 0; at < data.length;) {
    const size = view.getUint32(at);
    yield Uint8Array.from([...startCode, ...data.subarray(at + 4, at + 4 + size)]);
    at += 4 + size;
  }
}

function parameterSets(setup: Uint8Array): readonly Uint8Array[] {
  const view = new DataView(setup.buffer, setup.byteOffset, setup.byteLength);
  const first = view.getUint16(6);
  const second = view.getUint16(9 + first);
  return [setup.subarray(8, 8 + first), setup.subarray(11 + first, 11 + first + second)].map((unit) =>
    Uint8Array.from([...startCode, ...unit]),
  );
}

/** Mean difference of the luma, 0 to 255. */
export function difference(one: Frame, other: Frame): number {
  let sum = 0;
  for (const [at, value] of one.luma.entries()) sum += Math.abs(value - (other.luma[at] ?? 0));
  return sum / one.luma.length;
}
