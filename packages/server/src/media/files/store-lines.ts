import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { newFile } from './file-object.ts';
import { discardBlobs, projectStores, writeBlob } from './storage.ts';

/** Stores the input file of a batch, within the quota of the project, and returns its ID. */
export async function storeLines(
  lines: readonly object[],
  { principal, client }: Pick<Call, 'principal' | 'client'>,
  server: ServerContext,
  init: { readonly filename: string; readonly expiresAfter: number | undefined },
): Promise<string> {
  const encoder = new TextEncoder();
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for (const line of lines) yield await Promise.resolve(encoder.encode(`${JSON.stringify(line)}\n`));
  }
  const segment = await writeBlob(server, bytes(), client.signal);
  const record = newFile(server, { ...init, purpose: 'batch', mediaType: 'application/jsonl', content: [segment] });
  try {
    const { files } = projectStores({ principal }, server);
    await server.storageQuota.write(principal, (limit) => files.create(record, limit));
  } catch (error) {
    await discardBlobs(server, [segment.key]);
    throw error;
  }
  return record.file.id;
}
