import { json, md5, startRecordingServer } from '@modelwire/core/testing';
import type { RecordedRequest, RecordingServer } from '@modelwire/core/testing';
import { createUploads } from '../src/index.ts';
import type { UploadsClient } from '../src/index.ts';

export interface UploadServer extends RecordingServer {
  readonly uploads: UploadsClient;
  /** Bytes of parts that were acknowledged, by ID. */
  readonly parts: ReadonlyMap<string, Buffer>;
  /** Content of the completed file. */
  readonly content: () => Buffer | undefined;
  readonly cancelled: () => boolean;
  /** The maximum number of concurrent part requests. */
  readonly mostAtOnce: () => number;
}

/** A fault of a part: a status to respond with, or a delay before the response. */
export type PartFault = (part: RecordedRequest, count: number) => number | undefined | Promise<number | undefined>;

/** An upload server that implements all rules: sizes, order by part_ids, checksum. */
export async function serveUploads(fault: PartFault = () => undefined): Promise<UploadServer> {
  const parts = new Map<string, Buffer>();
  const seen = { declared: 0, count: 0, now: 0, most: 0, cancelled: false, content: undefined as Buffer | undefined };
  const upload = { id: 'upload_1', object: 'upload', created_at: 1, expires_at: 3601, status: 'pending' };
  const server = await startRecordingServer(async (response, request) => {
    const { path, json: body } = request;
    if (path === '/uploads') {
      seen.declared = (body as { bytes: number }).bytes;
      json(response, { ...upload, ...(body as object) });
    } else if (path === '/uploads/upload_1/parts') {
      const count = ++seen.count;
      seen.most = Math.max(seen.most, ++seen.now);
      const status = await fault(request, count);
      seen.now--;
      if (status !== undefined) {
        json(response, { error: { message: 'Not now.' } }, status);
        return;
      }
      const id = `part_${count}`;
      parts.set(id, request.files['data']?.bytes ?? Buffer.of());
      json(response, { id, object: 'upload.part', created_at: 1, upload_id: 'upload_1' });
    } else if (path === '/uploads/upload_1/complete') {
      const { part_ids, md5: sum } = body as { part_ids: string[]; md5?: string };
      const content = Buffer.concat(part_ids.map((id) => parts.get(id) ?? Buffer.of()));
      const wrong = content.length !== seen.declared || (sum !== undefined && sum !== md5(content));
      if (!wrong) seen.content = content;
      const file = { id: 'file-1', object: 'file', bytes: content.length };
      const error = { message: 'bytes or md5 differ', code: 'md5_mismatch' };
      json(response, wrong ? { error } : { ...upload, status: 'completed', file }, wrong ? 400 : 200);
    } else {
      seen.cancelled = true;
      json(response, { ...upload, status: 'cancelled' });
    }
  });
  return {
    ...server,
    uploads: createUploads({ baseURL: server.baseURL, apiKey: 'test-key', backoff: () => 0 }),
    parts,
    content: () => seen.content,
    cancelled: () => seen.cancelled,
    mostAtOnce: () => seen.most,
  };
}

/** Non-repeating bytes, so that no two parts are equal. */
export function someBytes(length: number): Uint8Array<ArrayBuffer> {
  let seed = 1;
  return Uint8Array.from({ length }, () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) >> 16);
}

/** The bytes as a stream, in chunks of this size. */
export function streamOf(
  bytes: Uint8Array,
  size = 7,
  onRead: (length: number) => void = () => undefined,
): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = bytes.slice(at, (at += size));
        onRead(chunk.length);
        if (chunk.length === 0) controller.close();
        else controller.enqueue(chunk);
      },
    },
    { highWaterMark: 0 },
  );
}
