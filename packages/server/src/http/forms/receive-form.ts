import type { FileField, Parsed } from '@modelwire/schema';
import { discardBlobs, writeBlob } from '../../media/files/write-blob.ts';
import type { ServerContext } from '../../context.ts';
import { unwrapOrThrow } from '../../errors.ts';
import type { ClientConnection } from '../../client-connection.ts';
import type { RequestAdapter } from '../adapters/request-adapter.ts';
import { readForm } from './read-form.ts';
import type { ReceivedFile } from '../../call.ts';
import { paceOf } from '../../limits/sender-pace.ts';

export interface ReceivedForm<Body> {
  readonly body: Body;
  readonly files: ReadonlyMap<string, ReceivedFile>;
  /** All that was sent, in a text that is the same when it is sent again; empty unless it was asked for. */
  readonly identity: string;
  /** Nothing takes the files: their bytes may go. */
  discard(): Promise<void>;
}

export interface FormDefinition<Body> {
  readonly files: readonly FileField[];
  readonly textNames: readonly string[];
  readonly parse: (fields: readonly (readonly [string, string])[]) => Parsed<Body>;
}

/** Reads a form; the bytes of its files are in the blob store when this resolves, and nowhere when it rejects. @throws a 503 when too many come at once. */
export async function receiveForm<Body>(
  incoming: RequestAdapter,
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
  const leave = server.forms.acquire();
  try {
    const source = {
      contentType: incoming.header('content-type') ?? '',
      contentLength: incoming.header('content-length'),
      bytes: incoming.bytes(),
    };
    const { fields, files } = await readForm<ReceivedFile>(source, {
      files: expected,
      textNames,
      check: (sofar) => refuseEarly(parse(sofar)),
      async keep({ field, filename, mediaType, bytes }) {
        const digest = identify ? await digesting(bytes) : undefined;
        const segment = await writeBlob(server, digest?.bytes ?? bytes, signal);
        keys.push(segment.key);
        if (digest) digests.push([field, JSON.stringify([filename, mediaType, digest.hex()])]);
        return { filename, mediaType, segment };
      },
      ...paceOf(server.options),
      signal,
    });
    const body = unwrapOrThrow(parse(fields));
    return { body, files, identity: identify ? JSON.stringify([fields, digests]) : '', discard };
  } catch (error) {
    await discard();
    throw error;
  } finally {
    leave();
  }
}

/** What is wrong already; what is missing may still come. */
function refuseEarly(parsed: Parsed<unknown>): void {
  if (!parsed.ok && parsed.problem.code !== 'missing_required_parameter') unwrapOrThrow(parsed);
}

/** The same bytes, and their checksum when they are through. SHA-256 of a stream is not among the web's standards. */
async function digesting(bytes: AsyncIterable<Uint8Array>) {
  const { createHash } = await import('node:crypto');
  const hash = createHash('sha256');
  async function* passing() {
    for await (const piece of bytes) {
      hash.update(piece);
      yield piece;
    }
  }
  return { bytes: passing(), hex: () => hash.digest('hex') };
}
