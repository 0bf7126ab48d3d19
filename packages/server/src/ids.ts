import { testOverrides } from './test-overrides.ts';

const alphabet = new TextEncoder().encode('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789');
/** The largest multiple of 62 that fits in a byte. Bytes at or above it are discarded: otherwise the first letters would be more likely. */
const unbiasedLimit = 256 - (256 % alphabet.length);
/** The letter of each byte below `unbiasedLimit`, 0 for the others. */
const letterOf = new Uint8Array(256).map((_, byte) =>
  byte < unbiasedLimit ? (alphabet[byte % alphabet.length] ?? 0) : 0,
);
const decoder = new TextDecoder();
const idLength = 24;
/** Unused random letters, generated in batches of some thousands, since each completion needs two IDs. */
let letters = '';
let nextLetter = 0;

/** A prefixed random ID, unguessable and unique: 24 characters of 62 (143 bits) after the prefix. */
export function randomId(prefix: string): string {
  const override = testOverrides()?.id(prefix);
  if (override !== undefined) return override;
  if (nextLetter + idLength > letters.length) {
    letters = randomLetters();
    nextLetter = 0;
  }
  nextLetter += idLength;
  return prefix + letters.slice(nextLetter - idLength, nextLetter);
}

function randomLetters(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(4096));
  let length = 0;
  // By index: an iterator takes three times as long.
  for (let index = 0; index < bytes.length; index++) {
    const letter = letterOf[bytes[index] ?? 0] ?? 0;
    if (letter !== 0) bytes[length++] = letter;
  }
  return decoder.decode(bytes.subarray(0, length));
}

/** A new key of the blob store: lower case only, since some file systems are case-insensitive. 128 bits. */
export function randomBlobKey(): string {
  return `blob_${crypto.randomUUID().replaceAll('-', '')}`;
}
