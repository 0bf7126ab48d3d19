import { InputError, toStream } from '@modelwire/core';
import type { BatchEndpoint } from '@modelwire/schema/types';
import type { BatchRequest } from './lines.ts';

/** Limits of the server. `input.test.ts` compares them with the schema. */
export const MAX_LINES = 50_000;
export const MAX_BYTES = 200 * 1024 ** 2;

const CHUNK_BYTES = 64 * 1024;

/**
 * The input file of a batch, encoded while it is read: at most 50,000 requests and 200 MB. Throws an `InputError` for what would fail
 * the whole batch: a missing or duplicate `custom_id`, a streamed request, too many requests or bytes.
 */
export function batchInput<E extends BatchEndpoint>(
  endpoint: E,
  requests: Iterable<BatchRequest<E>> | AsyncIterable<BatchRequest<E>>,
): ReadableStream<Uint8Array> {
  return toStream(encodeLines(endpoint, requests));
}

async function* encodeLines<E extends BatchEndpoint>(
  url: E,
  requests: Iterable<BatchRequest<E>> | AsyncIterable<BatchRequest<E>>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const utf8 = new TextEncoder();
  const seen = new Set<string>();
  let lines: string[] = [];
  let length = 0;
  let bytes = 0;

  function flush(): Uint8Array {
    const chunk = utf8.encode(lines.join(''));
    lines = [];
    length = 0;
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new InputError('The input of a batch can have at most 200 MB.', { param: 'requests' });
    return chunk;
  }

  for await (const { custom_id, body } of requests) {
    const at = `requests[${seen.size}]`;
    if (typeof custom_id !== 'string' || custom_id === '' || seen.has(custom_id)) {
      throw new InputError(`${at}.custom_id must be a non-empty string that is unique in the batch.`, {
        param: `${at}.custom_id`,
      });
    }
    if ('stream' in body && body.stream === true) {
      throw new InputError(`${at}.body.stream must not be true: batches do not stream.`, {
        param: `${at}.body.stream`,
      });
    }
    seen.add(custom_id);
    if (seen.size > MAX_LINES)
      throw new InputError(`A batch can have at most ${MAX_LINES} requests.`, { param: 'requests' });
    const line = `${JSON.stringify({ custom_id, method: 'POST', url, body })}\n`;
    lines.push(line);
    length += line.length;
    if (length >= CHUNK_BYTES) yield flush();
  }
  if (seen.size === 0) throw new InputError('A batch needs at least one request.', { param: 'requests' });
  if (lines.length > 0) yield flush();
}
