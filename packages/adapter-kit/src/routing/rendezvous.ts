import { hash } from 'node:crypto';

/** The first 32 bits of the SHA-256 hash, which are the same on every machine. */
export function hashText(text: string): number {
  return hash('sha256', text, 'buffer').readUInt32BE();
}

/** The hash of a request without affinity, which may go to any upstream. */
export function randomHash(): number {
  return Math.floor(Math.random() * 2 ** 32);
}

/** A number between 0 and 1 that a key draws for an upstream: the two hashes, mixed by the finalizer of MurmurHash3. */
export function draw(key: number, upstream: number): number {
  let mixed = key ^ upstream;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (((mixed ^ (mixed >>> 16)) >>> 0) + 0.5) / 2 ** 32;
}
