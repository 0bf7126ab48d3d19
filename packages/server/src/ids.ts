const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** The largest multiple of 62 that fits in a byte. Bytes at or above it are discarded: otherwise the first letters would be more likely. */
const unbiasedLimit = 256 - (256 % alphabet.length);
const idLength = 24;

/** Creates the ID of an object, which starts with the prefix of its kind. */
export type CreateId = (prefix: string) => string;

/** A random ID, unguessable and unique: 24 characters of 62 (143 bits) after the prefix. */
export const randomId: CreateId = (prefix) => prefix + randomLetters(idLength);

function randomLetters(count: number): string {
  let letters = '';
  while (letters.length < count) {
    for (const byte of crypto.getRandomValues(new Uint8Array(2 * count))) {
      if (byte < unbiasedLimit && letters.length < count) letters += alphabet.charAt(byte % alphabet.length);
    }
  }
  return letters;
}

/** A new key of the blob store: lower case only, since some file systems are case-insensitive. 128 bits. */
export function randomBlobKey(): string {
  return `blob_${crypto.randomUUID().replaceAll('-', '')}`;
}
