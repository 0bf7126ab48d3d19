// Boxes of ISO base media files (ISO/IEC 14496-12 and -15): enough to take the samples out of one file and to write them into another
// that plays while it loads, says which colours it means, and holds no date.
import type { Format } from './encoder.ts';

/** What a track is made of. */
export interface Track {
  /** The `avcC` box's content: how to set up a decoder. */
  readonly setup: Uint8Array;
  readonly samples: readonly Uint8Array[];
  /** Indices of samples that need no other, from 0. */
  readonly keys: readonly number[];
}

interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** The boxes between two places. A file that is cut off gives what is whole. */
export function* boxes(file: Uint8Array, start = 0, end = file.length): Generator<Box> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  let at = start;
  while (at + 8 <= end) {
    let size = view.getUint32(at);
    let head = 8;
    if (size === 1 && at + 16 <= end) {
      size = Number(view.getBigUint64(at + 8));
      head = 16;
    } else if (size === 0) {
      size = end - at;
    }
    if (size < head || at + size > end) return;
    yield { type: String.fromCharCode(...file.subarray(at + 4, at + 8)), start: at + head, end: at + size };
    at += size;
  }
}

function find(file: Uint8Array, path: readonly string[], from: Pick<Box, 'start' | 'end'>): Box {
  let inside = from;
  let found: Box | undefined;
  for (const type of path) {
    found = undefined;
    for (const box of boxes(file, inside.start, inside.end)) {
      if (box.type === type) {
        found = box;
        break;
      }
    }
    if (!found) throw new Error(`the encoder's file has no ${type}`);
    inside = found;
  }
  if (!found) throw new Error('no path');
  return found;
}

/** The only track of the encoder's file. */
export function readTrack(file: Uint8Array): Track {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const table = find(file, ['moov', 'trak', 'mdia', 'minf', 'stbl'], { start: 0, end: file.length });
  const numbers = (type: string, width = 1): number[] => {
    const { start } = find(file, [type], table);
    return Array.from({ length: view.getUint32(start + 4) * width }, (_, at) => view.getUint32(start + 8 + at * 4));
  };
  // The description's own fields end before `avcC`.
  const { start: descriptions } = find(file, ['stsd'], table);
  const entry = { start: descriptions + 8 + 8 + 78, end: descriptions + 8 + view.getUint32(descriptions + 8) };
  const setup = find(file, ['avcC'], entry);

  const sizes = find(file, ['stsz'], table).start;
  const same = view.getUint32(sizes + 4);
  const count = view.getUint32(sizes + 8);
  const chunks = numbers('stco');
  const runs = numbers('stsc', 3);
  const samples: Uint8Array[] = [];
  for (const [index, offset] of chunks.entries()) {
    let inChunk = 0;
    for (let run = 0; run < runs.length; run += 3) if ((runs[run] ?? 0) <= index + 1) inChunk = runs[run + 1] ?? 0;
    let at = offset;
    for (let sample = 0; sample < inChunk && samples.length < count; sample++) {
      const size = same || view.getUint32(sizes + 12 + samples.length * 4);
      samples.push(file.subarray(at, at + size));
      at += size;
    }
  }
  if (samples.length !== count) throw new Error('the encoder lost frames');
  // Its file does not say which frames stand alone; the frames do.
  const keys = [...samples.keys()].filter((at) => standsAlone(samples[at] ?? new Uint8Array()));
  return { setup: file.subarray(setup.start, setup.end), samples, keys };
}

/** Whether a frame holds a picture that needs no other (ISO/IEC 14496-10: a unit of type 5). Units have their length before them. */
function standsAlone(sample: Uint8Array): boolean {
  const view = new DataView(sample.buffer, sample.byteOffset, sample.byteLength);
  for (let at = 0; at + 5 <= sample.length; at += 4 + view.getUint32(at)) {
    if ((view.getUint8(at + 4) & 31) === 5) return true;
  }
  return false;
}

type Part = number | string | Uint8Array | readonly Part[];

/** A box: numbers are of 32 bits, texts are bytes as they stand. */
function box(type: string, ...content: readonly Part[]): Uint8Array {
  const inside = bytesOf(content);
  const whole = new Uint8Array(8 + inside.length);
  new DataView(whole.buffer).setUint32(0, whole.length);
  whole.set(new TextEncoder().encode(type), 4);
  whole.set(inside, 8);
  return whole;
}

function bytesOf(parts: readonly Part[]): Uint8Array {
  const pieces = parts.map((part): Uint8Array => {
    if (typeof part === 'number') {
      const four = new Uint8Array(4);
      new DataView(four.buffer).setUint32(0, part >>> 0);
      return four;
    }
    if (typeof part === 'string') return new TextEncoder().encode(part);
    return part instanceof Uint8Array ? part : bytesOf(part);
  });
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

const halves = (high: number, low: number) => high * 0x1_0000 + low;
const zeros = (count: number) => new Uint8Array(count);
const turnNone = [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000];

/** A file of one video track, its index before its frames. */
export function writeMp4({ setup, samples, keys }: Track, { width, height, framesPerSecond }: Format): Uint8Array {
  const scale = framesPerSecond * 512;
  const length = samples.length * 512;
  const type = box('ftyp', 'isom', 512, 'isomiso2avc1mp41');
  const movie = (offset: number) =>
    box(
      'moov',
      box('mvhd', 0, 0, 0, scale, length, 0x1_0000, halves(0x100, 0), zeros(8), turnNone, zeros(24), 2),
      box(
        'trak',
        box('tkhd', 3, 0, 0, 1, 0, length, zeros(8), 0, 0, turnNone, halves(width, 0), halves(height, 0)),
        box('edts', box('elst', 0, 1, length, 0, 0x1_0000)),
        box(
          'mdia',
          // `und`: no language.
          box('mdhd', 0, 0, 0, scale, length, halves(0x55c4, 0)),
          box('hdlr', 0, 0, 'vide', zeros(12), 'VideoHandler\0'),
          box(
            'minf',
            box('vmhd', 1, zeros(8)),
            box('dinf', box('dref', 0, 1, box('url ', 1))),
            box(
              'stbl',
              box('stsd', 0, 1, describe(setup, width, height)),
              box('stts', 0, 1, samples.length, 512),
              box(
                'stss',
                0,
                keys.length,
                keys.map((key) => key + 1),
              ),
              box('stsc', 0, 1, 1, samples.length, 1),
              box(
                'stsz',
                0,
                0,
                samples.length,
                samples.map((sample) => sample.length),
              ),
              box('stco', 0, 1, offset),
            ),
          ),
        ),
      ),
    );
  const before = type.length + movie(0).length;
  return bytesOf([type, movie(before + 8), box('mdat', samples)]);
}

function describe(setup: Uint8Array, width: number, height: number): Uint8Array {
  // BT.709 in all three, and limited range.
  const colour = box('colr', 'nclx', halves(1, 1), Uint8Array.of(0, 1, 0));
  const square = box('pasp', 1, 1);
  return box(
    'avc1',
    zeros(6),
    Uint8Array.of(0, 1),
    zeros(16),
    halves(width, height),
    0x48_0000,
    0x48_0000,
    0,
    Uint8Array.of(0, 1),
    zeros(32),
    Uint8Array.of(0, 0x18, 0xff, 0xff),
    box('avcC', setup),
    colour,
    square,
  );
}
