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
/** Small, because each ID is a slice of its batch's string and keeps all of it in memory. */
const idsPerBatch = 64;

/** Unused IDs of one prefix, concatenated. */
interface UnusedIds {
  readonly text: string;
  nextIndex: number;
}
const unusedIds = new Map<string, UnusedIds>();

/**
 * A prefixed random ID, unguessable and unique: 24 characters of 62 (143 bits) after the prefix.
 *
 * IDs are generated in batches, as slices of one string: V8 would have to flatten a concatenated string when its characters are read.
 *
 * @param prefix One of a fixed set: a batch of unused IDs is kept in memory for each prefix.
 */
export function randomId(prefix: string): string {
  const override = testOverrides()?.id(prefix);
  if (override !== undefined) return override;
  let ids = unusedIds.get(prefix);
  if (!ids || ids.nextIndex === ids.text.length) {
    ids = { text: randomIds(prefix), nextIndex: 0 };
    unusedIds.set(prefix, ids);
  }
  const start = ids.nextIndex;
  ids.nextIndex += prefix.length + idLength;
  return ids.text.slice(start, ids.nextIndex);
}

function randomIds(prefix: string): string {
  const letters = randomLetters(idsPerBatch * idLength);
  let text = '';
  for (let index = 0; index < letters.length; index += idLength)
    text += prefix + letters.slice(index, index + idLength);
  return text;
}

function randomLetters(count: number): string {
  const letters = new Uint8Array(count);
  let length = 0;
  while (length < count) {
    const bytes = crypto.getRandomValues(new Uint8Array(count));
    // By index: an iterator takes three times as long.
    for (let index = 0; index < bytes.length && length < count; index++) {
      const letter = letterOf[bytes[index] ?? 0] ?? 0;
      if (letter !== 0) letters[length++] = letter;
    }
  }
  return decoder.decode(letters);
}

/** A new key of the blob store: lower case only, since some file systems are case-insensitive. 128 bits. */
export function randomBlobKey(): string {
  return `blob_${crypto.randomUUID().replaceAll('-', '')}`;
}
