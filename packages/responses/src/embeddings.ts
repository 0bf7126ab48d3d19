import { asJson, createTransport, DecodeError } from '@modelwire/core';
import type { ApiPromise, CallOptions } from '@modelwire/core';
import { createEmbedding } from '@modelwire/schema/routes';
import type { Embedding, EmbeddingCreateParams, EmbeddingList } from '@modelwire/schema/types';
import type { ClientOptions } from './client.ts';
import { mapReader } from './map-reader.ts';

/** An embedding as numbers. */
export interface NumericEmbedding extends Embedding {
  readonly embedding: number[];
}

/** The embeddings of all inputs, in their order. */
export interface NumericEmbeddingList extends EmbeddingList {
  readonly data: readonly NumericEmbedding[];
}

/** Every method rejects only with a `ModelwireError`. */
export interface EmbeddingsClient {
  /**
   * Creates embeddings. They are always numbers: `encoding_format: 'base64'` makes the response smaller, and is decoded. A `DecodeError`
   * if the response is not base64 of 32-bit floats.
   */
  create(params: EmbeddingCreateParams, options?: CallOptions): ApiPromise<NumericEmbeddingList>;
}

/** Creates a client for embeddings. Throws an `InputError` for an invalid base URL. */
export function createEmbeddings(options: ClientOptions = {}): EmbeddingsClient {
  const transport = createTransport(options);
  const asNumbers = mapReader(asJson<EmbeddingList>(), (list): NumericEmbeddingList => ({
    ...list,
    data: list.data.map((item) => ({ ...item, embedding: numbersOf(item) })),
  }));
  return { create: (body, options) => transport.request(createEmbedding, { ...options, body }, asNumbers) };
}

function numbersOf({ embedding, index }: Embedding): number[] {
  return typeof embedding === 'string' ? decodeFloats(embedding, index) : [...embedding];
}

/** Decodes base64 of little-endian 32-bit floats. */
function decodeFloats(text: string, index: number): number[] {
  let bytes: string;
  try {
    bytes = atob(text);
  } catch (cause) {
    throw new DecodeError(`The embedding ${index} is not base64.`, { cause });
  }
  if (bytes.length % 4 > 0) throw new DecodeError(`The embedding ${index} is not a list of 32-bit floats.`);
  const view = new DataView(Uint8Array.from(bytes, (char) => char.charCodeAt(0)).buffer);
  return Array.from({ length: bytes.length / 4 }, (_, at) => view.getFloat32(at * 4, true));
}
