import type { EmbeddingModel, EmbeddingReply } from '@modelwire/ports';
import { unsupported } from '../../errors.ts';

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
