import { createHash } from 'node:crypto';
import { BitWriter } from './bit-writer.ts';
import { joined, nothing } from './encoder.ts';
import type { Encoder, EncoderInit } from './encoder.ts';
import { littleEndian } from './pcm.ts';

/** Samples of a frame. */
const blockSize = 4096;
const sampleBits = 16;
/** Samples of a frame whose differences have a parameter of their own: 2 to this power of them. */
const partitionOrder = 3;

/**
 * FLAC (RFC 9639), mono, with fixed predictors: about half of the samples' size for speech. The head says how long it is and what its
 * samples hash to, so all of it comes at the end.
 */
export function flacEncoder({ sampleRate }: EncoderInit): Encoder {
  const frames: Uint8Array[] = [];
  const hash = createHash('md5');
  let waiting = new Int16Array(0);
  let samples = 0;
  let smallest = Infinity;
  let largest = 0;

  function frame(block: Int16Array): void {
    const bytes = flacFrame(block, frames.length);
    smallest = Math.min(smallest, bytes.length);
    largest = Math.max(largest, bytes.length);
    frames.push(bytes);
    samples += block.length;
  }
  return {
    add(more) {
      hash.update(littleEndian(more));
      const all = new Int16Array(waiting.length + more.length);
      all.set(waiting);
      all.set(more, waiting.length);
      let at = 0;
      for (; all.length - at >= blockSize; at += blockSize) frame(all.subarray(at, at + blockSize));
      waiting = all.slice(at);
      return nothing;
    },
    end() {
      if (waiting.length > 0) frame(waiting);
      const info = new BitWriter();
      for (const letter of 'fLaC') info.write(letter.charCodeAt(0), 8);
      info.write(0x80, 8); // the last block of metadata, and that is the stream's own
      info.write(34, 24);
      info.write(blockSize, 16);
      info.write(blockSize, 16);
      info.write(frames.length === 0 ? 0 : smallest, 24);
      info.write(largest, 24);
      info.write(sampleRate, 20);
      info.write(0, 3); // channels, less one
      info.write(sampleBits - 1, 5);
      info.write(0, 12); // of 36 bits the upper: three days of speech would not reach them
      info.write(samples, 24);
      return joined([info.bytes(), new Uint8Array(hash.digest()), ...frames]);
    },
  };
}

function flacFrame(block: Int16Array, index: number): Uint8Array {
  const out = new BitWriter();
  out.write(0xfff8, 16); // blocks of a fixed size
  out.write(0b0111, 4); // which follows in 16 bits, less one
  out.write(0b0000, 4); // the sample rate is the stream's
  out.write(0b0000, 4); // mono
  out.write(0b100, 3); // 16 bits
  out.write(0, 1);
  for (const byte of numberBytes(index)) out.write(byte, 8);
  out.write(block.length - 1, 16);
  out.write(crc(out.bytes(), 8, 0x07), 8);
  subframe(out, block);
  out.align();
  const body = out.bytes();
  out.write(crc(body, 16, 0x8005), 16);
  return out.bytes();
}

/** What predicts each sample from those before it: of five fixed rules the one that leaves least. */
function subframe(out: BitWriter, block: Int16Array): void {
  let order = 0;
  let residual = Int32Array.from(block);
  let least = magnitude(residual, 0);
  let differences = residual;
  for (let next = 1; next <= 4 && next < block.length; next++) {
    differences = differencesOf(differences);
    const left = magnitude(differences, next);
    if (left >= least) continue;
    least = left;
    order = next;
    residual = differences;
  }
  out.write(0b0001000 | order, 7);
  out.write(0, 1); // no bits that are never used
  for (let at = 0; at < order; at++) out.write(block[at] ?? 0, sampleBits);
  writeResidual(out, residual, order);
}

/** Each less the one before; the first is left. */
function differencesOf(values: Int32Array): Int32Array<ArrayBuffer> {
  const differences = new Int32Array(values.length);
  for (let at = values.length - 1; at > 0; at--) differences[at] = (values[at] ?? 0) - (values[at - 1] ?? 0);
  differences[0] = values[0] ?? 0;
  return differences;
}

function magnitude(values: Int32Array, from: number): number {
  let sum = 0;
  for (let at = from; at < values.length; at++) sum += Math.abs(values[at] ?? 0);
  return sum;
}

/** Rice codes: the quotient in ones' complement, the rest as it is; how many bits that has, each partition chooses. */
function writeResidual(out: BitWriter, residual: Int32Array, order: number): void {
  const divisible = residual.length % (1 << partitionOrder) === 0 && residual.length >> partitionOrder > order;
  const partitions = divisible ? partitionOrder : 0;
  const size = residual.length >> partitions;
  out.write(0b01, 2); // parameters of five bits
  out.write(partitions, 4);
  for (let first = 0; first < residual.length; first += size) {
    const from = Math.max(first, order);
    const to = first + size;
    const mean = magnitude(residual.subarray(0, to), from) / Math.max(1, to - from);
    const parameter = Math.max(0, Math.min(20, Math.floor(Math.log2(mean * 2 + 1))));
    out.write(parameter, 5);
    for (let at = from; at < to; at++) {
      const value = residual[at] ?? 0;
      const folded = value < 0 ? -2 * value - 1 : 2 * value;
      out.unary(folded >>> parameter);
      if (parameter > 0) out.write(folded, parameter);
    }
  }
}

/** The number of a frame, coded as UTF-8 codes characters: four bytes are 99 hours. */
function numberBytes(value: number): readonly number[] {
  const rest = (shift: number): number => 0x80 | ((value >> shift) & 0x3f);
  if (value < 0x80) return [value];
  if (value < 0x800) return [0xc0 | (value >> 6), rest(0)];
  if (value < 0x10000) return [0xe0 | (value >> 12), rest(6), rest(0)];
  return [0xf0 | (value >> 18), rest(12), rest(6), rest(0)];
}

/** A cyclic sum of `bits` bits, highest first, that begins at zero. */
function crc(bytes: Uint8Array, bits: 8 | 16, polynomial: number): number {
  const top = 1 << (bits - 1);
  const mask = (1 << bits) - 1;
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte << (bits - 8);
    for (let bit = 0; bit < 8; bit++) sum = ((sum & top) !== 0 ? (sum << 1) ^ polynomial : sum << 1) & mask;
  }
  return sum;
}
