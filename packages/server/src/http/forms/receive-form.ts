import type { FileField, Parsed } from '@modelwire/schema';
import { discardBlobs, writeBlob } from '../../media/files/write-blob.ts';
import type { ServerContext } from '../../context.ts';
import { unwrapOrThrow } from '../../errors.ts';
import type { ClientConnection } from '../../client-connection.ts';
import type { RequestAdapter } from '../adapters/request-adapter.ts';
import { readForm } from './read-form.ts';
import type { ReceivedFile } from '../../call.ts';
import { bodyTimeoutsOf } from '../../limits/body-timeouts.ts';

export interface ReceivedForm<Body> {
  readonly body: Body;
  readonly files: ReadonlyMap<string, ReceivedFile>;
  /** A text that identifies the content of the form, the same for each repetition; empty unless it was requested. */
  readonly identity: string;
  /** Releases the files, because no record takes them. */
  discard(): Promise<void>;
}

export interface FormDefinition<Body> {
  readonly files: readonly FileField[];
  readonly textNames: readonly string[];
  readonly parse: (fields: readonly (readonly [string, string])[]) => Parsed<Body>;
}

/**
 * Reads a form. Its files are in the blob store when this resolves; if it rejects, none are. @throws a 503 when too many forms are being
 * received.
 */
export async function receiveForm<Body>(
  request: RequestAdapter,
  { files: expected, textNames, parse }: FormDefinition<Body>,
  {
    server,
    client,
    identify,
  }: { readonly server: ServerContext; readonly client: ClientConnection; readonly identify: boolean },
): Promise<ReceivedForm<Body>> {
  const { signal } = client;
  const keys: string[] = [];
  const digests: (readonly [string, string])[] = [];
  const discard = () => discardBlobs(server, keys);
  const release = server.formSemaphore.acquire();
  try {
    const source = {
      contentType: request.header('content-type') ?? '',
      contentLength: request.header('content-length'),
      bytes: request.bytes(),
    };
    const { fields, files } = await readForm<ReceivedFile>(source, {
      files: expected,
      textNames,
      check: (received) => assertValidSoFar(parse(received)),
      async storeFile({ field, filename, mediaType, bytes }) {
        const digest = identify ? await withDigest(bytes) : undefined;
        const segment = await writeBlob(server, digest?.bytes ?? bytes, signal);
        keys.push(segment.key);
        if (digest) digests.push([field, JSON.stringify([filename, mediaType, digest.hex()])]);
        return { filename, mediaType, segment };
      },
      ...bodyTimeoutsOf(server.options),
      signal,
    });
    const body = unwrapOrThrow(parse(fields));
    return { body, files, identity: identify ? JSON.stringify([fields, digests]) : '', discard };
  } catch (error) {
    await discard();
    throw error;
  } finally {
    release();
  }
}

/** Refuses fields that are already known to be invalid; missing ones may follow. */
function assertValidSoFar(parsed: Parsed<unknown>): void {
  if (!parsed.ok && parsed.problem.code !== 'missing_required_parameter') unwrapOrThrow(parsed);
}

/** Passes bytes on and computes their checksum. The web standards have no SHA-256 for streams. */
async function withDigest(bytes: AsyncIterable<Uint8Array>) {
  const { createHash } = await import('node:crypto');
  const hash = createHash('sha256');
  async function* hashed() {
    for await (const chunk of bytes) {
      hash.update(chunk);
      yield chunk;
    }
  }
  return { bytes: hashed(), hex: () => hash.digest('hex') };
}
