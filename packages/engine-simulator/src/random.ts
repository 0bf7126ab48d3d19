import { hash } from 'node:crypto';

/** Numbers in [0, 1). */
export type Random = () => number;

/** The same numbers for the same name on every machine (sfc32, seeded by SHA-256). */
export function seededRandom(name: string): Random {
  const digest = hash('sha256', name, 'buffer');
  let [a, b, c] = [digest.readInt32LE(0), digest.readInt32LE(4), digest.readInt32LE(8)];
  let counter = 1;
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  return () => (next() * 0x200000 + (next() >>> 11)) / 2 ** 53;
}
