import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { ContentCorruptedError } from '@modelwire/ports';
import { createContentVerifier, digested } from './content-digest.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const sha256 = createHash('sha256').update('good data').digest('hex');
const segment = { key: 'blob_1', bytes: 9, sha256 };

test('the size and the digest of a stream are known when it has passed, and its bytes are unchanged', async () => {
  async function* source() {
    yield bytes('good ');
    yield bytes('data');
  }
  const { stream, result } = digested(source());
  const passed = await Array.fromAsync(stream);
  expect(passed.map((piece) => new TextDecoder().decode(piece))).toEqual(['good ', 'data']);
  expect(result()).toEqual({ bytes: 9, sha256 });
});

/** The number of pieces that are passed before an error is thrown; undefined without an error. */
function piecesBeforeError(pieces: readonly string[], of: Parameters<typeof createContentVerifier>[0]) {
  const verifier = createContentVerifier(of);
  let passed = 0;
  try {
    for (const piece of pieces) {
      verifier.add(bytes(piece));
      passed++;
    }
    verifier.end();
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(ContentCorruptedError);
    expect(error).toMatchObject({ key: 'blob_1' });
    return passed;
  }
}

test.each([
  ['as stored', ['good ', 'data'], undefined],
  ['with empty pieces', ['', 'good data', ''], undefined],
  ['changed at the start: before the last piece', ['gOod ', 'data'], 1],
  ['changed at the end', ['good ', 'datA'], 1],
  ['truncated', ['good ', 'dat'], 2],
  ['empty', [], 0],
  ['longer', ['good ', 'data', '!'], 2],
])('contents %s', (_, pieces, passed) => {
  expect(piecesBeforeError(pieces, segment)).toBe(passed);
});

test('contents without a digest are verified by their size', () => {
  const withoutDigest = { key: 'blob_1', bytes: 9 };
  expect(piecesBeforeError(['bad  data'], withoutDigest)).toBeUndefined();
  expect(piecesBeforeError(['bad'], withoutDigest)).toBe(1);
});
