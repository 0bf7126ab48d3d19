import encoderModule from 'h264-mp4-encoder';
import {
  BufferSource,
  BufferTarget,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  MP4,
  Mp4OutputFormat,
  Output,
} from 'mediabunny';
import type { RenderJob } from '../protocol.ts';
import { toYuv } from './yuv.ts';

/**
 * Encodes frames to an MP4 file one after the other; only one frame is in memory. H.264 in WebAssembly: Baseline profile, and the same frames
 * on every machine.
 */
export async function createEncoder({ width, height, framesPerSecond }: RenderJob) {
  const encoder = await encoderModule.createH264MP4Encoder();
  encoder.width = width;
  encoder.height = height;
  encoder.frameRate = framesPerSecond;
  encoder.groupOfPictures = framesPerSecond;
  // Quantiser 24 has no visible blocks. Speed 10 is the fastest; slower ones save 3 % of the size.
  encoder.quantizationParameter = 24;
  encoder.speed = 10;
  encoder.initialize();
  const frame = new Uint8Array((width * height * 3) / 2);
  return {
    /** Red, green, blue and alpha of each pixel; alpha is ignored. */
    add(pixels: Uint8Array) {
      toYuv(pixels, width, height, frame);
      encoder.addFrameYuv(frame);
    },
    /** The file, playable while it loads. */
    finish() {
      encoder.finalize();
      const file = encoder.FS.readFile(encoder.outputFilename);
      encoder.FS.unlink(encoder.outputFilename);
      encoder.delete();
      return withIndexFirst(file);
    },
  };
}

const colorSpace = { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', fullRange: false } as const;

/** The encoder writes its index last, without key frames and colour information: remuxes the frames into a file that has them. */
async function withIndexFirst(file: Uint8Array): Promise<Uint8Array> {
  const input = new Input({ formats: [MP4], source: new BufferSource(file) });
  const track = await input.getPrimaryVideoTrack();
  const decoderConfig = await track?.getDecoderConfig();
  if (!track || !decoderConfig) throw new Error('The encoder wrote no video track.');
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target });
  const source = new EncodedVideoPacketSource('avc');
  output.addVideoTrack(source);
  await output.start();
  for await (const packet of new EncodedPacketSink(track).packets(undefined, undefined, { verifyKeyPackets: true })) {
    await source.add(packet, { decoderConfig: { ...decoderConfig, colorSpace } });
  }
  await output.finalize();
  if (!target.buffer) throw new Error('The video has no bytes.');
  return new Uint8Array(target.buffer);
}
