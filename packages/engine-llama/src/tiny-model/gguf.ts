import { Buffer } from 'node:buffer';

export type GgufValue =
  | { readonly type: 'u32' | 'f32' | 'bool'; readonly value: number }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'strings'; readonly value: readonly string[] }
  | { readonly type: 'i32s'; readonly value: readonly number[] };

export interface GgufTensor {
  readonly name: string;
  /** The dimensions, with the fastest-varying one first. */
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

const alignment = 32;
const codes = { u32: 4, i32: 5, f32: 6, bool: 7, string: 8, array: 9 } as const;

/** Encodes a GGUF file of version 3 with 32-bit floats. */
export function gguf(metadata: Readonly<Record<string, GgufValue>>, tensors: readonly GgufTensor[]): Buffer {
  const fields = Object.entries(metadata);
  const header: Buffer[] = [Buffer.from('GGUF'), u32(3), u64(tensors.length), u64(fields.length)];
  for (const [name, value] of fields) header.push(text(name), ...encodeValue(value));
  let offset = 0;
  for (const { name, shape, data } of tensors) {
    header.push(text(name), u32(shape.length), ...shape.map(u64), u32(0), u64(offset));
    offset += paddedLength(data.byteLength);
  }
  const headerBytes = Buffer.concat(header);
  const bytes = tensors.map(({ data }) => pad(Buffer.from(data.buffer, data.byteOffset, data.byteLength)));
  return Buffer.concat([pad(headerBytes), ...bytes]);
}

function encodeValue(field: GgufValue): Buffer[] {
  switch (field.type) {
    case 'u32':
      return [u32(codes.u32), u32(field.value)];
    case 'bool':
      return [u32(codes.bool), Buffer.of(field.value)];
    case 'f32': {
      const bytes = Buffer.alloc(4);
      bytes.writeFloatLE(field.value);
      return [u32(codes.f32), bytes];
    }
    case 'string':
      return [u32(codes.string), text(field.value)];
    case 'strings':
      return [u32(codes.array), u32(codes.string), u64(field.value.length), ...field.value.map(text)];
    case 'i32s':
      return [u32(codes.array), u32(codes.i32), u64(field.value.length), ...field.value.map(u32)];
  }
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([u64(bytes.length), bytes]);
}

function paddedLength(length: number): number {
  return Math.ceil(length / alignment) * alignment;
}

function pad(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(paddedLength(bytes.length) - bytes.length)]);
}
