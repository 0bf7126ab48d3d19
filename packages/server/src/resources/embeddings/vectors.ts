import type { EmbeddingModel, EmbeddingReply } from '@modelwire/ports';
import { unsupported } from '../../errors.ts';
import { yieldToEventLoop } from '@modelwire/adapter-kit';
import type { Embedding, EmbeddingList } from '@modelwire/schema/types';
import { toBase64 } from '../../json/base64.ts';

export type Vector = EmbeddingReply['embeddings'][number];

interface Expected {
  readonly count: number;
  readonly dimensions: number | undefined;
  readonly model: EmbeddingModel;
  /** Name of the engine, for the log. */
  readonly engine: string;
}

/**
 * The vectors of the engine, truncated if the server emulates `dimensions`.
 *
 * @throws an Error for a reply that is not one vector for each input; a 400 if the engine did not apply `dimensions`.
 */
export function checkedVectors(
  vectors: readonly Vector[],
  { count, dimensions, model, engine }: Expected,
): readonly Vector[] {
  const size = vectors[0]?.length ?? 0;
  if (vectors.length !== count)
    throw new Error(`engine '${engine}' returned ${vectors.length} embeddings instead of ${count}`);
  if (size === 0 || vectors.some((vector) => vector.length !== size))
    throw new Error(`engine '${engine}' returned embeddings that are empty or differ in length`);
  if (!vectors.every(isFinite))
    throw new Error(`engine '${engine}' returned an embedding with a number that is not finite`);
  if (dimensions === undefined || dimensions === size) return vectors;
  if (model.dimensions === 'emulated' && dimensions < size)
    return vectors.map((vector) => truncate(vector, dimensions));
  throw unsupported(
    'dimensions',
    `Unsupported parameter: the model '${model.id}' returned embeddings of ${size} numbers instead of ${dimensions}. Omit 'dimensions'.`,
  );
}

function isFinite(vector: Vector): boolean {
  for (const number of vector) if (!Number.isFinite(number)) return false;
  return true;
}

/** The first numbers of a vector, normalized to length 1. */
function truncate(vector: Vector, dimensions: number): Float32Array {
  const short = Float32Array.from(vector.slice(0, dimensions));
  let squares = 0;
  for (const number of short) squares += number * number;
  const length = Math.sqrt(squares);
  return length === 0 ? short : short.map((number) => number / length);
}

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
