import { givenId } from './sources.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** Largest multiple of 62 in a byte: bytes at or above it are thrown away, or the first letters would be likelier. */
const fair = 256 - (256 % alphabet.length);
const pool = new Uint8Array(4096);
let next = pool.length;

/** A prefixed random id, unguessable and unique: 24 characters of 62 (143 bits) after the prefix. */
export function randomId(prefix: string): string {
  const given = givenId(prefix);
  if (given !== undefined) return given;
  let id = prefix;
  for (let length = 0; length < 24;) {
    if (next === pool.length) {
      crypto.getRandomValues(pool);
      next = 0;
    }
    const byte = pool[next++] ?? 255;
    if (byte < fair) {
      id += alphabet.charAt(byte % alphabet.length);
      length++;
    }
  }
  return id;
}

/** A new key of the blob store: lower case alone, as file systems that do not tell cases apart are. 128 bits. */
export function randomBlobKey(): string {
  return `blob_${crypto.randomUUID().replaceAll('-', '')}`;
}
