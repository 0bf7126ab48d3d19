import { yieldToEventLoop } from '@modelwire/adapter-kit';
import type { Embedding, EmbeddingList } from '@modelwire/schema/types';
import { toBase64 } from '../../json/base64.ts';
import type { Vector } from './vectors.ts';

/** Numbers that are serialized before yielding to the event loop. */
const numbersPerTurn = 50_000;

/**
 * The items of the response, and all of it as JSON text. The text is made item by item, so that other requests run in between:
 * 2,048 embeddings take up to a second of CPU time.
 */
export async function serializeEmbeddings(
  head: Omit<EmbeddingList, 'data'>,
  vectors: readonly Vector[],
  format: 'float' | 'base64',
): Promise<{ readonly data: Embedding[]; readonly json: string }> {
  const data: Embedding[] = [];
  const pieces: string[] = [];
  let numbers = 0;
  for (const [index, vector] of vectors.entries()) {
    const embedding = format === 'base64' ? toBase64(littleEndian(vector)) : Array.from(vector);
    const item: Embedding = { object: 'embedding', index, embedding };
    data.push(item);
    pieces.push(JSON.stringify(item));
    numbers += vector.length;
    if (numbers >= numbersPerTurn) {
      numbers = 0;
      await yieldToEventLoop();
    }
  }
  return { data, json: `${JSON.stringify(head).slice(0, -1)},"data":[${pieces.join(',')}]}` };
}

/** The vector as 32-bit floats in the byte order that clients decode, whatever the byte order of this machine. */
function littleEndian(vector: Vector): Uint8Array {
  const bytes = new Uint8Array(vector.length * 4);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < vector.length; at++) view.setFloat32(at * 4, vector[at] ?? 0, true);
  return bytes;
}
