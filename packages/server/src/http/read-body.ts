import type { HttpRequest } from '../call.ts';
import type { ServerContext } from '../context.ts';
import { bodyTooLarge, invalid, unsupportedEncoding } from '../errors.ts';
import type { ByteReservation } from '../limits/byte-budget.ts';
import { ChunkBuffer } from '../limits/chunk-buffer.ts';
import { withBodyTimeouts } from '../limits/body-timeouts.ts';

/**
 * Reads a whole body into memory, of which each chunk is reserved before it is kept.
 *
 * @throws a 408 when it arrives too slowly, a 413 as soon as it is longer than allowed, a 499 when the client disconnects before its end, and
 * a 503 when there is not enough memory.
 */
export async function readBody(
  request: Pick<HttpRequest, 'header' | 'bytes' | 'client'>,
  { options: { maxBodyBytes }, bodyTimeouts }: Pick<ServerContext, 'options' | 'bodyTimeouts'>,
  memory: ByteReservation | undefined,
): Promise<Uint8Array> {
  if (Number(request.header('content-length') ?? 0) > maxBodyBytes) throw bodyTooLarge(maxBodyBytes);
  const body = new ChunkBuffer();
  for await (const chunk of withBodyTimeouts(request.bytes(), bodyTimeouts, request.client)) {
    if (body.length + chunk.byteLength > maxBodyBytes) throw bodyTooLarge(maxBodyBytes);
    memory?.acquireNow(chunk.byteLength);
    body.add(chunk);
  }
  return body.join();
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Decodes bytes from a client. A byte order mark at the start is skipped.
 *
 * @param what Named in the error, for instance `The request body`.
 * @throws a 400 for bytes that are not UTF-8.
 */
export function decodeText(bytes: Uint8Array, what: string, param: string | null = null): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw invalid(param, `${what} is not valid UTF-8.`, 'invalid_encoding');
  }
}

/** @throws a 415 for a body with a content coding. */
export function assertUnencoded(encoding: string | null): void {
  if (encoding !== null && encoding.toLowerCase() !== 'identity') throw unsupportedEncoding(encoding);
}
