import type { CompleteResponse } from './response.ts';
import type { Call } from './call.ts';
import { pause } from './pause.ts';
import { raceAbort } from './race-abort.ts';
import { parseJson } from './parse-json.ts';

type CompleteBody = Pick<CompleteResponse, 'bytes' | 'text' | 'json'>;

/** The complete body, or why reading stopped. */
export type BoundedBody =
  { readonly failure?: undefined; readonly body: CompleteBody } | { readonly failure: 'size' | 'time' | 'broken' };

/** Reads a body up to a size and until the signal aborts. Never rejects. */
export async function readBounded(
  response: Response,
  maxBytes: number,
  signal: AbortSignal,
  { readPauseMs = 0, leavesAfterFirst = false }: Pick<Call, 'readPauseMs' | 'leavesAfterFirst'> = {},
): Promise<BoundedBody> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  try {
    while (reader) {
      const { done, value } = await raceAbort(reader.read(), signal);
      if (done) break;
      size += value.length;
      if (size > maxBytes) {
        cancelReader(reader);
        return { failure: 'size' };
      }
      pieces.push(value);
      if (leavesAfterFirst) {
        cancelReader(reader);
        break;
      }
      if (pieces.length === 1 && readPauseMs > 0) await pause(readPauseMs, signal);
    }
  } catch {
    if (reader) cancelReader(reader);
    return { failure: signal.aborted ? 'time' : 'broken' };
  }
  return { body: decodeBody(await new Blob(pieces).bytes(), response.headers.get('content-type') ?? '') };
}

/** Cancels the body without waiting for the result. */
function cancelReader(reader: ReadableStreamDefaultReader): void {
  reader.cancel().catch(() => undefined);
}

function decodeBody(bytes: Uint8Array, type: string): CompleteBody {
  if (/^(?:video|image|audio)\//.test(type)) return { bytes, text: '', json: undefined };
  const text = new TextDecoder().decode(bytes);
  return { bytes, text, json: parseJson(text) };
}
