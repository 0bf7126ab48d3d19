import type { Reply } from '../exchange.ts';

/** Maximum size of a complete reply, which is held in memory. */
export const maxBodyBytes = 64 * 1024 * 1024;

/** The body as text. If it is larger than `limit` bytes, returns undefined and closes the connection. */
export async function readText({ headers, body }: Reply, maxBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = Number(headers['content-length'] ?? 0);
  if (size > maxBytes) {
    body.cancel();
    return undefined;
  }
  size = 0;
  for (;;) {
    const more = body.ready();
    if (!(typeof more === 'boolean' ? more : await more)) break;
    for (const chunk of body.take()) {
      chunks.push(chunk);
      size += chunk.length;
    }
    if (size > maxBytes) {
      body.cancel();
      return undefined;
    }
  }
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only.toString() : Buffer.concat(chunks, size).toString();
}

/** The first media type without parameters, in lower case; empty if there is none. */
export function mediaType({ headers }: Reply): string {
  const header = headers['content-type'];
  const type = (Array.isArray(header) ? header[0] : header) ?? '';
  const end = type.indexOf(';');
  return (end === -1 ? type : type.slice(0, end)).trim().toLowerCase();
}
