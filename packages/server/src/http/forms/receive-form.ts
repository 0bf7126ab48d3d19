import type { FormBody, Parsed } from '@modelwire/schema';
import type { ReceivedFile } from '../../call.ts';
import { invalidField, overloaded } from '../../errors.ts';
import { discardBlobs, writeBlob } from '../../media/files/storage.ts';
import type { FormState } from '../request-state.ts';
import { readForm } from './read-form.ts';

/** A form whose files are stored. */
interface ReceivedForm<Body> {
  readonly body: Body;
  readonly files: ReadonlyMap<string, ReceivedFile>;
  /** A text that identifies the content of the form, the same for each repetition; empty unless there is an idempotency key. */
  readonly identity: string;
  /** Releases the files, because no record takes them. */
  discard(): Promise<void>;
}

/** Retry-After of a form that was refused because too many are being received. */
const retryAfterSeconds = 5;

/**
 * Receives a form. Its files are in the blob store when this resolves; if it rejects, none are. @throws a 503 when too many forms are being
 * received.
 */
export async function receiveForm<Body>(
  { request, server, client, idempotencyKey }: FormState,
  { files: expected, schema, parse }: Pick<FormBody<Body>, 'files' | 'schema' | 'parse'>,
): Promise<ReceivedForm<Body>> {
  const { signal } = client;
  const { unknownFields } = server.options;
  const identify = idempotencyKey !== null;
  const keys: string[] = [];
  const digests: (readonly [string, string])[] = [];
  const discard = () => discardBlobs(server, keys);
  const release = server.formSemaphore.tryAcquire();
  if (!release) throw overloaded(retryAfterSeconds);
  try {
    const source = {
      contentType: request.header('content-type') ?? '',
      contentLength: request.header('content-length'),
      bytes: request.bytes(),
    };
    const { fields, files } = await readForm<ReceivedFile>(source, {
      files: expected,
      textNames: Object.keys(schema.shape),
      check: (received) => assertValidSoFar(parse(received, { unknownFields })),
      async storeFile({ field, filename, mediaType, bytes }) {
        const segment = await writeBlob(server, bytes, signal);
        keys.push(segment.key);
        if (identify) digests.push([field, JSON.stringify([filename, mediaType, segment.sha256])]);
        return { filename, mediaType, segment };
      },
      ...server.bodyTimeouts,
      signal,
    });
    const parsed = parse(fields, { unknownFields });
    if (!parsed.ok) throw invalidField(parsed.problem);
    return { body: parsed.value, files, identity: identify ? JSON.stringify([fields, digests]) : '', discard };
  } catch (error) {
    await discard();
    throw error;
  } finally {
    release();
  }
}

/** Refuses fields that are already known to be invalid; missing ones may follow. */
function assertValidSoFar(parsed: Parsed<unknown>): void {
  if (!parsed.ok && parsed.problem.code !== 'missing_required_parameter') throw invalidField(parsed.problem);
}

/** Whether a body is a form. */
export function isForm(contentType: string | null): boolean {
  return contentType !== null && /^\s*multipart\/form-data\s*(?:;|$)/i.test(contentType);
}
